#pragma once
/// Iterations of solves with multigrid on quenched links from our own heat bath, as the quark becomes light: they are known
/// to one, and conjugate gradients take many times as many.

#include "c_multigrid.h"
#include "solves.h"

#include "core/environment_support.h"

#include <cstdio>
#include <vector>

namespace test
{

struct Counts {
  reference::Coords X;
  double beta, plaquette;
  int sweeps; // with fewer the lightest kappa is beyond the critical one of the links
  int blocks[1][4];
  int vectors, steps; // of each
  struct Quark {
    double kappa;
    int iterations;
  };
  std::vector<Quark> quarks; // the lightest first
  int times;                 // as many iterations of conjugate gradients, at least
  double growth;             // of those from the heaviest quark to the lightest, at least
};

inline int iterations(const std::vector<double> &b, QudaInvertParam param)
{
  std::vector<double> x(b.size());
  std::vector<double> source = b;
  invertQuda(x.data(), source.data(), &param);
  EXPECT_LT(param.iter, param.maxiter);
  EXPECT_LT(param.true_res[0], 1.001 * param.tol);
  return param.iter;
}

inline void quenched_links_of(const Counts &of)
{
  {
    const Case any(reference::random_gauge(reference::Lattice(of.X), 1));
  } // the shape of what follows
  QudaHeatbathParam param = newQudaHeatbathParam();
  param.beta = of.beta;
  param.seed = 1;
  param.start = QUDA_HEATBATH_START_COLD;
  param.n_sweeps = of.sweeps;
  heatbathQuda(&param);
  double plaquette[3];
  plaqQuda(plaquette);
  EXPECT_NEAR(plaquette[0], of.plaquette, 0.003);
}

/// The vectors of the lightest quark serve all, whose operators are sums of the same pieces.
inline void expect_counts(const Counts &of)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  Handler handler;
  Session session;
  quenched_links_of(of);
  const reference::Lattice lattice(of.X);
  const std::vector<double> b =
      reference::to_host<double>(reference::random_spinors(lattice, 7), lattice, reference::Part(lattice));
  const host_operator wilson {of.quarks[0].kappa, 0, 0};
  host_multigrid host;
  c_pyquda(&host, &wilson, 2, of.blocks);
  host.hierarchy.n_vec[0] = of.vectors;
  host.hierarchy.setup_maxiter[0] = of.steps;
  host.hierarchy.setup_maxiter_refresh[0] = 0;
  host.hierarchy.n_vec_batch[0] = 1;
  host.hierarchy.run_verify = QUDA_BOOLEAN_FALSE;
  host.inner.verbosity = QUDA_SILENT;
  host.outer.tol = 1e-10;
  host.outer.gcrNkrylov = 16;
  void *const handle = newMultigridQuda(&host.hierarchy);
  ASSERT_NE(handle, nullptr) << handler.text();
  std::vector<int> plain;
  for (const Counts::Quark &quark : of.quarks) {
    const double kappa = quark.kappa;
    const bool first = &quark == &of.quarks.front(), last = &quark == &of.quarks.back();
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
    EXPECT_GE(plain.back(), of.times * count) << kappa;
  }
  destroyMultigridQuda(handle);
  ASSERT_EQ(plain.size(), 2u);
  EXPECT_GE(plain[0], of.growth * plain[1]);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

} // namespace test
