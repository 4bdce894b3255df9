// Hybrid Monte Carlo of pure gauge theory on the functions of the C interface that an application's own would call.
// Checks what must be true of any run: <exp(-dH)> = 1, the way back from the end of a trajectory; on request that dH
// falls with the step as the integrator's order says, and that the heat bath has the same plaquette. A run that is
// killed goes on from its last checkpoint, on any process grid, as if it had not been.

#include <quda_ext.h>

#include "programs/common/gauge_dynamics.h"
#include "programs/common/hybrid.h"

namespace
{

using namespace program;

struct HmcOptions {
  GaugeAction action;
  HybridWish hybrid;
  std::string integrator = "omelyan2";
  int heatbath_warmup = 50;
  int heatbath = 0;
  bool order = false;
  CheckpointWish checkpoint;
};

void add_hmc_options(CommandLine &line, HmcOptions &o)
{
  add_action_options(line, "--beta", o.action);
  line.add_choice("--integrator", o.integrator, integrator_names(), "Integrator of molecular dynamics");
  add_hybrid_options(line, o.hybrid);
  line.add("--heatbath-warmup-steps", o.heatbath_warmup, "Sweeps of the heat bath before all", not_negative);
  line.add("--heatbath-num-steps", o.heatbath, "Sweeps of the heat bath after all, for its plaquette; 0: none",
           not_negative);
  line.add("--check-order", o.order, "Measure how dH falls with the step (true or false)");
  add_checkpoint_options(line, o.checkpoint);
}

nlohmann::json run_of(const Options &options, const HmcOptions &hmc)
{
  return {{"lattice",
           {options.dim[0] * options.grid[0], options.dim[1] * options.grid[1], options.dim[2] * options.grid[2],
            options.dim[3] * options.grid[3]}},
          {"beta", hmc.action.beta},
          {"rectangles", hmc.action.rectangle},
          {"anisotropy", hmc.action.anisotropy},
          {"integrator", hmc.integrator},
          {"length", hmc.hybrid.length},
          {"steps", hmc.hybrid.steps},
          {"seed", options.seed},
          {"warm-up", {hmc.heatbath_warmup, hmc.hybrid.warmup}}};
}

/// The plaquette of the heat bath from the links as they are.
bool check_heatbath(const Process &process, const Options &options, const HmcOptions &hmc, const Dynamics &dynamics,
                    const History &history)
{
  QudaHeatbathParam param = heatbath_param(hmc.action, options.seed);
  param.first_sweep = static_cast<unsigned>(hmc.heatbath_warmup);
  param.n_sweeps = 1;
  std::vector<double> plaquettes;
  for (int i = 0; i < hmc.heatbath; i++, param.first_sweep++) {
    heatbathQuda(&param);
    plaquettes.push_back(dynamics.plaquette());
  }
  constexpr std::size_t bins = 20;
  const Mean ours = mean_of(history.plaquette, bins), theirs = mean_of(plaquettes, bins);
  const double distance = std::abs(ours.value - theirs.value) / std::hypot(ours.error, theirs.error);
  const bool good = distance <= hmc.hybrid.errors;
  say(process, "%s: plaquette %.6f +- %.6f, by heat bath %.6f +- %.6f, %.2f errors apart, allowed %g\n",
      good ? "PASSED" : "FAILED", ours.value, ours.error, theirs.value, theirs.error, distance, hmc.hybrid.errors);
  return good;
}

int run(const Process &process, Options &options, const HmcOptions &hmc)
{
  check_dynamics_options(options);
  History history;
  Checkpoint checkpoint(hmc.checkpoint.name, run_of(options, hmc));
  const bool goes_on = checkpoint.read(history, options);
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  start_library(options, Tuned::as_it_pays);
  gauge.load();
  say(process,
      "hmc_gauge_test: %d x %d x %d x %d sites, beta %g, c_1 = %g, anisotropy %g, %s, %d steps of %g, seed %lu, from "
      "%s\n",
      X[0], X[1], X[2], X[3], hmc.action.beta, hmc.action.rectangle, hmc.action.anisotropy, hmc.integrator.c_str(),
      hmc.hybrid.steps, hmc.hybrid.length / hmc.hybrid.steps, options.seed, gauge.source());

  bool good = true;
  {
    GaugeDynamics dynamics(gauge, hmc.action, integrators().at(hmc.integrator));
    Hybrid hybrid(process, options.seed, hmc.hybrid, dynamics);
    if (!goes_on) {
      QudaHeatbathParam param = heatbath_param(hmc.action, options.seed);
      param.n_sweeps = hmc.heatbath_warmup;
      heatbathQuda(&param);
    }
    hybrid.trajectories(history, checkpoint, gauge, hmc.checkpoint.interval);
    gauge.save(process);
    if (options.verify) {
      if (history.dH.size() > 1) good = hybrid.check_mean(history);
      good = hybrid.check_projection() && good;
      good = hybrid.check_reversal(history.done) && good;
      if (hmc.order) good = hybrid.check_order(history.done) && good;
      if (hmc.heatbath > 0) good = check_heatbath(process, options, hmc, dynamics, history) && good;
    }
  }
  freeGaugeQuda();
  endQuda();
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Hybrid Monte Carlo of pure gauge theory");
    Options options;
    HmcOptions hmc;
    add_common_options(line, options);
    add_save_options(line, options);
    add_hmc_options(line, hmc);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? run(process, options, hmc) : code;
  });
}
