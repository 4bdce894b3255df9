/// quda_bench: times the library's kernels as the library launches them, beside what the machine can do at the same
/// time.
///   quda_bench --dim 24 24 24 48 --prec single --recon 12 --filter wilson --json out.json
/// One process. Exit status: 0; 1 where a result differs from the plain reference or is faster than memory; 2 for an
/// error, such as an option that makes no sense.

#include <array>
#include <cstdio>
#include <exception>
#include <regex>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#if defined(_OPENMP)
#include <omp.h>
#endif

#include "bench/host_data.h"
#include "bench/report.h"
#include "comms/communicator.h"
#include "targets/target.h"
#include "tune/tune_cache.h"

namespace quda::bench
{

namespace
{

  struct Options {
    std::array<int, 4> dims = {16, 16, 16, 32};
    std::vector<std::string> precisions = {"double", "single", "half"};
    std::vector<int> reconstructs = {18, 12};
    std::vector<int> nrhs = {1};
    int threads = 0;
    double seconds = 2;
    std::string filter, target, json;
    bool list = false;
  };

  void add_options(CLI::App &app, Options &o)
  {
    app.add_option("--dim", o.dims, "Extents of the lattice, x y z t")->type_name("X Y Z T");
    app.add_option("--prec", o.precisions, "Precisions")->check(CLI::IsMember({"double", "single", "half"}));
    app.add_option("--recon", o.reconstructs, "Numbers stored for a link")->check(CLI::IsMember({18, 12}));
    app.add_option("--nrhs", o.nrhs, "Right-hand sides")->check(CLI::Range(1, 64));
    app.add_option("--threads", o.threads, "Threads; default: what OpenMP would take")->check(CLI::Range(1, 4096));
    app.add_option("--time", o.seconds, "Seconds for the samples of each kernel")->check(CLI::Range(0.0, 3600.0));
    app.add_option("--filter", o.filter, "Regular expression that the names of --list must contain a match of");
    app.add_option("--target", o.target, "cpu, cpu:avx2, cpu:avx512, cuda, auto; default: QUDA_TARGET");
    app.add_option("--json", o.json, "File to write the results to");
    app.add_flag("--list", o.list, "Print the names of what would run");
  }

  Precision precision_of(const std::string &name)
  {
    return name == "double" ? Precision::double_ : name == "single" ? Precision::single : Precision::half;
  }

  /// All that the options ask for. Half precision is of kernels of its own. Kernels without links run once for all
  /// reconstructs, those without spinors for one right-hand side; the plain host versions in double, with whole links,
  /// for one, where the lattice is small.
  std::vector<Case> cases(const Options &o, HostData &host)
  {
    const std::regex wanted(o.filter);
    std::vector<Case> all;
    for (const Entry &entry : registry())
      for (const std::string &precision : o.precisions)
        for (const int recon : entry.has_links() ? o.reconstructs : std::vector<int> {18})
          for (const int nrhs : entry.has_spinors() ? o.nrhs : std::vector<int> {1}) {
            const bool plain = precision == "double" && recon == 18 && nrhs == 1 && host.whole();
            if (entry.variant == Variant::reference && !plain) continue;
            if (entry.is_half() != (precision == "half")) continue;
            const Case one {&entry, {precision_of(precision), static_cast<Reconstruct>(recon), nrhs, &host}};
            if (std::regex_search(case_name(one), wanted)) all.push_back(one);
          }
    return all;
  }

  int run(const Options &o)
  {
#if defined(_OPENMP)
    if (o.threads > 0) omp_set_num_threads(o.threads); // before the target asks
#endif
    set_default_communicator(make_single_communicator());
    choose_target(o.target);
    load_tune_cache(*default_communicator());

    HostData host(o.dims.data());
    const std::vector<Case> all = cases(o, host);
    if (o.list) {
      for (const Case &one : all) std::printf("%s\n", case_name(one).c_str());
      return 0;
    }
    Report report {o.dims, target().last_cache(), {}, {}};
    Limits limits(report.last_cache);
    print_heading(report);
    for (const Case &one : all) {
      report.results.push_back(measure(one, limits, report.last_cache, o.seconds, report.limits));
      print_result(report.results.back());
    }
    save_tune_cache();
    if (!o.json.empty()) write_json(report, o.json);
    return print_end(report) ? 0 : 1;
  }

} // namespace

} // namespace quda::bench

int main(int argc, char **argv)
{
  CLI::App app("Times the kernels of libquda beside the limits of the machine");
  quda::bench::Options options;
  quda::bench::add_options(app, options);
  try {
    app.parse(argc, argv);
    return quda::bench::run(options);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) ? 2 : 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "quda_bench: %s\n", error.what());
    return 2;
  }
}
