/// quda_bench: times the library's kernels as the library launches them, beside what the machine can do at the same
/// time.
///   quda_bench --dim 24 24 24 48 --prec single --recon 12 --filter wilson --json out.json
///   quda_bench --target cpu:avx2 cpu:avx512 --threads 1 2 --kernel axpy plaquette --sweep 4:24 --json out.json
///   mpirun -n 4 quda_bench --gridsize 1 1 2 2 --sweep 4:24 --json out.json
///   quda_bench --compare OLD/bin/quda_bench NEW/bin/quda_bench --dim 8 8 8 8 --rounds 5
/// Kernels are measured in several passes over all of them, each set up, sampled and torn down, so that a bad minute of
/// the machine does not fall on one kernel alone. Several targets, tunings or numbers of threads are a process each,
/// one after the other; compare.h says what --compare does. Exit status: 0; 1 where a result differs from the plain
/// reference or between variants or is faster than memory, or --compare finds a slower kernel; 2 for an error, such as
/// an option that makes no sense or a filter that matches nothing. Ctrl-C leaves what was measured.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "bench/child.h"
#include "bench/compare.h"
#include "bench/host_data.h"
#include "bench/interrupt.h"
#include "bench/options.h"
#include "bench/pattern.h"
#include "bench/ranks.h"
#include "bench/report.h"
#include "comms/communicator.h"
#include "core/error.h"
#include "files/gauge_file.h"
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

  /// Up to these each kernel is compared with its plain version, whether that is measured or not.
  constexpr double compared_sites = 8 * 8 * 8 * 16;

  using Words = std::vector<std::string>;
  using Dims = std::array<int, 4>;

  void take_sweep(const std::string &given, Options &o)
  {
    char rest = 0;
    if (std::sscanf(given.c_str(), "%d:%d%c", &o.first, &o.last, &rest) != 2 || o.first < 2 || o.last < o.first)
      fail(ErrorKind::bad_argument, text("--sweep = \"%s\"; allowed: FIRST:LAST, extents from 2 up", given.c_str()));
  }

  void add_options(program::CommandLine &line, Options &o)
  {
    const auto four = [](std::array<int, 4> &all) {
      return [&all](const std::vector<int> &n) { std::copy_n(n.begin(), 4, all.begin()); };
    };
    const auto into = [](auto &list) { return [&list](const auto &given) { list = given; }; };
    constexpr int more = program::CommandLine::one_or_more;
    line.add_numbers("--dim", 4, four(o.dims), "X Y Z T",
                     "Extents of each rank's lattice, x y z t [the file's, or each kernel's own, mostly 16 16 16 32]",
                     program::positive);
    line.add_numbers("--gridsize", 4, four(o.grid), "X Y Z T",
                     "Ranks, x y z t, as many as mpirun starts processes [1 1 1 1]", program::positive);
    line.add_texts(
        "--sweep", 1, [&o](const Words &given) { take_sweep(given[0], o); }, "FIRST:LAST",
        "Lattices L L L L instead, L = 4 6 8 12 16 24 .. from FIRST to LAST [off]");
    line.add("--load-gauge", o.load_gauge, "Gauge configuration [random links near the identity]");
    line.add("--kappa", o.kappa, "Hopping parameter of solves [0.155 on a configuration, else 0.125]",
             program::positive);
    line.add_choices("--prec", o.precisions, precisions, "Precisions [double single half]");
    line.add_choices("--recon", o.reconstructs, reconstructs, "Numbers stored for a link [18 12]");
    line.add_numbers("--nrhs", more, into(o.nrhs), "N", "Right-hand sides, several values in turn [1]", {1, 64});
    line.add_numbers("--threads", more, into(o.threads), "N",
                     "Threads, several values in turn [what OpenMP would take]", {1, 4096});
    line.add("--time", o.seconds, "Seconds for the samples of each kernel [2; with --compare 0.25 a run]", {0, 3600});
    line.add("--passes", o.passes, "Passes over all kernels, which share the time [5; of one kernel or no time 1]",
             {0, 1000});
    line.add("--filter", o.filter,
             "Extended regular expression that the names of --list must contain a match of [all]");
    line.add_texts("--kernel", more, into(o.kernels), "NAME", "Kernels, by their whole names [all]");
    line.add_texts("--target", more, into(o.targets), "NAME",
                   "cpu, cpu:avx2, cpu:avx512, cuda, auto, several in turn [QUDA_TARGET, else auto]");
    line.add_texts("--tunings", more, into(o.tunings), "WORD",
                   "tuned, untuned, or launch parameters as QUDA_TUNE_FORCE has them (tile=16,threads=1), several in "
                   "turn, of limits too [what the environment says]");
    line.add("--json", o.json, "File to write the results to");
    line.add("--csv", o.csv, "File to write the results to as a table");
    line.add_flag("--list", o.list, "Print what would run and what a run costs, to --json too");
    line.add_texts(
        "--compare", 2, [&o](const Words &programs) { o.compare = programs; }, "OLD NEW",
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

  /// The host's data of each lattice; of a sweep one at a time.
  class Hosts
  {
  public:
    explicit Hosts(const Options &o)
        : o_(o)
        , kappa_(o.kappa > 0            ? o.kappa
                 : o.load_gauge.empty() ? 0.125
                                        : 0.155)
    {
    }

    HostData &of(const Dims &dims, bool cut)
    {
      std::unique_ptr<HostData> &whole = hosts_[{dims, false}];
      if (!whole) whole = std::make_unique<HostData>(dims.data(), o_.load_gauge, kappa_);
      if (!cut) return *whole;
      std::unique_ptr<HostData> &host = hosts_[{dims, true}];
      if (!host) host = std::make_unique<HostData>(*whole, cut_communicator());
      return *host;
    }
    void clear() { hosts_.clear(); }

  private:
    const Options &o_;
    double kappa_;
    std::map<std::pair<Dims, bool>, std::unique_ptr<HostData>> hosts_;
  };

  std::vector<Dims> sizes(const Options &o)
  {
    std::vector<Dims> all;
    for (int power = 4; o.last > 0 && power <= o.last; power *= 2)
      for (const int L : {power, power + power / 2})
        if (L >= o.first && L <= o.last) all.push_back({L, L, L, L});
    if (o.first == 2) all.insert(all.begin(), {2, 2, 2, 2});
    if (o.last > 0 && all.empty())
      fail(ErrorKind::bad_argument, text("--sweep = %d:%d has none of 2 4 6 8 12 16 24 ..", o.first, o.last));
    if (o.last > 0) return all;
    if (o.dims[0] > 0) return {o.dims};
    for (const Entry &entry : registry())
      if (std::find(all.begin(), all.end(), entry.dims) == all.end()) all.push_back(entry.dims);
    return all;
  }

  /// All that the options ask for on one lattice, of the precisions that a kernel is for. Kernels without links run
  /// once for all reconstructs, those without spinors for one right-hand side; the plain host versions in double, with
  /// whole links, for one, where the lattice is small.
  std::vector<Case> cases(const Options &o, const Dims &dims, Hosts &hosts)
  {
    const Pattern wanted(o.filter);
    const bool own = o.dims[0] == 0 && o.last == 0;
    std::vector<Case> all;
    for (const Entry &entry : registry()) {
      if (own && entry.dims != dims) continue;
      if (!o.kernels.empty() && std::find(o.kernels.begin(), o.kernels.end(), entry.name) == o.kernels.end()) continue;
      for (const Precision precision : o.precisions)
        for (const int recon : entry.has_links() ? o.reconstructs : std::vector<int> {18})
          for (const int nrhs : entry.has_spinors() ? o.nrhs : std::vector<int> {1})
            for (const Variant variant : {Variant::library, Variant::reference}) {
              const bool plain = precision == Precision::double_ && recon == 18 && nrhs == 1 && entry.reference &&
                                 entry.times_reference;
              if (variant == Variant::reference && !plain) continue;
              if (!entry.in(precision)) continue;
              Case one {&entry, variant, {precision, static_cast<Reconstruct>(recon), nrhs, nullptr}};
              if (!wanted.in(case_name(one))) continue;
              one.setting.host = &hosts.of(dims, entry.cut);
              if (variant == Variant::library || one.setting.sites() <= entry.most_reference) all.push_back(one);
            }
    }
    return all;
  }

  /// Whether there are several targets, tunings or numbers of threads, each of which wants processes of its own.
  bool several(const Options &o) { return o.targets.size() > 1 || o.tunings.size() > 1 || o.threads.size() > 1; }

  /// The extents, which a file may give.
  void complete(Options &o)
  {
    const auto &P = o.grid;
    if (P != Dims {1, 1, 1, 1} && (several(o) || !o.compare.empty()))
      fail(ErrorKind::bad_argument,
           text("--gridsize = %d %d %d %d; allowed: 1 1 1 1 where there are several --target, --tunings or --threads, "
                "or --compare",
                P[0], P[1], P[2], P[3]));
    const bool file = !o.load_gauge.empty();
    if (!file && o.compare.empty()) return;
    const auto dims = file ? quda_files::inspect(o.load_gauge).dims : Dims {16, 16, 16, 32};
    if (o.dims[0] == 0) o.dims = dims;
    if (file && (o.dims != dims || o.last > 0))
      fail(ErrorKind::bad_argument,
           text("--dim = %d %d %d %d; allowed: the extents of %s, %d %d %d %d, without --sweep", o.dims[0], o.dims[1],
                o.dims[2], o.dims[3], o.load_gauge.c_str(), dims[0], dims[1], dims[2], dims[3]));
  }

  /// One lattice: passes over all cases, a line each when it is measured.
  void measure_all(const Options &o, const std::vector<Case> &all, Report &report)
  {
    const int passes = o.passes > 0 ? o.passes : all.size() == 1 || o.kernel_seconds() == 0 ? 1 : 5;
    std::vector<Measurement> measured(all.begin(), all.end());
    std::size_t printed = 0;
    const auto print_to = [&](std::size_t end) {
      for (; printed < end; printed++)
        if (measured[printed].taken()) {
          report.results.push_back(measured[printed].result());
          print_result(report.results.back());
        }
    };
    std::map<std::string, std::optional<Checksum>> plain; // of each kernel
    for (int pass = 0; pass < passes; pass++)
      for (std::size_t k = 0; k < all.size() && !interrupted(); k++) {
        const Case &what = all[k];
        const bool reference = what.variant == Variant::reference;
        if (pass == 0 || !reference) { // once, they are slow enough
          print_progress(
              text("pass %d of %d, case %zu of %zu: %s", pass + 1, passes, k + 1, all.size(), case_name(what).c_str()),
              true);
          if (o.kernel_seconds() > 0 || report.latencies.memory().empty()) report.latencies.sample();
          const int least = o.kernel_seconds() == 0 || reference ? 1 : what.entry->samples;
          measured[k].take(report.machine, o.kernel_seconds() / passes, (least + passes - 1) / passes);
        }
        if (pass == 0 && !reference && what.setting.sites() <= compared_sites) {
          if (!plain.count(what.entry->name)) plain[what.entry->name] = reference_checksum(what);
          measured[k].compare(plain[what.entry->name]);
        }
        if (pass == passes - 1) {
          print_progress("");
          print_to(k + 1);
        }
      }
    print_progress("");
    print_to(all.size());
  }

  int finish(const Options &o, const nlohmann::json &all, const nlohmann::json &rows, bool good)
  {
    if (!o.json.empty() && ranks().rank() == 0) write_json(all, o.json);
    if (!o.csv.empty() && ranks().rank() == 0) write_csv(rows, o.csv);
    return checksums_agree(rows) && good ? 0 : 1;
  }

  int list(const Options &o)
  {
    std::vector<Case> all;
    Hosts hosts(o);
    for (const Dims &dims : sizes(o)) {
      const std::vector<Case> here = cases(o, dims, hosts);
      all.insert(all.end(), here.begin(), here.end());
    }
    if (all.empty()) fail(ErrorKind::bad_argument, nothing_matches(o));
    print_list(all);
    if (!o.json.empty()) write_json(list_of(all), o.json);
    return 0;
  }

  int run(const Options &o)
  {
#if defined(_OPENMP)
    if (!o.threads.empty()) omp_set_num_threads(o.threads[0]); // before the target asks
#endif
    if (!o.tunings.empty()) set_tuning(o.tunings[0]);
    set_default_communicator(make_single_communicator());
    choose_target(o.targets.empty() ? "" : o.targets[0]);
    if (o.list) return list(o);
    load_tune_cache(*default_communicator());

    Report report {{}, Latencies(target().last_cache()), o.tunings.empty() ? "" : o.tunings[0], {}};
    bool any = false;
    nlohmann::json all;
    for (const Dims &dims : sizes(o)) {
      Hosts hosts(o);
      const std::vector<Case> here = cases(o, dims, hosts);
      any = any || !here.empty();
      if (here.empty() || interrupted()) continue;
      print_heading(report, dims);
      measure_all(o, here, report);
      all = json_of(report);
    }
    if (!any) fail(ErrorKind::bad_argument, nothing_matches(o));
    save_tune_cache(TuneSave::last);
    const bool good = print_end(report);
    return finish(o, all, all["results"], good);
  }

  /// A process for each target, tuning and number of threads.
  int run_each(const Options &o, Words words)
  {
    const TemporaryFolder folder;
    const std::string file = folder.in("result.json");
    words.insert(words.end(), {"--json", file});
    nlohmann::json all {{"runs", nlohmann::json::array()}}, rows = nlohmann::json::array();
    bool good = true;
    const auto one_of = [](const auto &list) { return list.empty() ? std::decay_t<decltype(list)>(1) : list; };
    for (const std::string &target : one_of(o.targets))
      for (const std::string &tuning : one_of(o.tunings))
        for (const int threads : one_of(o.threads)) {
          if (interrupted()) break;
          Words these = words;
          if (!target.empty()) these.insert(these.end(), {"--target", target});
          if (!tuning.empty()) these.insert(these.end(), {"--tunings", tuning});
          if (threads > 0) these.insert(these.end(), {"--threads", std::to_string(threads)});
          std::printf("target %s, tuning %s, threads %d:\n", target.c_str(), tuning.c_str(), threads);
          std::fflush(stdout);
          std::remove(file.c_str());
          good = run_along("/proc/self/exe", these) == 0 && good;
          std::ifstream in(file);
          const nlohmann::json run = nlohmann::json::parse(in, nullptr, false);
          if (!run.is_object()) continue;
          rows.insert(rows.end(), run["results"].begin(), run["results"].end());
          all["runs"].push_back(run);
        }
    return finish(o, all, rows, good);
  }

  /// What stands on the command line but for the options that run_each() gives each process.
  Words other_words(int argc, char **argv)
  {
    Words words;
    bool ours = false;
    for (int i = 1; i < argc; i++) {
      const std::string word = argv[i];
      if (word.rfind("--", 0) == 0) {
        const std::string name = word.substr(0, word.find('='));
        ours = false;
        for (const char *own : {"--target", "--tunings", "--threads", "--json", "--csv"}) ours = ours || name == own;
      }
      if (!ours) words.push_back(word);
    }
    return words;
  }

} // namespace

std::vector<std::string> words_of(const Options &o)
{
  Words words {"--dim"};
  for (const int x : o.dims) words.push_back(std::to_string(x));
  if (!o.threads.empty()) words.insert(words.end(), {"--threads", std::to_string(o.threads[0])});
  if (!o.targets.empty()) words.insert(words.end(), {"--target", o.targets[0]});
  if (!o.tunings.empty()) words.insert(words.end(), {"--tunings", o.tunings[0]});
  if (!o.load_gauge.empty()) words.insert(words.end(), {"--load-gauge", o.load_gauge});
  if (o.kappa > 0) words.insert(words.end(), {"--kappa", text("%.17g", o.kappa)});
  return words;
}

void set_tuning(const std::string &tuning)
{
  setenv("QUDA_ENABLE_TUNING", tuning == "untuned" ? "0" : "1", 1);
  setenv("QUDA_TUNE_SHARE", "0", 1);
  setenv("QUDA_ENABLE_USER_CACHE", "0", 0);
  if (tuning == "tuned" || tuning == "untuned")
    unsetenv("QUDA_TUNE_FORCE");
  else
    setenv("QUDA_TUNE_FORCE", tuning.c_str(), 1);
}

} // namespace quda::bench

int main(int argc, char **argv)
{
  program::CommandLine line("Times the kernels of libquda beside the limits of the machine");
  quda::bench::Options options;
  quda::bench::add_options(line, options);
  quda::bench::Ranks ranks;
  int code = 0;
  try {
    if (!line.parse(argc, argv, 0, code)) return code ? 2 : 0;
    quda::bench::complete(options);
    ranks.start(options.grid);
    quda::bench::watch_interrupt();
    if (!options.compare.empty()) return quda::bench::compare(options);
    if (!options.list && quda::bench::several(options))
      return quda::bench::run_each(options, quda::bench::other_words(argc, argv));
    return quda::bench::run(options);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "quda_bench: %s\n", error.what());
    ranks.fail();
    return 2;
  }
}
