// Fat and long links of improved staggered fermions, asqtad's or HISQ's with its two levels: time, and comparison with
// the plain reference.

#include <chrono>
#include <cmath>

#include "programs/common/host_gauge.h"
#include "reference/gauge/staggered_phase.h"
#include "reference/links/fat_links.h"

namespace
{

using namespace program;
using reference::GaugeField;
using reference::PathWeights;

struct FatOptions {
  bool hisq = false;
  double tadpole = 1;
  double epsilon_naik = 0;
};

/// Weights with their tadpole factors, for links with phases.
PathWeights tadpole_improved(PathWeights c, double u)
{
  const double factor[6] = {1, u * u, u * u, std::pow(u, 4), std::pow(u, 6), std::pow(u, 4)};
  for (int i = 0; i < 6; i++) c[i] /= factor[i];
  return reference::phased(c);
}

/// Links of one process.
struct HostLinks {
  explicit HostLinks(reference::QdpLinks<double> numbers)
      : numbers(std::move(numbers))
  {
  }
  void **pointer()
  {
    for (int mu = 0; mu < 4; mu++) pointers[mu] = numbers[mu].data();
    return pointers;
  }
  void add(double factor, const HostLinks &other)
  {
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t i = 0; i < numbers[mu].size(); i++) numbers[mu][i] += factor * other.numbers[mu][i];
  }

  reference::QdpLinks<double> numbers;
  void *pointers[4];
};

void add(GaugeField &to, double factor, const GaugeField &from)
{
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < to.lattice.volume(); slot++) to.U[mu][slot] += factor * from.U[mu][slot];
}

bool report(const Process &process, const HostGauge &gauge, const char *what, const HostLinks &found,
            const GaugeField &right, double allowed)
{
  const HostLinks wanted(reference::to_qdp<double>(right, gauge.part()));
  double largest = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < wanted.numbers[mu].size(); i++) {
      const double here = std::abs(found.numbers[mu][i] - wanted.numbers[mu][i]);
      if (!(here <= largest)) largest = here;
    }
  largest = process.max(largest);
  const bool good = largest <= allowed;
  say(process, "%s: %s, deviation from the plain reference %.2e, allowed %.0e\n", good ? "PASSED" : "FAILED", what,
      largest, allowed);
  return good;
}

int fatten(const Process &process, Options &options, const FatOptions &fat_options)
{
  options.t_boundary = QUDA_ANTI_PERIODIC_T;
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  say(process, "llfat_test: %s links, %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision\n",
      fat_options.hisq ? "HISQ" : "asqtad", X[0], X[1], X[2], X[3], options.grid[0], options.grid[1], options.grid[2],
      options.grid[3], name(options.prec));
  say(process, "links: %s\n", gauge.source());

  // the sign of the boundary is in the links already
  const GaugeField thin = reference::staggered(gauge.reference_field(), reference::StaggeredPhases::milc, 1);
  const double u = fat_options.tadpole, epsilon = fat_options.epsilon_naik;
  PathWeights first = tadpole_improved(reference::fat7_weights, u);
  PathWeights second =
      fat_options.hisq ? reference::phased(reference::hisq_weights) : tadpole_improved(reference::asqtad_weights, u);
  PathWeights more = reference::naik_weights;
  HostLinks in(reference::to_qdp<double>(thin, gauge.part())), unitary = in, fat = in, straight = in, fat_more = in,
                                                               straight_more = in;

  start_library(options);
  QudaGaugeParam param = gauge.param();
  param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
  param.staggered_phase_applied = 1;
  const auto compute = [&] {
    if (fat_options.hisq) computeKSLinkQuda(nullptr, nullptr, unitary.pointer(), in.pointer(), first.data(), &param);
    computeKSLinkQuda(fat.pointer(), straight.pointer(), nullptr, unitary.pointer(), second.data(), &param);
    if (epsilon == 0) return;
    computeKSLinkQuda(fat_more.pointer(), straight_more.pointer(), nullptr, unitary.pointer(), more.data(), &param);
    fat.add(epsilon, fat_more);
    straight.add(epsilon, straight_more);
  };
  compute(); // tunes
  process.barrier();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < options.niter; i++) compute();
  process.barrier();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  endQuda();
  say(process, "time of all links, transfers of host fields included (mean of %d): %.4g s\n", options.niter,
      process.max(elapsed.count()) / options.niter);
  if (!options.verify) return 0;

  const double allowed = options.prec == QUDA_DOUBLE_PRECISION ? 1e-12 : 1e-4;
  const GaugeField w = fat_options.hisq ? reference::unitary_links(reference::fat_links(thin, first)) : thin;
  GaugeField right_fat = reference::fat_links(w, second), right_straight = reference::long_links(w, second);
  if (epsilon != 0) {
    add(right_fat, epsilon, reference::fat_links(w, more));
    add(right_straight, epsilon, reference::long_links(w, more));
  }
  bool good = report(process, gauge, "fat links", fat, right_fat, allowed);
  good = report(process, gauge, "long links", straight, right_straight, allowed) && good;
  if (fat_options.hisq) good = report(process, gauge, "unitarised links", unitary, w, allowed) && good;
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Fat and long links of improved staggered fermions");
    Options options;
    FatOptions fat;
    add_common_options(line, options);
    line.add_choice("--links", fat.hisq, Names<bool> {{"asqtad", false}, {"hisq", true}},
                    "Which links: asqtad, or hisq with its two levels");
    line.add("--tadpole-coeff", fat.tadpole, "Mean link that weights are divided by", positive);
    line.add("--epsilon-naik", fat.epsilon_naik, "Naik mass correction of the one-link and three-link terms");
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? fatten(process, options, fat) : code;
  });
}
