// Smearing or gradient flow of a configuration step by step: plaquette, energy and topological charge, compared with
// the plain reference; of a flow the scales t0 and w0.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <quda_ext.h>

#include "programs/common/flow_scales.h"
#include "programs/common/host_gauge.h"
#include "reference/gauge/field_strength.h"
#include "reference/gauge/plaquette.h"
#include "reference/gauge/polyakov.h"
#include "reference/smear/flow.h"
#include "reference/smear/projected.h"
#include "reference/smear/stout.h"

namespace
{

using namespace program;

struct Su3Options {
  QudaGaugeSmearType type = QUDA_GAUGE_SMEAR_STOUT; // or zeuthen
  unsigned steps = 10;
  unsigned interval = 1;
  double alpha = 0.6;
  double rho = 0.1;
  double epsilon = NAN; // the kind's own
  std::array<double, 3> hyp = {0.75, 0.6, 0.3};
  double anisotropy = 1;
  unsigned order = 3;
  int dir_ignore = -1;
  double tolerance = 0;

  static constexpr auto zeuthen = static_cast<QudaGaugeSmearType>(QUDA_GAUGE_SMEAR_SYMANZIK_FLOW + 1000);
  bool flows() const
  {
    return type == QUDA_GAUGE_SMEAR_WILSON_FLOW || type == QUDA_GAUGE_SMEAR_SYMANZIK_FLOW || type == zeuthen;
  }
  /// Whether it is gradientFlowQuda's.
  bool ours() const { return type == zeuthen || (flows() && tolerance > 0); }
  double step() const { return std::isnan(epsilon) ? flows() ? 0.05 : -0.25 : epsilon; }
};

void add_su3_options(CommandLine &line, Su3Options &o)
{
  const Names<QudaGaugeSmearType> types = {{"ape", QUDA_GAUGE_SMEAR_APE},
                                           {"stout", QUDA_GAUGE_SMEAR_STOUT},
                                           {"ovrimp-stout", QUDA_GAUGE_SMEAR_OVRIMP_STOUT},
                                           {"hyp", QUDA_GAUGE_SMEAR_HYP},
                                           {"wilson", QUDA_GAUGE_SMEAR_WILSON_FLOW},
                                           {"symanzik", QUDA_GAUGE_SMEAR_SYMANZIK_FLOW},
                                           {"zeuthen", Su3Options::zeuthen}};
  line.add_choice("--su3-smear-type", o.type, types, "Smearing, or the action of the flow (wilson, symanzik, zeuthen)");
  line.add("--su3-smear-steps", o.steps, "Steps of smearing");
  line.add("--su3-measurement-interval", o.interval, "Steps between two measurements", {1, 1000000});
  line.add("--su3-smear-alpha", o.alpha, "APE: weight of the staples");
  line.add("--su3-smear-rho,--su3-stout-rho", o.rho, "Stout: weight of the staples");
  line.add("--su3-smear-epsilon,--su3-stout-epsilon", o.epsilon,
           "Flow: size of a step; over-improved stout: mixing of staples and rectangles [0.05; -0.25]");
  line.add("--su3-smear-alpha1", o.hyp[0], "HYP: weight of the outermost staples");
  line.add("--su3-smear-alpha2", o.hyp[1], "HYP: weight of the middle staples");
  line.add("--su3-smear-alpha3", o.hyp[2], "HYP: weight of the innermost staples");
  line.add("--su3-smear-anisotropy", o.anisotropy, "APE, flow: its square is a factor of staples along t", positive);
  line.add("--su3-smear-rk-order", o.order, "Order of the flow's steps, 3 or 4", {3, 4});
  line.add("--su3-flow-tolerance", o.tolerance, "Flow: what the error of a step may be; 0: all steps are of one size",
           not_negative);
  line.add("--su3-smear-dir-ignore", o.dir_ignore,
           "Direction left alone; negative: t (APE, stout) or none (over-improved, HYP); 4: none");
}

/// What is measured of one field.
struct Numbers {
  std::array<double, 7> v; // plaquette, Polyakov loop re, im, energies total, spatial, temporal, charge
};

Numbers numbers_of(const QudaGaugeObservableParam &o)
{
  return {{o.plaquette[0], o.ploop[0], o.ploop[1], o.energy[0], o.energy[1], o.energy[2], o.qcharge}};
}

Numbers numbers_of(const reference::GaugeField &gauge)
{
  const reference::Charge charge = reference::charge(gauge);
  const auto loop = reference::polyakov_loop(gauge);
  return {{reference::plaquette(gauge)[0], loop.real(), loop.imag(), charge.spatial_energy + charge.temporal_energy,
           charge.spatial_energy, charge.temporal_energy, charge.charge}};
}

void print_line(const Process &process, unsigned step, const Numbers &n)
{
  say(process, "%4u  %.16f  %+.12e %+.12e  %.12e %.12e %.12e  %+.12e\n", step, n.v[0], n.v[1], n.v[2], n.v[3], n.v[4],
      n.v[5], n.v[6]);
}

QudaGaugeSmearParam smear_param(const Su3Options &su3)
{
  QudaGaugeSmearParam param = newQudaGaugeSmearParam();
  param.smear_type = su3.type;
  param.n_steps = su3.steps;
  param.meas_interval = su3.interval;
  param.alpha = su3.alpha;
  param.rho = su3.rho;
  param.epsilon = su3.step();
  param.alpha1 = su3.hyp[0];
  param.alpha2 = su3.hyp[1];
  param.alpha3 = su3.hyp[2];
  param.smear_anisotropy = su3.flows() || su3.type == QUDA_GAUGE_SMEAR_APE ? su3.anisotropy : 1;
  param.rk_order = su3.order;
  param.dir_ignore = su3.dir_ignore;
  return param;
}

/// By gradientFlowQuda: as far as the steps would, measured as often.
QudaGradientFlowParam flow_param(const Su3Options &su3)
{
  QudaGradientFlowParam param = newQudaGradientFlowParam();
  param.action = su3.type == Su3Options::zeuthen              ? QUDA_FLOW_ZEUTHEN
                 : su3.type == QUDA_GAUGE_SMEAR_SYMANZIK_FLOW ? QUDA_FLOW_SYMANZIK
                                                              : QUDA_FLOW_WILSON;
  param.rk_order = static_cast<int>(su3.order);
  param.n_intervals = static_cast<int>(su3.steps / su3.interval);
  param.interval = su3.interval * su3.step();
  param.epsilon = su3.step();
  param.tolerance = su3.tolerance;
  param.anisotropy = su3.anisotropy;
  return param;
}

reference::Flow flow_of(const Su3Options &su3)
{
  return {su3.type != QUDA_GAUGE_SMEAR_WILSON_FLOW, su3.anisotropy, su3.type == Su3Options::zeuthen};
}

/// One step of the plain reference.
reference::GaugeField stepped(const reference::GaugeField &field, const Su3Options &su3)
{
  const bool from_t = su3.type == QUDA_GAUGE_SMEAR_APE || su3.type == QUDA_GAUGE_SMEAR_STOUT;
  const int ignored = su3.dir_ignore < 0 && from_t ? 3 : su3.dir_ignore;
  std::array<bool, 4> smeared {true, true, true, true};
  if (ignored >= 0 && ignored < 4) smeared[ignored] = false;
  switch (su3.type) {
  case QUDA_GAUGE_SMEAR_APE:
    return reference::ape(field, su3.alpha, smeared, su3.anisotropy);
  case QUDA_GAUGE_SMEAR_HYP:
    return reference::hyp(field, su3.hyp, smeared);
  case QUDA_GAUGE_SMEAR_STOUT:
    return reference::stout(field, reference::stout_weights(su3.rho), smeared);
  case QUDA_GAUGE_SMEAR_OVRIMP_STOUT:
    return reference::stout(field, reference::over_improved_weights(su3.rho, su3.step()), smeared);
  default:
    return reference::flow_step(field, su3.step(), flow_of(su3), static_cast<int>(su3.order));
  }
}

/// The largest deviation of what was measured from the plain reference, made from the links before smearing, relative
/// to the size of what is summed.
double deviation(reference::GaugeField field, const Su3Options &su3,
                 const std::vector<QudaGaugeObservableParam> &measured)
{
  double largest = 0;
  reference::AdaptiveFlow adaptive {su3.step(), su3.tolerance};
  for (unsigned step = 0; step <= su3.steps; step++) {
    const bool adapts = su3.ours() && su3.tolerance > 0;
    if (step > 0 && !adapts) field = stepped(field, su3);
    if (step % su3.interval != 0) continue;
    if (step > 0 && adapts)
      field = reference::flow_adaptively(field, su3.interval * su3.step(), flow_of(su3), adaptive);
    const Numbers found = numbers_of(measured[step / su3.interval]), right = numbers_of(field);
    for (int i = 0; i < 7; i++) {
      // charges of sites have either sign
      const double size = i == 6 ? std::sqrt(static_cast<double>(field.lattice.volume())) : 0.1;
      const double here = std::abs(found.v[i] - right.v[i]) / std::max(std::abs(right.v[i]), size);
      if (!(here <= largest)) largest = here;
    }
  }
  return largest;
}

int smear(const Process &process, Options &options, const Su3Options &su3)
{
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  say(process, "su3_test: %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision, reconstruct %d\n", X[0],
      X[1], X[2], X[3], options.grid[0], options.grid[1], options.grid[2], options.grid[3], name(options.prec),
      static_cast<int>(options.recon));
  say(process, "links: %s\n", gauge.source());

  // before the file they come from may be replaced by the smeared ones
  std::optional<reference::GaugeField> links;
  if (options.verify) links = gauge.reference_field();

  start_library(options);
  gauge.load();
  QudaGaugeSmearParam param = smear_param(su3);
  std::vector<QudaGaugeObservableParam> measured(1 + su3.steps / su3.interval, newQudaGaugeObservableParam());
  for (QudaGaugeObservableParam &one : measured)
    one.compute_plaquette = one.compute_polyakov_loop = one.compute_qcharge = QUDA_BOOLEAN_TRUE;
  process.barrier();
  const auto start = std::chrono::steady_clock::now();
  QudaGradientFlowParam flow = flow_param(su3);
  if (su3.ours())
    gradientFlowQuda(&flow, measured.data());
  else
    su3.flows() ? performWFlowQuda(&param, measured.data()) : performGaugeSmearQuda(&param, measured.data());
  process.barrier();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  gauge.save(process, QUDA_SMEARED_LINKS);
  freeGaugeQuda();
  endQuda();

  say(process, "step  plaquette  Polyakov loop re, im  energy total, spatial, temporal  charge\n");
  for (std::size_t i = 0; i < measured.size(); i++)
    print_line(process, static_cast<unsigned>(i) * su3.interval, numbers_of(measured[i]));
  if (su3.ours())
    say(process, "%lld steps, %lld more taken back; a next one would be %.4g in flow time\n", flow.n_steps,
        flow.n_taken_back, flow.last_epsilon);
  if (su3.flows()) {
    std::vector<double> t, energy;
    for (std::size_t i = 0; i < measured.size(); i++) {
      t.push_back(static_cast<double>(i) * su3.interval * su3.step());
      energy.push_back(measured[i].energy[0]);
    }
    const program::FlowScales scales = program::flow_scales(t, energy);
    say(process, "t0 / a^2 = %.6f, w0 / a = %.6f; 0: not reached at t = %g\n", scales.t0, scales.w0, t.back());
  }
  say(process, "time: %.3g s, tuning and measurements included\n", elapsed.count());
  if (!links) return 0;

  const double allowed = options.prec == QUDA_DOUBLE_PRECISION ? 1e-11 : 2e-4;
  const double found = process.max(deviation(std::move(*links), su3, measured));
  const bool good = found <= allowed;
  say(process, "%s: relative deviation from the plain reference %.2e, allowed %.0e\n", good ? "PASSED" : "FAILED",
      found, allowed);
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Smearing or gradient flow of a gauge configuration");
    Options options;
    Su3Options su3;
    add_common_options(line, options);
    add_save_options(line, options);
    add_su3_options(line, su3);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? smear(process, options, su3) : code;
  });
}
