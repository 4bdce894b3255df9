// Smearing of a configuration step by step: plaquette, energy and topological charge, compared with the plain
// reference.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "programs/common/host_gauge.h"
#include "reference/gauge/field_strength.h"
#include "reference/gauge/plaquette.h"
#include "reference/gauge/polyakov.h"
#include "reference/smear/stout.h"

namespace
{

using namespace program;

struct Su3Options {
  QudaGaugeSmearType type = QUDA_GAUGE_SMEAR_STOUT;
  unsigned steps = 10;
  unsigned interval = 1;
  double rho = 0.1;
  double epsilon = -0.25;
  int dir_ignore = -1;
};

void add_su3_options(CommandLine &line, Su3Options &o)
{
  const Names<QudaGaugeSmearType> types = {{"stout", QUDA_GAUGE_SMEAR_STOUT},
                                           {"ovrimp-stout", QUDA_GAUGE_SMEAR_OVRIMP_STOUT}};
  line.add_choice("--su3-smear-type", o.type, types, "Smearing");
  line.add("--su3-smear-steps", o.steps, "Steps of smearing");
  line.add("--su3-measurement-interval", o.interval, "Steps between two measurements", {1, 1000000});
  line.add("--su3-stout-rho", o.rho, "Weight of the staples");
  line.add("--su3-stout-epsilon", o.epsilon, "Over-improved stout: mixing of staples and rectangles");
  line.add("--su3-smear-dir-ignore", o.dir_ignore,
           "Direction left alone; negative: t (stout) or none (over-improved); 4: none");
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
  param.rho = su3.rho;
  param.epsilon = su3.epsilon;
  param.dir_ignore = su3.dir_ignore;
  return param;
}

/// The largest deviation of what was measured from the plain reference, made from the links before smearing, relative
/// to the size of what is summed.
double deviation(reference::GaugeField field, const Su3Options &su3,
                 const std::vector<QudaGaugeObservableParam> &measured)
{
  const bool over_improved = su3.type == QUDA_GAUGE_SMEAR_OVRIMP_STOUT;
  const auto weights =
      over_improved ? reference::over_improved_weights(su3.rho, su3.epsilon) : reference::stout_weights(su3.rho);
  const int ignored = su3.dir_ignore < 0 && !over_improved ? 3 : su3.dir_ignore;
  std::array<bool, 4> smeared {true, true, true, true};
  if (ignored >= 0 && ignored < 4) smeared[ignored] = false;

  double largest = 0;
  for (unsigned step = 0; step <= su3.steps; step++) {
    if (step > 0) field = reference::stout(field, weights, smeared);
    if (step % su3.interval != 0) continue;
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
  performGaugeSmearQuda(&param, measured.data());
  process.barrier();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  gauge.save(process, QUDA_SMEARED_LINKS);
  freeGaugeQuda();
  endQuda();

  say(process, "step  plaquette  Polyakov loop re, im  energy total, spatial, temporal  charge\n");
  for (std::size_t i = 0; i < measured.size(); i++)
    print_line(process, static_cast<unsigned>(i) * su3.interval, numbers_of(measured[i]));
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
    CommandLine line("Smearing of a gauge configuration");
    Options options;
    Su3Options su3;
    add_common_options(line, options);
    add_save_options(line, options);
    add_su3_options(line, su3);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? smear(process, options, su3) : code;
  });
}
