// Pure gauge fields by heat bath and over-relaxation: the history of the plaquette, its mean, and whether the links
// stay in SU(3) and their plaquette is the plain reference's.

#include <algorithm>
#include <chrono>
#include <cmath>

#include <Eigen/LU>

#include <quda_ext.h>

#include "programs/common/gauge_action.h"
#include "programs/common/host_gauge.h"
#include "reference/gauge/links.h"
#include "reference/gauge/plaquette.h"

namespace
{

using namespace program;

struct HeatbathOptions {
  GaugeAction action {6.2};
  int steps = 10;
  int warmup = 10;
  int heatbath = 5;
  int relax = 5;
  unsigned first = 0;
  bool cold = false;
};

void add_heatbath_options(CommandLine &line, HeatbathOptions &o)
{
  add_action_options(line, "--heatbath-beta", o.action);
  line.add("--heatbath-num-steps", o.steps, "Measured steps", not_negative);
  line.add("--heatbath-warmup-steps", o.warmup, "Steps before them", not_negative);
  line.add("--heatbath-num-hb-per-step", o.heatbath, "Heat-bath updates of every link in a step", not_negative);
  line.add("--heatbath-num-or-per-step", o.relax, "Over-relaxations after them", not_negative);
  line.add("--heatbath-first-step", o.first, "Number of the first step, to go on with a run", not_negative);
  line.add("--heatbath-coldstart", o.cold, "Begin with unit links in place of random ones (true or false)");
}

/// |U U^dag - 1| and |det U - 1|, the largest; signs of an antiperiodic boundary aside.
double distance_from_su3(const reference::GaugeField &gauge)
{
  double worst = 0;
  for (const auto &direction : gauge.U)
    for (const reference::Link &u : direction) {
      const double unitary = (u * u.adjoint() - reference::Link::Identity()).cwiseAbs().maxCoeff();
      const reference::Complex det = u.determinant();
      const double here = std::max(unitary, std::min(std::abs(det - 1.0), std::abs(det + 1.0)));
      if (!(here <= worst)) worst = here;
    }
  return worst;
}

int verify(const Process &process, const Options &options, const HostGauge &gauge, double plaquette)
{
  const reference::GaugeField links = reference::from_qdp(gauge.part().local, gauge.resident());
  const bool is_double = options.prec == QUDA_DOUBLE_PRECISION;
  const double unitarity = process.max(distance_from_su3(links)), allowed = is_double ? 1e-14 : 2e-6;
  bool good = unitarity <= allowed;
  say(process, "%s: largest distance of a link from SU(3) %.1e, allowed %.0e\n", good ? "PASSED" : "FAILED", unitarity,
      allowed);
  if (process.size() > 1) return good ? 0 : 1;
  const double right = reference::plaquette(links)[0], deviation = std::abs(plaquette - right);
  const bool same = deviation <= (is_double ? 1e-13 : 1e-6);
  say(process, "%s: plaquette %.16g, by the plain reference %.16g\n", same ? "PASSED" : "FAILED", plaquette, right);
  return good && same ? 0 : 1;
}

int generate(const Process &process, Options &options, const HeatbathOptions &heatbath)
{
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  start_library(options, Tuned::as_it_pays);
  gauge.load();

  QudaHeatbathParam param = newQudaHeatbathParam();
  param.beta = heatbath.action.beta;
  param.rectangle = heatbath.action.rectangle;
  param.anisotropy = heatbath.action.anisotropy;
  param.n_heatbath = heatbath.heatbath;
  param.n_overrelax = heatbath.relax;
  param.seed = options.seed;
  param.first_sweep = heatbath.first;
  if (options.load_gauge.empty()) param.start = heatbath.cold ? QUDA_HEATBATH_START_COLD : QUDA_HEATBATH_START_HOT;
  say(process, "heatbath_test: %d x %d x %d x %d sites, %s precision, beta %g, c_1 = %g, anisotropy %g, seed %lu, ",
      X[0], X[1], X[2], X[3], name(options.prec), heatbath.action.beta, heatbath.action.rectangle,
      heatbath.action.anisotropy, options.seed);
  say(process, "%d heat baths and %d over-relaxations a step, from %s\n", heatbath.heatbath, heatbath.relax,
      !options.load_gauge.empty() ? gauge.source()
      : heatbath.cold             ? "unit links"
                                  : "random links");

  double plaq[3] = {0, 0, 0}, sum = 0;
  param.n_sweeps = 0; // the start alone
  heatbathQuda(&param);
  plaqQuda(plaq);
  say(process, "%8s  %-18s  %-18s  %-18s\n", "step", "plaquette", "spatial", "temporal");
  say(process, "%8s  %.16f  %.16f  %.16f\n", "start", plaq[0], plaq[1], plaq[2]);
  param.start = QUDA_HEATBATH_START_RESIDENT;
  param.n_sweeps = 1;
  const auto begin = std::chrono::steady_clock::now();
  for (int step = 0; step < heatbath.warmup + heatbath.steps; step++, param.first_sweep++) {
    heatbathQuda(&param);
    plaqQuda(plaq);
    const bool measured = step >= heatbath.warmup;
    if (measured) sum += plaq[0];
    say(process, "%8u  %.16f  %.16f  %.16f%s\n", param.first_sweep, plaq[0], plaq[1], plaq[2],
        measured ? "" : "  warm-up");
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const int all = heatbath.warmup + heatbath.steps;
  if (heatbath.steps > 0) say(process, "mean plaquette of %d steps: %.10f\n", heatbath.steps, sum / heatbath.steps);
  if (all > 0) say(process, "time of a step: %.3g s, tuning and plaquette included\n", elapsed.count() / all);
  const int code = options.verify ? verify(process, options, gauge, plaq[0]) : 0;
  gauge.save(process);
  freeGaugeQuda();
  endQuda();
  return code;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Pure gauge fields by heat bath and over-relaxation");
    Options options;
    HeatbathOptions heatbath;
    add_common_options(line, options);
    add_save_options(line, options);
    add_heatbath_options(line, heatbath);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? generate(process, options, heatbath) : code;
  });
}
