// A multigrid hierarchy that follows its links along molecular dynamics of pure gauge theory, as in an HMC: after each
// step it is updated, whole or the finest level alone, and a system solved. The iterations must stay near those of the
// first solve.

#include <algorithm>
#include <cmath>

#include "programs/common/gauge_dynamics.h"
#include "programs/common/multigrid_program.h"
#include "programs/common/plain_operator.h"

namespace
{

using namespace program;

struct EvolveOptions {
  GaugeAction action {6.0};
  int warmup = 50;
  int steps = 20;
  double dt = 0.02;
  bool thin = false, refresh = false;
  double factor = 1.5;
};

void add_evolve_options(CommandLine &line, EvolveOptions &o)
{
  add_action_options(line, "--beta", o.action);
  line.add("--heatbath-warmup-steps", o.warmup, "Sweeps of the heat bath before all, of links that are not from a file",
           not_negative);
  line.add("--evolve-steps", o.steps, "Steps of the links, with a solve after each", {1});
  line.add("--evolve-dt", o.dt, "Their length", positive);
  line.add("--mg-evolve-thin-updates", o.thin, "Updates exchange the finest level's operators alone (true or false)");
  line.add("--mg-evolve-refresh", o.refresh, "Updates improve the vectors by --mg-setup-maxiter-refresh iterations");
  line.add("--evolve-factor", o.factor, "So many times the first solve's iterations are too many", positive);
}

int evolve(const Process &process, Options &options, EvolveOptions &how, MultigridWish &multigrid)
{
  if (options.tol < 0) options.tol = 1e-10;
  multigrid.verify = options.verify;
  complete_operator(options);
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  say(process, "multigrid_evolve_test: %s, %d x %d x %d x %d sites, %d steps of %g, updates %s\n",
      name(options.dslash_type), X[0], X[1], X[2], X[3], how.steps, how.dt,
      how.thin ? "of the finest level" : "of all levels");
  start_library(options, Tuned::as_it_pays);
  gauge.load();
  heat_links(options, how.action, how.warmup);
  load_clover(gauge, options);
  GaugeDynamics dynamics(gauge, how.action, integrators().at("leapfrog"));
  dynamics.refresh(options.seed + 1);

  QudaInvertParam param = multigrid_solve(options), of_hierarchy;
  QudaMultigridParam hierarchy = multigrid_param(multigrid, param, of_hierarchy);
  param.preconditioner = newMultigridQuda(&hierarchy);
  for (int level = 0; level < hierarchy.n_level; level++)
    hierarchy.setup_maxiter_refresh[level] = how.refresh ? multigrid.refresh_steps[static_cast<std::size_t>(level)] : 0;
  hierarchy.thin_update_only = how.thin ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;

  std::vector<double> b = random_share(gauge, options.seed + 2), x(b.size());
  int first = 0, most = 0;
  bool good = true;
  say(process, "%6s  %-18s  %-10s  %-14s  %s\n", "step", "plaquette", "iterations", "residual", "seconds");
  for (int step = 0; step <= how.steps; step++) {
    if (step > 0) {
      dynamics.move_links(how.dt / 2);
      dynamics.move_momenta(how.dt, 0);
      dynamics.move_links(how.dt / 2);
      load_clover(gauge, options);
      updateMultigridQuda(param.preconditioner, &hierarchy);
    }
    invertQuda(x.data(), b.data(), &param);
    say(process, "%6d  %.16f  %10d  %14.6e  %g\n", step, dynamics.plaquette(), param.iter, param.true_res[0],
        param.secs);
    if (step == 0) first = param.iter;
    most = std::max(most, param.iter);
    good = good && param.iter < param.maxiter && param.true_res[0] <= 1.001 * options.tol;
  }
  destroyMultigridQuda(param.preconditioner);
  freeCloverQuda();
  freeGaugeQuda();
  endQuda();
  const bool few = most <= how.factor * first;
  say(process, "%s: all residuals\n", good ? "PASSED" : "FAILED");
  say(process, "%s: at most %d iterations, %d at first, a factor %g allowed\n", few ? "PASSED" : "FAILED", most, first,
      how.factor);
  return good && few ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  return multigrid_main(argc, argv, "A multigrid preconditioner along molecular dynamics", add_evolve_options, evolve);
}
