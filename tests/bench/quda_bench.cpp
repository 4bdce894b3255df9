/// quda_bench: times the library's kernels as the library launches them, beside what the machine can do at the same
/// time.
///   quda_bench --dim 24 24 24 48 --prec single --recon 12 --filter wilson --json out.json
/// One process. Exit status: 0; 1 where a result differs from the plain reference or is faster than memory; 2 for an
/// error, such as an option that makes no sense.

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <regex.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

#include "bench/host_data.h"
#include "bench/report.h"
#include "comms/communicator.h"
#include "core/error.h"
#include "command_line.h"
#include "targets/target.h"
#include "tune/tune_cache.h"

namespace quda::bench
{

namespace
{

  struct Options {
    std::array<int, 4> dims = {16, 16, 16, 32};
    std::vector<Precision> precisions = {Precision::double_, Precision::single, Precision::half};
    std::vector<int> reconstructs = {18, 12};
    std::vector<int> nrhs = {1};
    int threads = 0;
    double seconds = 2;
    std::string filter, target, json;
    bool list = false;
  };

  const program::Names<Precision> precisions {
      {"double", Precision::double_}, {"single", Precision::single}, {"half", Precision::half}};
  const program::Names<int> reconstructs {{"18", 18}, {"12", 12}};

  void add_options(program::CommandLine &line, Options &o)
  {
    const auto take_dims = [&o](const std::vector<int> &n) { std::copy_n(n.begin(), 4, o.dims.begin()); };
    const auto take_nrhs = [&o](const std::vector<int> &n) { o.nrhs = n; };
    line.add_numbers("--dim", 4, take_dims, "X Y Z T", "Extents of the lattice, x y z t [16 16 16 32]",
                     program::positive);
    line.add_choices("--prec", o.precisions, precisions, "Precisions [all]");
    line.add_choices("--recon", o.reconstructs, reconstructs, "Numbers stored for a link [18 12]");
    line.add_numbers("--nrhs", program::CommandLine::one_or_more, take_nrhs, "N", "Right-hand sides [1]", {1, 64});
    line.add("--threads", o.threads, "Threads [what OpenMP would take]", {1, 4096});
    line.add("--time", o.seconds, "Seconds for the samples of each kernel", {0, 3600});
    line.add("--filter", o.filter, "Extended regular expression that the names of --list must contain a match of");
    line.add("--target", o.target, "cpu, cpu:avx2, cpu:avx512, cuda, auto; default: QUDA_TARGET");
    line.add("--json", o.json, "File to write the results to");
    line.add_flag("--list", o.list, "Print the names of what would run");
  }

  /// POSIX: the one of the standard library takes longer to compile than all else here.
  class Pattern
  {
  public:
    explicit Pattern(const std::string &pattern)
    {
      const int wrong = regcomp(&compiled_, pattern.c_str(), REG_EXTENDED | REG_NOSUB);
      if (wrong) {
        char why[200];
        regerror(wrong, &compiled_, why, sizeof why);
        fail(ErrorKind::bad_argument, text("--filter = \"%s\": %s", pattern.c_str(), why));
      }
    }
    ~Pattern() { regfree(&compiled_); }
    Pattern(const Pattern &) = delete;
    Pattern &operator=(const Pattern &) = delete;
    bool in(const std::string &name) const { return regexec(&compiled_, name.c_str(), 0, nullptr, 0) == 0; }

  private:
    regex_t compiled_;
  };

  /// All that the options ask for. Half precision is of kernels of its own. Kernels without links run once for all
  /// reconstructs, those without spinors for one right-hand side; the plain host versions in double, with whole links,
  /// for one, where the lattice is small.
  std::vector<Case> cases(const Options &o, HostData &host)
  {
    const Pattern wanted(o.filter);
    std::vector<Case> all;
    for (const Entry &entry : registry())
      for (const Precision precision : o.precisions)
        for (const int recon : entry.has_links() ? o.reconstructs : std::vector<int> {18})
          for (const int nrhs : entry.has_spinors() ? o.nrhs : std::vector<int> {1}) {
            const bool plain = precision == Precision::double_ && recon == 18 && nrhs == 1 && host.whole();
            if (entry.variant == Variant::reference && !plain) continue;
            if (entry.is_half() != (precision == Precision::half)) continue;
            const Case one {&entry, {precision, static_cast<Reconstruct>(recon), nrhs, &host}};
            if (wanted.in(case_name(one))) all.push_back(one);
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
    Report report {o.dims, target().last_cache(), {}, Latencies(target().last_cache()), {}};
    Limits limits(report.last_cache);
    print_heading(report);
    for (const Case &one : all) {
      report.latencies.sample();
      report.results.push_back(measure(one, limits, report.last_cache, o.seconds, report.limits));
      print_result(report.results.back());
    }
    save_tune_cache(TuneSave::last);
    if (!o.json.empty()) write_json(report, o.json);
    return print_end(report) ? 0 : 1;
  }

} // namespace

} // namespace quda::bench

int main(int argc, char **argv)
{
  program::CommandLine line("Times the kernels of libquda beside the limits of the machine");
  quda::bench::Options options;
  quda::bench::add_options(line, options);
  int code = 0;
  try {
    if (!line.parse(argc, argv, 0, code)) return code ? 2 : 0;
    return quda::bench::run(options);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "quda_bench: %s\n", error.what());
    return 2;
  }
}
