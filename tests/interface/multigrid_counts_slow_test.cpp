/// Iterations of solves with multigrid on 12^3 x 24 quenched links at beta 6.0 from our own heat bath, as the quark becomes
/// light: they are known to one, and conjugate gradients take twenty times as many and more.

#include "c_multigrid.h"
#include "solves.h"

#include "core/environment_support.h"

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
  param.n_sweeps = 60; // with fewer 0.1566 is beyond the critical kappa of the links
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

TEST(MultigridCounts, On12x24)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  Handler handler;
  Session session;
  quenched_12_24();
  const reference::Lattice lattice({12, 12, 12, 24});
  const std::vector<double> b = reference::to_host<double>(reference::random_spinors(lattice, 7), lattice,
                                                           reference::Part(lattice, {1, 1, 1, 1}, {0, 0, 0, 0}));
  // the vectors of the lightest quark serve all, whose operators are sums of the same pieces
  constexpr struct {
    double kappa;
    int iterations;
  } quarks[] = {{0.1566, 24}, {0.1563, 21}, {0.1558, 17}, {0.1550, 15}};
  const host_operator wilson {quarks[0].kappa, 0, 0};
  host_multigrid host;
  c_pyquda(&host, &wilson, 2, blocks);
  host.hierarchy.setup_maxiter[0] = 60;
  host.hierarchy.setup_maxiter_refresh[0] = 0;
  host.hierarchy.n_vec_batch[0] = 1;
  host.hierarchy.run_verify = QUDA_BOOLEAN_FALSE;
  host.inner.verbosity = QUDA_SILENT;
  host.outer.tol = 1e-10;
  host.outer.gcrNkrylov = 16;
  void *const handle = newMultigridQuda(&host.hierarchy);
  ASSERT_NE(handle, nullptr) << handler.text();
  std::vector<int> plain;
  for (const auto &quark : quarks) {
    const double kappa = quark.kappa;
    const bool first = &quark == &quarks[0], last = &quark == &quarks[3];
    host.inner.kappa = host.outer.kappa = kappa;
    host.inner.mass = host.outer.mass = 1 / (2 * kappa) - 4;
    host.outer.preconditioner = handle;
    if (!first) updateMultigridQuda(handle, &host.hierarchy);
    const int count = iterations(b, host.outer);
    std::printf("  kappa %.4f: %d iterations\n", kappa, count);
    EXPECT_NEAR(count, quark.iterations, 1) << kappa;
    if (!first && !last) continue;
    QudaInvertParam cg = host.outer;
    cg.inv_type = QUDA_CG_INVERTER;
    cg.solve_type = QUDA_NORMOP_PC_SOLVE;
    cg.inv_type_precondition = QUDA_INVALID_INVERTER;
    cg.preconditioner = nullptr;
    cg.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    cg.reliable_delta = 0.1;
    cg.maxiter = 10000;
    cg.tol = 1e-6; // which tells enough
    plain.push_back(iterations(b, cg));
    std::printf("  kappa %.4f: %d iterations of conjugate gradients\n", kappa, plain.back());
    EXPECT_GE(plain.back(), 20 * count) << kappa;
  }
  destroyMultigridQuda(handle);
  ASSERT_EQ(plain.size(), 2u);
  EXPECT_GE(plain[0], 1.3 * plain[1]);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

} // namespace
