/// What programs around one multigrid preconditioner share: their main(), and the links that they begin with.
#pragma once

#include <quda_ext.h>

#include "programs/common/gauge_action.h"
#include "programs/common/multigrid_wish.h"
#include "programs/common/process.h"
#include "programs/common/quarks.h"

namespace program
{

/// The whole of main(): options of quarks, solves and multigrid, and the program's own, then run().
template <class Own> int multigrid_main(int argc, char **argv, const char *what, void (*add_own)(CommandLine &, Own &),
                                        int (*run)(const Process &, Options &, Own &, MultigridWish &))
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line(what);
    Options options;
    options.niter = 200;
    Own own;
    MultigridWish multigrid;
    add_common_options(line, options, "Most iterations of a solve");
    add_dirac_options(line, options);
    add_solve_options(line, options);
    add_own(line, own);
    add_multigrid_options(line, multigrid);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? run(process, options, own, multigrid) : code;
  });
}

/// Links of a heat bath, where they are neither from a file nor 1.
inline void heat_links(const Options &options, const GaugeAction &action, int sweeps)
{
  if (!options.load_gauge.empty() || options.unit_gauge) return;
  QudaHeatbathParam param = newQudaHeatbathParam();
  param.beta = action.beta;
  param.rectangle = action.rectangle;
  param.anisotropy = action.anisotropy;
  param.n_overrelax = 4;
  param.seed = options.seed;
  param.start = QUDA_HEATBATH_START_COLD;
  param.n_sweeps = sweeps;
  heatbathQuda(&param);
}

} // namespace program
