/// Iterations of solves with multigrid on 12^3 x 24 quenched links at beta 6.0, from our own heat bath: they do not grow
/// as the quark becomes light, where those of conjugate gradients do.

#include "c_multigrid.h"
#include "solves.h"

#include "core/environment_support.h"

#include <algorithm>

namespace
{

using namespace test;

constexpr int blocks[1][4] = {{3, 3, 3, 4}};

void quenched_12_24()
{
  const reference::Lattice lattice({12, 12, 12, 24});
  {
    const Case any(reference::random_gauge(lattice, 1));
  } // the shape of what follows
  QudaHeatbathParam param = newQudaHeatbathParam();
  param.beta = 6.0;
  param.seed = 1;
  param.start = QUDA_HEATBATH_START_COLD;
  param.n_sweeps = 300;
  heatbathQuda(&param);
  double plaquette[3];
  plaqQuda(plaquette);
  EXPECT_NEAR(plaquette[0], 0.5937, 0.003);
}

int iterations(const std::vector<double> &b, QudaInvertParam param)
{
  std::vector<double> x(b.size());
  std::vector<double> source = b;
  invertQuda(x.data(), source.data(), &param);
  EXPECT_LT(param.iter, param.maxiter);
  EXPECT_LT(param.true_res[0], 1.001 * param.tol);
  return param.iter;
}

TEST(MultigridCounts, DoNotGrowOn12x24)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  Handler handler;
  Session session;
  quenched_12_24();
  const reference::Lattice lattice({12, 12, 12, 24});
  const std::vector<double> b = reference::to_host<double>(reference::random_spinors(lattice, 7), lattice,
                                                           reference::Part(lattice, {1, 1, 1, 1}, {0, 0, 0, 0}));
  int least = 1000, most = 0;
  double first_cg = 0, last_cg = 0;
  for (const double kappa : {0.1550, 0.1558, 0.1563, 0.1566}) {
    const host_operator wilson {kappa, 0, 0};
    host_multigrid host;
    c_pyquda(&host, &wilson, 2, blocks);
    host.hierarchy.setup_maxiter[0] = 100;
    host.hierarchy.n_vec_batch[0] = 1;
    host.inner.verbosity = QUDA_SILENT;
    host.outer.tol = 1e-10;
    host.outer.gcrNkrylov = 16;
    host.outer.preconditioner = newMultigridQuda(&host.hierarchy);
    ASSERT_NE(host.outer.preconditioner, nullptr) << handler.text();
    const int count = iterations(b, host.outer);
    destroyMultigridQuda(host.outer.preconditioner);
    std::printf("  kappa %.4f: %d iterations\n", kappa, count);
    EXPECT_LE(count, 25) << kappa;
    least = std::min(least, count);
    most = std::max(most, count);
    if (kappa != 0.1550 && kappa != 0.1563) continue;
    QudaInvertParam cg = host.outer;
    cg.inv_type = QUDA_CG_INVERTER;
    cg.solve_type = QUDA_NORMOP_PC_SOLVE;
    cg.inv_type_precondition = QUDA_INVALID_INVERTER;
    cg.preconditioner = nullptr;
    cg.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    cg.reliable_delta = 0.1;
    cg.maxiter = 10000;
    const int plain = iterations(b, cg);
    std::printf("  kappa %.4f: %d iterations of conjugate gradients\n", kappa, plain);
    (kappa == 0.1550 ? first_cg : last_cg) = plain;
  }
  EXPECT_LE(most, 1.6 * least);
  EXPECT_GE(last_cg, 1.8 * first_cg);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

} // namespace
