#include "ptx/costs.h"

#include "ptx/launch.h"
#include "ptx/registers.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include <unistd.h>

namespace ptx
{

namespace
{

  /// An H100 SXM as its vendor describes it.
  namespace h100
  {
    constexpr double multiprocessors = 132, clock = 1.755e9; // Hz
    constexpr double memory = 3.35e12;                       // bytes a second
    // warp instructions that a multiprocessor takes in a cycle
    constexpr double issued = 4, of_double = 2, of_single = 4, of_integers = 2, of_access = 1;
    constexpr double shared_passes = 1;
  } // namespace h100

  struct Costs {
    double warps = 0, lanes = 0; // instructions
    double of_double = 0, of_single = 0, of_integers = 0, branches = 0, barriers = 0;
    double requests = 0, sectors = 0; // of device memory
    double shared_requests = 0, passes = 0;
    double local_requests = 0;
  };

  bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

  Costs costs_of(const Program &p)
  {
    Costs all;
    for (std::size_t n = 0; n < p.code.size(); n++) {
      const Count &c = p.counts[n];
      if (c.warps == 0) continue;
      const std::string &text = p.origins[p.code[n].statement].text;
      const std::string opcode = text.substr(0, text.find(' '));
      const auto times = static_cast<double>(c.warps);
      all.warps += times;
      all.lanes += static_cast<double>(c.lanes);
      const bool access = opcode.rfind("ld.", 0) == 0 || opcode.rfind("st.", 0) == 0 || opcode.rfind("atom", 0) == 0 ||
                          opcode.rfind("red.", 0) == 0;
      if (access && has(opcode, ".global")) {
        all.requests += times;
        all.sectors += static_cast<double>(c.sectors);
      } else if (access && has(opcode, ".shared")) {
        all.shared_requests += times;
        all.passes += static_cast<double>(c.sectors);
      } else if (access && has(opcode, ".local")) {
        all.local_requests += times;
      } else if (opcode.rfind("bra", 0) == 0) {
        all.branches += times;
      } else if (opcode.rfind("bar", 0) == 0) {
        all.barriers += times;
      } else if (has(opcode, "f64")) {
        all.of_double += times;
      } else if (has(opcode, "f32")) {
        all.of_single += times;
      } else if (!access) { // parameters come from constant memory
        all.of_integers += times;
      }
    }
    return all;
  }

  struct Estimate {
    double seconds;
    const char *limit;
  };

  /// The slowest of what works side by side; memory as if nothing were found in a cache.
  Estimate estimate(const Costs &c)
  {
    const double cycle = 1 / (h100::multiprocessors * h100::clock);
    const Estimate all[] = {{32 * c.sectors / h100::memory, "memory, uncached"},
                            {c.warps / h100::issued * cycle, "instructions"},
                            {c.of_double / h100::of_double * cycle, "double precision"},
                            {c.of_single / h100::of_single * cycle, "single precision"},
                            {c.of_integers / h100::of_integers * cycle, "integers"},
                            {(c.requests + c.local_requests) / h100::of_access * cycle, "requests"},
                            {c.passes / h100::shared_passes * cycle, "shared memory"}};
    return *std::max_element(std::begin(all), std::end(all),
                             [](const Estimate &a, const Estimate &b) { return a.seconds < b.seconds; });
  }

} // namespace

void print_totals()
{
  std::uint64_t warps = 0, lanes = 0, launches = 0;
  double seconds = 0;
  const std::vector<const Program *> all = programs_run();
  for (const Program *p : all) {
    warps += p->warp_instructions;
    lanes += p->lane_instructions;
    launches += p->launches;
    seconds += p->seconds;
  }
  std::fprintf(stderr,
               "ptx: %zu kernels, %llu launches, %.3g warp and %.3g lane instructions, %.3f s, %.0f million lanes a "
               "second\n",
               all.size(), static_cast<unsigned long long>(launches), static_cast<double>(warps),
               static_cast<double>(lanes), seconds, seconds > 0 ? static_cast<double>(lanes) / seconds / 1e6 : 0.);
}

void write_costs(const char *file)
{
  std::FILE *const out = std::fopen(file, "w");
  if (!out) {
    std::fprintf(stderr, "ptx: PTX_COSTS = %s cannot be written\n", file);
    return;
  }
  std::vector<std::pair<double, const Program *>> order;
  for (const Program *p : programs_run())
    if (!p->counts.empty()) order.emplace_back(-estimate(costs_of(*p)).seconds, p);
  std::sort(order.begin(), order.end());
  std::fprintf(
      out, "# Estimated for an H100 SXM from counts of an emulator; no GPU has run this. Of one launch, on average.\n"
           "# us\tlimit\tlaunches\twarp instructions\tlanes\tdouble\tsingle\tinteger\tbranches\tsectors a "
           "request\tpasses a request\tlocal requests\tregisters\twarps\tkernel\n");
  for (const auto &[seconds, p] : order) {
    const Costs c = costs_of(*p);
    const auto launches = static_cast<double>(p->launches);
    const auto ratio = [](double a, double b) { return b > 0 ? a / b : 0; };
    const int of_thread = registers_of(p->name);
    std::fprintf(out, "%.3f\t%s\t%llu\t%.0f\t%.1f\t%.0f%%\t%.0f%%\t%.0f%%\t%.0f%%\t%.1f\t%.1f\t%.0f\t%d\t%d\t%s\n",
                 -1e6 * seconds / launches, estimate(c).limit, static_cast<unsigned long long>(p->launches),
                 c.warps / launches, ratio(c.lanes, c.warps), 100 * ratio(c.of_double, c.warps),
                 100 * ratio(c.of_single, c.warps), 100 * ratio(c.of_integers, c.warps),
                 100 * ratio(c.branches, c.warps), ratio(c.sectors, c.requests), ratio(c.passes, c.shared_requests),
                 c.local_requests / launches, of_thread, of_thread ? warps_with(of_thread) : 0, p->title.c_str());
  }
  std::fclose(out);
}

void write_kernels(const char *folder, const std::set<std::string> &symbols)
{
  const std::string file = std::string(folder) + "/" + std::to_string(getpid()) + ".tsv";
  std::FILE *const out = std::fopen(file.c_str(), "a"); // numbers of processes come again
  if (!out) {
    std::fprintf(stderr, "ptx: PTX_KERNELS = %s: %s cannot be written\n", folder, file.c_str());
    return;
  }
  struct Sum {
    std::uint64_t launches = 0, lanes = 0;
    double seconds = 0;
  };
  std::map<std::string, Sum> sums; // a kernel may be in several units, and on several devices
  for (const std::string &s : symbols) sums[s];
  for (const Program *p : programs_run()) {
    Sum &sum = sums[p->name];
    sum.launches += p->launches;
    sum.lanes += p->lane_instructions;
    sum.seconds += p->seconds;
  }
  for (const auto &[symbol, sum] : sums)
    std::fprintf(out, "%llu\t%llu\t%.6f\t%s\t%s\n", static_cast<unsigned long long>(sum.launches),
                 static_cast<unsigned long long>(sum.lanes), sum.seconds, symbol.c_str(), readable(symbol).c_str());
  std::fclose(out);
}

} // namespace ptx
