// Parameters of a multigrid hierarchy for given links and mass: found by tuneMultigridQuda(), printed as members of
// QudaMultigridParam and as options of invert_test, and tried once more on another source.

#include <algorithm>

#include "programs/common/multigrid_program.h"
#include "programs/common/plain_operator.h"

namespace
{

using namespace program;

struct TuneOptions {
  bool by_flops = false;
  double longest = 600;
  double beta = 0;
  int warmup = 100;
};

void add_tune_options(CommandLine &line, TuneOptions &o)
{
  line.add("--tune-by-flops", o.by_flops, "Counted operations decide, which are the same anywhere, not seconds");
  line.add("--tune-seconds", o.longest, "Nothing more is tried after so many; 0: all is", not_negative);
  line.add("--beta", o.beta, "Links by a heat bath, where they are not from a file; 0: random ones", not_negative);
  line.add("--heatbath-warmup-steps", o.warmup, "Its sweeps", not_negative);
}

void print_options(const Process &process, const QudaMultigridParam &param)
{
  say(process, "options: --inv-multigrid true --mg-levels %d", param.n_level);
  for (int n = 0; n < param.n_level; n++) {
    if (n > 0)
      say(process, " --mg-coarse-solver-tol %d %g --mg-coarse-solver-maxiter %d %d", n, param.coarse_solver_tol[n], n,
          param.coarse_solver_maxiter[n]);
    if (n + 1 == param.n_level) break;
    const int *const block = param.geo_block_size[n];
    say(process, " --mg-block-size %d %d %d %d %d --mg-nvec %d %d --mg-nu-pre %d %d --mg-nu-post %d %d", n, block[0],
        block[1], block[2], block[3], n, param.n_vec[n], n, param.nu_pre[n], n, param.nu_post[n]);
  }
  say(process, "\n");
}

int tune(const Process &process, Options &options, TuneOptions &how, MultigridWish &multigrid)
{
  if (options.tol < 0) options.tol = 1e-10;
  multigrid.verify = false; // of each trial: the last one is
  complete_operator(options);
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  say(process, "mg_tune: %s, %d x %d x %d x %d sites, by %s\n", name(options.dslash_type), X[0], X[1], X[2], X[3],
      how.by_flops ? "operations" : "seconds");
  start_library(options);
  gauge.load();
  if (how.beta != 0) heat_links(options, {how.beta}, how.warmup);
  load_clover(gauge, options);

  QudaInvertParam param = multigrid_solve(options), of_hierarchy;
  QudaMultigridParam hierarchy = multigrid_param(multigrid, param, of_hierarchy);
  of_hierarchy.verbosity = QUDA_SUMMARIZE; // the trials
  QudaMultigridTuneParam search = newQudaMultigridTuneParam();
  search.by_flops = how.by_flops;
  search.max_seconds = how.longest;
  search.n_src = std::clamp(options.nsrc, 1, QUDA_MAX_MULTI_SRC);
  tuneMultigridQuda(&hierarchy, &param, &search);
  print_options(process, hierarchy);

  of_hierarchy.verbosity = options.verbosity;
  hierarchy.run_verify = options.verify ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE;
  param.preconditioner = newMultigridQuda(&hierarchy);
  std::vector<double> b = random_share(gauge, options.seed + 2), x(b.size());
  invertQuda(x.data(), b.data(), &param);
  destroyMultigridQuda(param.preconditioner);
  freeCloverQuda();
  freeGaugeQuda();
  endQuda();
  const bool solved = param.iter < param.maxiter && param.true_res[0] <= 1.001 * options.tol;
  const bool cheaper = how.by_flops ? search.gflop[1] <= search.gflop[0] : search.secs[1] <= search.secs[0];
  say(process, "%s: %d iterations, residual %g\n", solved ? "PASSED" : "FAILED", param.iter, param.true_res[0]);
  say(process, "%s: %g s and %g Gflop a solve, %g s and %g Gflop at first\n", cheaper ? "PASSED" : "FAILED",
      search.secs[1], search.gflop[1], search.secs[0], search.gflop[0]);
  return solved && cheaper ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  return multigrid_main(argc, argv, "Parameters of a multigrid preconditioner for given links and mass",
                        add_tune_options, tune);
}
