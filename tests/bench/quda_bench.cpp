/// quda_bench: times the library's kernels as the library launches them, beside what the machine can do at the same
/// time.
///   quda_bench --dim 24 24 24 48 --prec single --recon 12 --filter wilson --json out.json
///   quda_bench --compare OLD/bin/quda_bench NEW/bin/quda_bench --dim 8 8 8 8 --rounds 5
/// One process; compare.h says what --compare does. Exit status: 0; 1 where a result differs from the plain reference
/// or is faster than memory, or --compare finds a slower kernel; 2 for an error, such as an option that makes no sense
/// or a filter that matches nothing. Ctrl-C leaves what was measured.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "bench/compare.h"
#include "bench/host_data.h"
#include "bench/interrupt.h"
#include "bench/options.h"
#include "bench/pattern.h"
#include "bench/report.h"
#include "comms/communicator.h"
#include "core/error.h"
#include "gauge_file.h"
#include "command_line.h"
#include "targets/target.h"
#include "tune/tune_cache.h"

namespace quda::bench
{

namespace
{

  const program::Names<Precision> precisions {
      {"double", Precision::double_}, {"single", Precision::single}, {"half", Precision::half}};
  const program::Names<int> reconstructs {{"18", 18}, {"12", 12}};

  void add_options(program::CommandLine &line, Options &o)
  {
    const auto take_dims = [&o](const std::vector<int> &n) { std::copy_n(n.begin(), 4, o.dims.begin()); };
    const auto take_nrhs = [&o](const std::vector<int> &n) { o.nrhs = n; };
    line.add_numbers("--dim", 4, take_dims, "X Y Z T", "Extents of the lattice, x y z t [the file's, or 16 16 16 32]",
                     program::positive);
    line.add("--load-gauge", o.load_gauge, "Gauge configuration [random links near the identity]");
    line.add("--kappa", o.kappa, "Hopping parameter of solves [0.155 on a configuration, else 0.125]",
             program::positive);
    line.add_choices("--prec", o.precisions, precisions, "Precisions [double single half]");
    line.add_choices("--recon", o.reconstructs, reconstructs, "Numbers stored for a link [18 12]");
    line.add_numbers("--nrhs", program::CommandLine::one_or_more, take_nrhs, "N",
                     "Right-hand sides, several values in turn [1]", {1, 64});
    line.add("--threads", o.threads, "Threads [what OpenMP would take]", {1, 4096});
    line.add("--time", o.seconds, "Seconds for the samples of each kernel [2; with --compare 0.25 a run]", {0, 3600});
    line.add("--filter", o.filter,
             "Extended regular expression that the names of --list must contain a match of [all]");
    line.add("--target", o.target, "cpu, cpu:avx2, cpu:avx512, cuda, auto [QUDA_TARGET, else auto]");
    line.add("--json", o.json, "File to write the results to");
    line.add_flag("--list", o.list, "Print the names of what would run");
    line.add_texts(
        "--compare", 2, [&o](const std::vector<std::string> &programs) { o.compare = programs; }, "OLD NEW",
        "Two programs quda_bench: measure them in turn, print the new one's speed over the old one's [off]");
    line.add("--rounds", o.rounds, "Rounds of --compare, each with two runs of both programs", {1, 1000});
    line.add("--least", o.least, "Ratio that --compare reports kernels below of, and fails", {0, 1000});
    line.add_flag("--retune", o.retune, "Let both programs tune anew for each round of --compare [off: once]");
  }

  std::string nothing_matches(const Options &o)
  {
    std::string names;
    std::vector<std::string> known;
    for (const Entry &entry : registry())
      if (std::find(known.begin(), known.end(), entry.name) == known.end()) {
        known.push_back(entry.name);
        names += ' ' + entry.name;
      }
    return text("--filter = \"%s\": no case has such a name with these --prec, --recon, --nrhs, --target; names are "
                "KERNEL/%s|reference/PRECISION/RECONSTRUCT/NRHS, kernels are%s",
                o.filter.c_str(), variant_name(Variant::library), names.c_str());
  }

  /// All that the options ask for, of the precisions that a kernel is for. Kernels without links run once for all
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
            if (!entry.in(precision)) continue;
            const Case one {&entry, {precision, static_cast<Reconstruct>(recon), nrhs, &host}};
            if (wanted.in(case_name(one))) all.push_back(one);
          }
    if (all.empty()) fail(ErrorKind::bad_argument, nothing_matches(o));
    return all;
  }

  /// The extents, which a file may give.
  void complete(Options &o)
  {
    const bool file = !o.load_gauge.empty();
    const auto dims = file ? quda_files::inspect(o.load_gauge).dims : std::array<int, 4> {16, 16, 16, 32};
    if (o.dims[0] == 0) o.dims = dims;
    if (file && o.dims != dims)
      fail(ErrorKind::bad_argument,
           text("--dim = %d %d %d %d; allowed: the extents of %s, %d %d %d %d", o.dims[0], o.dims[1], o.dims[2],
                o.dims[3], o.load_gauge.c_str(), dims[0], dims[1], dims[2], dims[3]));
  }

  int run(const Options &o)
  {
#if defined(_OPENMP)
    if (o.threads > 0) omp_set_num_threads(o.threads); // before the target asks
#endif
    set_default_communicator(make_single_communicator());
    choose_target(o.target);
    load_tune_cache(*default_communicator());

    const double kappa = o.kappa > 0 ? o.kappa : o.load_gauge.empty() ? 0.125 : 0.155;
    HostData host(o.dims.data(), o.load_gauge, kappa);
    const std::vector<Case> all = cases(o, host);
    if (o.list) {
      for (const Case &one : all) std::printf("%s\n", case_name(one).c_str());
      return 0;
    }
    Report report {o.dims, {}, Latencies(target().last_cache()), {}};
    print_heading(report);
    for (const Case &one : all) {
      if (interrupted()) break;
      report.latencies.sample();
      report.results.push_back(measure(one, report.machine, o.kernel_seconds()));
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
    quda::bench::complete(options);
    quda::bench::watch_interrupt();
    return options.compare.empty() ? quda::bench::run(options) : quda::bench::compare(options);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "quda_bench: %s\n", error.what());
    return 2;
  }
}
