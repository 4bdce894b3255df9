#include "bench/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "bench/host_data.h"
#include "bench/ranks.h"
#include "bench/samples.h"
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
            {"gridsize", ranks().grid().extent},
            {"tuning", report.tuning},
            {"last_cache", report.machine.caches().last},
            {"near_caches", report.machine.caches().near}};
  }

  /// Short enough for files that are kept.
  double rounded(double x) { return std::strtod(text("%.4g", x).c_str(), nullptr); }

  json medians(const LimitSamples &samples, const char *best)
  {
    json all = json::object();
    for (int l = 0; l < n_limits; l++)
      if (!samples[l].empty()) all[limit_name(static_cast<Limit>(l))] = rounded(samples[l].median());
    if (const double bandwidth = best_bandwidth(samples); bandwidth > 0) all[best] = rounded(bandwidth);
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

  const char *full_name(Variant variant)
  {
    return variant == Variant::reference ? "reference" : target_name(target().kind());
  }

  json declared(const Case &what, const std::array<int, 4> &dims, const Work &work)
  {
    return {{"case", case_name(what)},
            {"kernel", what.entry->name},
            {"variant", full_name(what.variant)},
            {"prec", precision_name(what.setting.precision)},
            {"recon", static_cast<int>(what.setting.reconstruct)},
            {"dims", dims},
            {"nrhs", what.setting.nrhs},
            {"features", what.entry->features},
            {"tables", what.entry->tables},
            {"flops", work.flops},
            {"uncounted_flops", work.uncounted_flops},
            {"read", work.read},
            {"written", work.written},
            {"touched", work.memory()},
            {"working_set", work.set()}};
  }

  json row(const Result &r, const Report &report)
  {
    json all = declared(r.what, r.dims, r.work);
    json passes = json::array();
    const auto list_of_rounded = [](const std::vector<double> &values) {
      json list = json::array();
      for (const double v : values) list.push_back(rounded(v));
      return list;
    };
    for (const Pass &pass : r.passes)
      passes.push_back({{"seconds", list_of_rounded(pass.seconds)},
                        {"share", list_of_rounded(pass.share)},
                        {"bandwidth", rounded(pass.bandwidth)},
                        {"fma", rounded(pass.fma)}});
    all.update(
        {{"threads", target().max_threads()},
         {"ranks", ranks().size()},
         {"tuning", report.tuning},
         {"seconds", r.seconds},
         {"spread", rounded(r.spread)},
         {"samples", r.samples},
         {"passes", passes},
         {"gflops", rounded(r.gflops)},
         {"uncounted_gflops", rounded(r.uncounted_gflops)},
         {"gbytes_per_s", rounded(r.gbytes_per_s)},
         {"roof", roof_name(r.roof)},
         {"bound", bound_name(r.bound)},
         {"limit", rounded(r.limit)},
         {"fraction", rounded(r.fraction)},
         {"shape", shape_name(r.work.shape)},
         {"shape_fraction", rounded(r.shape_fraction)},
         {"checksum", {{"value", r.checksum.value()}, {"size", r.checksum.size()}, {"count", r.checksum.count()}}},
         {"tolerance", r.what.entry->loose * checksum_tolerance(r.what.setting.precision)},
         {"checksum_ok", r.checksum_ok}});
    if (r.iterations) {
      all["iterations"] = r.iterations->number;
      all["iteration_seconds"] = r.step_seconds();
      all["iteration_over_operator"] = r.step_over_operator();
    }
    return all;
  }

  std::string magnitude(double x)
  {
    int unit = 0;
    for (; x >= 1000 && unit < 4; unit++) x /= 1000;
    return text("%.3g%s", x, unit == 0 ? "" : text(" %c", " kMGT"[unit]).c_str());
  }

} // namespace

void print_heading(const Report &report, const std::array<int, 4> &dims)
{
  const auto &P = ranks().grid().extent;
  if (ranks().size() > 1) std::printf("%d x %d x %d x %d ranks, each ", P[0], P[1], P[2], P[3]);
  std::printf("%d x %d x %d x %d, %s (%s), %d thread%s, caches %.1f MB, last %.1f MB\n", dims[0], dims[1], dims[2],
              dims[3], target_name(target().kind()), target().description().c_str(), target().max_threads(),
              target().max_threads() == 1 ? "" : "s", static_cast<double>(report.machine.caches().near) * 0x1p-20,
              static_cast<double>(report.machine.caches().last) * 0x1p-20);
  std::printf("%-38s %12s %7s %9s %9s  %-6s %9s %9s  %-13s %s\n", "kernel/variant/prec/recon/nrhs", "us", "spread",
              "GFLOP/s", "GB/s", "bound", "limit", "fraction", "of its shape", "checked");
  std::fflush(stdout);
}

void print_result(const Result &r)
{
  const std::string shape =
      r.shape_fraction > 0 ? text("%-6s %6.3f", shape_name(r.work.shape), r.shape_fraction) : std::string("-");
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

void print_list(const std::vector<Case> &cases)
{
  std::printf("%-44s %15s %9s %9s %9s %9s %9s  %s\n", "case", "dims", "flops", "read B", "written B", "touched B",
              "set B", "features");
  for (const Case &one : cases) {
    const Work work = one.entry->work(one.setting);
    const auto &X = one.setting.host->lattice().X;
    std::printf("%-44s %15s %9s %9s %9s %9s %9s  %s\n", case_name(one).c_str(),
                text("%d %d %d %d", X[0], X[1], X[2], X[3]).c_str(), magnitude(work.flops).c_str(),
                magnitude(work.read).c_str(), magnitude(work.written).c_str(), magnitude(work.memory()).c_str(),
                magnitude(work.set()).c_str(), one.entry->features.c_str());
  }
}

nlohmann::json list_of(const std::vector<Case> &cases)
{
  json all = json::array();
  for (const Case &one : cases)
    all.push_back(declared(one, one.setting.host->lattice().X, one.entry->work(one.setting)));
  return all;
}

nlohmann::json json_of(const Report &report)
{
  json all = {{"machine", machine(report)},
              {"limits", medians(report.machine.samples(), "memory")},
              {"cache_limits", cache_limits(report)},
              {"latency", latency(report)},
              {"results", json::array()}};
  for (const Result &r : report.results) all["results"].push_back(row(r, report));
  return all;
}

bool checksums_agree(const nlohmann::json &rows)
{
  bool good = true;
  std::map<std::string, const json *> first; // by kernel and lattice; the plain version's, or a double one's
  const auto key = [](const json &r) { return r["kernel"].get<std::string>() + r["dims"].dump(); };
  const auto rank = [](const json &r) { return r["variant"] == "reference" ? 0 : r["prec"] == "double" ? 1 : 2; };
  for (const json &r : rows) {
    const json *&known = first[key(r)];
    if (!known || rank(r) < rank(*known)) known = &r;
  }
  const auto number = [](const json &x) { return x.is_number() ? x.get<double>() : NAN; }; // files have null for NaN
  const auto word = [](const json &r, const char *name) { return r[name].get<std::string>(); };
  for (const json &r : rows) {
    const json &base = *first[key(r)], &a = r["checksum"], &b = base["checksum"];
    const double found = number(a["value"]), right = number(b["value"]);
    const double allowed = r["tolerance"].get<double>() * std::max(number(a["size"]), number(b["size"]));
    if (a["count"] == b["count"] && std::abs(found - right) <= allowed) continue;
    std::printf("error: checksum of %s (%s) is %.17g, that of %s (%s) %.17g\n", word(r, "case").c_str(),
                word(r, "variant").c_str(), found, word(base, "case").c_str(), word(base, "variant").c_str(), right);
    good = false;
  }
  return good;
}

namespace
{

  void write_text(const char *option, const std::string &content, const std::string &path)
  {
    std::ofstream file(path);
    file << content;
    file.close();
    if (!file) fail(ErrorKind::file, text("%s: cannot write \"%s\"", option, path.c_str()));
  }

  /// Lists of objects an element a line, what is in them without spaces.
  std::string by_lines(const json &all)
  {
    if (!all.is_object() && !all.is_array()) return all.dump();
    std::ostringstream content;
    content << (all.is_object() ? '{' : '[');
    bool first = true;
    for (const auto &[key, value] : all.items()) {
      content << (first ? "\n" : ",\n");
      first = false;
      if (all.is_object()) content << json(key).dump() << ": ";
      const bool list = value.is_array() && !value.empty() && value[0].is_object();
      content << ((all.is_object() && list) || value.contains("results") ? by_lines(value) : value.dump());
    }
    content << (all.is_object() ? "\n}" : "\n]");
    return content.str();
  }

} // namespace

void write_json(const nlohmann::json &all, const std::string &path)
{
  write_text("--json", by_lines(all) + '\n', path);
}

void write_csv(const nlohmann::json &rows, const std::string &path)
{
  const auto flat = [](const json &value) { return value.is_number() || value.is_string() || value.is_boolean(); };
  std::vector<std::string> keys;
  for (const json &r : rows)
    for (const auto &[key, value] : r.items())
      if ((flat(value) || key == "dims") && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  std::ostringstream content;
  const auto separator = [&](const std::string &key) { return key == keys.front() ? "" : ","; };
  for (const std::string &key : keys) content << separator(key) << key;
  for (const json &r : rows) {
    content << '\n';
    for (const std::string &key : keys) {
      content << separator(key);
      if (!r.contains(key)) continue;
      const json &value = r[key];
      if (!value.is_array()) content << value.dump();
      for (std::size_t d = 0; value.is_array() && d < value.size(); d++) content << (d ? "x" : "") << value[d].dump();
    }
  }
  content << '\n';
  write_text("--csv", content.str(), path);
}

void print_progress(const std::string &line, bool in_files)
{
  constexpr double patience = 300; // seconds between lines in a file
  static double last = now();
  if (ranks().rank() != 0) return;
  if (isatty(STDERR_FILENO)) {
    std::fprintf(stderr, "\r%-70.70s%s", line.c_str(), line.empty() ? "\r" : "");
  } else if (in_files && !line.empty() && now() - last > patience) {
    std::fprintf(stderr, "%s\n", line.c_str());
    last = now();
  }
  std::fflush(stderr);
}

} // namespace quda::bench
