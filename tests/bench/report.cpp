#include "bench/report.h"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "targets/target.h"
#include "quda_define.h"

namespace quda::bench
{

namespace
{

  using nlohmann::json;

  /// What lscpu says, line by line; nothing where it is absent.
  json processor_facts()
  {
    json facts = json::object();
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> pipe(popen("LC_ALL=C lscpu 2>/dev/null", "r"), pclose);
    if (!pipe) return facts;
    char line[4096];
    while (std::fgets(line, sizeof line, pipe.get())) {
      const std::string all(line);
      const std::size_t colon = all.find(':');
      if (colon == std::string::npos || all.rfind("Vulnerability", 0) == 0) continue;
      const std::size_t from = all.find_first_not_of(" \t", colon + 1), to = all.find_last_not_of(" \t\n");
      const std::size_t key = all.find_first_not_of(" \t");
      if (from != std::string::npos && from <= to)
        facts[all.substr(key, colon - key)] = all.substr(from, to - from + 1);
    }
    return facts;
  }

  std::string date()
  {
    char s[32];
    const std::time_t t = std::time(nullptr);
    std::strftime(s, sizeof s, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&t));
    return s;
  }

  json machine(const Report &report)
  {
    return {{"lscpu", processor_facts()},
            {"device", target().description()},
            {"date", date()},
            {"version", QUDA_VERSION_STRING},
            {"target", target_name(target().kind())},
            {"threads", target().max_threads()},
            {"last_cache", report.machine.caches().last},
            {"near_caches", report.machine.caches().near}};
  }

  json medians(const LimitSamples &samples, const char *best)
  {
    json all = json::object();
    for (int l = 0; l < n_limits; l++)
      if (!samples[l].empty()) all[limit_name(static_cast<Limit>(l))] = samples[l].median();
    if (const double bandwidth = best_bandwidth(samples); bandwidth > 0) all[best] = bandwidth;
    return all;
  }

  json cache_limits(const Report &report)
  {
    json all = json::array();
    for (const auto &[set, samples] : report.machine.cache_samples()) {
      all.push_back(medians(samples, "cache"));
      all.back()["working_set"] = set;
    }
    return all;
  }

  json latency(const Report &report)
  {
    json all = json::object();
    const auto add = [&](const char *name, const Samples &s) {
      if (!s.empty()) all[name] = {{"median", s.median()}, {"least", s.quantile(0)}, {"most", s.quantile(1)}};
    };
    add("memory", report.latencies.memory());
    add("hand_over", report.latencies.hand_over());
    return all;
  }

  void print_latency(const char *name, const Samples &s)
  {
    if (!s.empty()) std::printf(" %s %.0f (%.0f to %.0f)", name, s.median(), s.quantile(0), s.quantile(1));
  }

  const char *bound_name(Bound bound)
  {
    return bound == Bound::memory ? "memory" : bound == Bound::cache ? "cache" : "fma";
  }
  const char *roof_name(Roof roof) { return roof == Roof::memory ? "memory" : roof == Roof::last ? "last" : "near"; }

  void print_limits(const LimitSamples &samples)
  {
    for (int l = 0; l < n_limits; l++)
      if (!samples[l].empty()) std::printf(" %s %.2f", limit_name(static_cast<Limit>(l)), samples[l].median());
    std::printf(" (GB/s, GFLOP/s)\n");
  }

  json row(const Result &r, const Report &report)
  {
    json all = {{"kernel", r.what.entry->name},
                {"variant", variant_name(r.what.entry->variant)},
                {"prec", precision_name(r.what.setting.precision)},
                {"recon", static_cast<int>(r.what.setting.reconstruct)},
                {"dims", report.dims},
                {"nrhs", r.what.setting.nrhs},
                {"threads", target().max_threads()},
                {"seconds", r.seconds},
                {"spread", r.spread},
                {"samples", r.samples},
                {"gflops", r.gflops},
                {"uncounted_gflops", r.uncounted_gflops},
                {"gbytes_per_s", r.gbytes_per_s},
                {"working_set", r.working_set},
                {"roof", roof_name(r.roof)},
                {"bound", bound_name(r.bound)},
                {"limit", r.limit},
                {"fraction", r.fraction},
                {"shape", shape_name(r.shape)},
                {"shape_fraction", r.shape_fraction},
                {"checksum_ok", r.checksum_ok}};
    if (r.iterations) {
      all["iterations"] = r.iterations->number;
      all["iteration_seconds"] = r.step_seconds();
      all["iteration_over_operator"] = r.step_over_operator();
    }
    return all;
  }

} // namespace

void print_heading(const Report &report)
{
  std::printf("%d x %d x %d x %d, %s (%s), %d thread%s, caches %.1f MB, last %.1f MB\n", report.dims[0], report.dims[1],
              report.dims[2], report.dims[3], target_name(target().kind()), target().description().c_str(),
              target().max_threads(), target().max_threads() == 1 ? "" : "s",
              static_cast<double>(report.machine.caches().near) * 0x1p-20,
              static_cast<double>(report.machine.caches().last) * 0x1p-20);
  std::printf("%-38s %12s %7s %9s %9s  %-6s %9s %9s  %-13s %s\n", "kernel/variant/prec/recon/nrhs", "us", "spread",
              "GFLOP/s", "GB/s", "bound", "limit", "fraction", "of its shape", "checked");
  std::fflush(stdout);
}

void print_result(const Result &r)
{
  const std::string shape =
      r.shape_fraction > 0 ? text("%-6s %6.3f", shape_name(r.shape), r.shape_fraction) : std::string("-");
  std::printf("%-38s %12.2f %6.1f%% %9.2f %9.2f  %-6s %9.2f %9.3f  %-13s %s%s\n", case_name(r.what).c_str(),
              1e6 * r.seconds, 100 * r.spread, r.gflops, r.gbytes_per_s, bound_name(r.bound), r.limit, r.fraction,
              shape.c_str(), r.checksum_ok ? "ok" : "WRONG", r.beyond_memory() ? ", FASTER THAN MEMORY" : "");
  std::fflush(stdout);
}

bool print_end(const Report &report)
{
  std::printf("limits:");
  print_limits(report.machine.samples());
  for (const auto &[set, samples] : report.machine.cache_samples()) {
    std::printf("limits of %.1f MB:", static_cast<double>(set) * 0x1p-20);
    print_limits(samples);
  }
  if (!report.latencies.memory().empty()) {
    std::printf("latency:");
    print_latency("memory", report.latencies.memory());
    print_latency("from thread to thread", report.latencies.hand_over());
    std::printf(" (ns)\n");
  }
  for (const Result &r : report.results)
    if (r.uncounted_gflops > 0)
      std::printf("%s: %.2f GFLOP/s more in exponentials, not counted\n", case_name(r.what).c_str(),
                  r.uncounted_gflops);
  for (const Result &r : report.results)
    if (r.iterations)
      std::printf("%s: %d iterations, %.3f ms each, %.3f of %d times the operator's %.3f ms\n",
                  case_name(r.what).c_str(), r.iterations->number, 1e3 * r.step_seconds(), r.step_over_operator(),
                  r.iterations->products, 1e3 * r.iterations->product_seconds);
  bool good = true;
  for (const Result &r : report.results) {
    if (!r.checksum_ok) std::printf("error: %s differs from the plain reference\n", case_name(r.what).c_str());
    if (r.beyond_memory())
      std::printf(
          "error: %s reaches %.3f of the memory's bandwidth; its traffic is miscounted, or the limit was disturbed\n",
          case_name(r.what).c_str(), r.bandwidth_fraction);
    good = good && r.checksum_ok && !r.beyond_memory();
  }
  return good;
}

void write_json(const Report &report, const std::string &path)
{
  json all = {{"machine", machine(report)},
              {"limits", medians(report.machine.samples(), "memory")},
              {"cache_limits", cache_limits(report)},
              {"latency", latency(report)},
              {"results", json::array()}};
  for (const Result &r : report.results) all["results"].push_back(row(r, report));
  std::ofstream file(path);
  file << all.dump(2) << "\n";
  file.close();
  if (!file) fail(ErrorKind::file, text("--json: cannot write \"%s\"", path.c_str()));
}

} // namespace quda::bench
