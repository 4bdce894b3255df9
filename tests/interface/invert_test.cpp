/// Linear systems of Wilson fermions through the C interface, judged by the plain reference: every solver and kind of
/// solve, many right-hand sides, and what is refused.

#include "solves.h"

#include <gtest/gtest.h>

#include <complex>
#include <limits>

namespace
{

using namespace test;

constexpr QudaInverterType for_any_matrix[] = {QUDA_BICGSTAB_INVERTER, QUDA_BICGSTABL_INVERTER, QUDA_GCR_INVERTER,
                                               QUDA_CA_GCR_INVERTER,   QUDA_MR_INVERTER,        QUDA_SD_INVERTER,
                                               QUDA_CGNE_INVERTER,     QUDA_CGNR_INVERTER,      QUDA_CG3NE_INVERTER,
                                               QUDA_CG3NR_INVERTER,    QUDA_CA_CGNE_INVERTER,   QUDA_CA_CGNR_INVERTER};
constexpr auto pipelined_cg = static_cast<QudaInverterType>(QUDA_PIPELINED_CG_INVERTER);
constexpr QudaInverterType for_normal_systems[] = {pipelined_cg,        QUDA_CG_INVERTER,       QUDA_CG3_INVERTER,
                                                   QUDA_CA_CG_INVERTER, QUDA_BICGSTAB_INVERTER, QUDA_BICGSTABL_INVERTER,
                                                   QUDA_GCR_INVERTER,   QUDA_CA_GCR_INVERTER,   QUDA_MR_INVERTER};

using Invert = test::Begun;

TEST_F(Invert, EverySolverAndKindOfSolve)
{
  const Case on;
  struct Kind {
    QudaInverterType inverter;
    QudaSolutionType solution;
    QudaSolveType solve;
  };
  std::vector<Kind> kinds;
  for (const QudaInverterType inverter : for_any_matrix) {
    kinds.push_back({inverter, QUDA_MAT_SOLUTION, QUDA_DIRECT_SOLVE});
    kinds.push_back({inverter, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE});
    kinds.push_back({inverter, QUDA_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE});
    kinds.push_back({inverter, QUDA_MATDAG_MAT_SOLUTION, QUDA_DIRECT_SOLVE});
    kinds.push_back({inverter, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE});
  }
  for (const QudaInverterType inverter : for_normal_systems) {
    kinds.push_back({inverter, QUDA_MAT_SOLUTION, QUDA_NORMOP_SOLVE});
    kinds.push_back({inverter, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE});
    kinds.push_back({inverter, QUDA_MAT_SOLUTION, QUDA_NORMERR_SOLVE});
    kinds.push_back({inverter, QUDA_MAT_SOLUTION, QUDA_NORMERR_PC_SOLVE});
    kinds.push_back({inverter, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE});
    kinds.push_back({inverter, QUDA_MATPC_SOLUTION, QUDA_NORMERR_PC_SOLVE});
    kinds.push_back({inverter, QUDA_MATDAG_MAT_SOLUTION, QUDA_NORMOP_SOLVE});
    kinds.push_back({inverter, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE});
  }
  for (const Kind &kind : kinds)
    for (const bool dagger : {false, true}) {
      QudaInvertParam param = solve_param(kind.inverter, kind.solution, kind.solve);
      param.dagger = dagger ? QUDA_DAG_YES : QUDA_DAG_NO;
      if (dagger) param.matpc_type = QUDA_MATPC_ODD_ODD;
      if (kind.inverter != QUDA_GCR_INVERTER) param.gcrNkrylov = 4;
      if (dagger) param.ca_basis = QUDA_CHEBYSHEV_BASIS;
      const Spinors b = source_for(on, param, 7);
      const Spinors x = solved(on, b, param);
      const testing::Message what = testing::Message() << "inverter " << kind.inverter << ", solution " << kind.solution
                                                       << ", solve " << kind.solve << (dagger ? ", dagger" : "");
      // residuals of prepared and normal systems are those of the system solved
      EXPECT_LT(residual(on, x, b, param), 20 * tol) << what;
      EXPECT_LT(param.true_res[0], tol) << what;
      EXPECT_GT(param.iter, 0) << what;
      EXPECT_LT(param.iter, param.maxiter) << what;
      EXPECT_GT(param.secs, 0);
      EXPECT_GT(param.gflops, 0);
    }
}

TEST_F(Invert, PrecisionsAndNormalisations)
{
  const Case on;
  for (const QudaPrecision sloppy : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION})
    for (const QudaMassNormalization normalization :
         {QUDA_KAPPA_NORMALIZATION, QUDA_MASS_NORMALIZATION, QUDA_ASYMMETRIC_MASS_NORMALIZATION}) {
      QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, sloppy);
      param.mass_normalization = normalization;
      const Spinors b = source_for(on, param, 8);
      const Spinors x = solved(on, b, param);
      const double factor = normalization == QUDA_KAPPA_NORMALIZATION ? 1 : 2 * kappa;
      EXPECT_LT(residual(on, x, reference::scaled(b, factor), param), 20 * tol);
    }
}

/// Half as outer precision is single with half inside, to the bit, and what is told of it is true.
TEST_F(Invert, HalfOutside)
{
  const Case on;
  HostLinks<double> links(on.links, on.part, QUDA_QDP_GAUGE_ORDER);
  Spinors found[2];
  for (const QudaPrecision outer : {QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION}) {
    QudaGaugeParam gauge =
        gauge_param(on.part.local.X, {QUDA_DOUBLE_PRECISION, outer, QUDA_RECONSTRUCT_NO, QUDA_QDP_GAUGE_ORDER, 1, -1});
    gauge.cuda_prec_sloppy = QUDA_HALF_PRECISION;
    loadGaugeQuda(links.pointer(), &gauge);
    QudaInvertParam param =
        solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_HALF_PRECISION);
    param.cuda_prec = outer;
    param.tol = 1e-5;
    const Spinors b = source_for(on, param, 8);
    Spinors &x = found[outer == QUDA_HALF_PRECISION];
    x = solved(on, b, param);
    EXPECT_LT(param.iter, param.maxiter);
    EXPECT_LT(param.true_res[0], param.tol);
    EXPECT_NEAR(param.true_res[0], residual(on, x, b, param), 1e-6);
  }
  EXPECT_EQ(reference::deviation(found[0], found[1]), 0);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  // on links of another precision half is as wrong as any other
  on.load();
  QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  param.cuda_prec = QUDA_HALF_PRECISION;
  solved(on, source_for(on, param, 8), param);
  EXPECT_TRUE(handler.says("(QUDA_HALF_PRECISION); allowed: that of the resident gauge field")) << handler.text();
}

void twelve_at_once(const Case &on, QudaInverterType inverter, QudaSolveType solve)
{
  SCOPED_TRACE(testing::Message() << "inverter " << inverter);
  QudaInvertParam param = solve_param(inverter, QUDA_MAT_SOLUTION, solve);
  param.gcrNkrylov = 4;
  param.num_src = param.num_src_per_sub_partition = 12;
  std::vector<std::vector<double>> in, out;
  std::vector<void *> b, x;
  std::vector<Spinors> sources;
  for (unsigned j = 0; j < 12; j++) {
    sources.push_back(source_for(on, param, 20 + j));
    if (j == 5)
      for (reference::Spinor &s : sources[j]) s.setZero();
    if (j == 7) sources[j] = sources[2];
    in.push_back(on.host(sources[j]));
    out.emplace_back(in[j].size(), std::nan(""));
  }
  for (unsigned j = 0; j < 12; j++) {
    b.push_back(in[j].data());
    x.push_back(out[j].data());
  }
  invertMultiSrcQuda(x.data(), b.data(), &param);
  EXPECT_LT(param.iter, param.maxiter);
  for (unsigned j = 0; j < 12; j++) {
    const Spinors found = reference::from_host<double>(out[j], true);
    if (j == 5) {
      EXPECT_EQ(norm(found), 0);
      EXPECT_EQ(param.true_res[j], 0);
      continue;
    }
    EXPECT_LT(residual(on, found, sources[j], param), 100 * tol) << j;
    EXPECT_GT(param.true_res[j], 0);
    EXPECT_LT(param.true_res[j], tol);
    QudaInvertParam one = solve_param(inverter, QUDA_MAT_SOLUTION, solve);
    one.gcrNkrylov = param.gcrNkrylov;
    EXPECT_LE(reference::deviation(found, solved(on, sources[j], one)), 1e-9) << j;
  }
  EXPECT_TRUE(same_bits(out[7], out[2])) << "equal sources";
}

TEST_F(Invert, TwelveSourcesAtOnce)
{
  const Case on;
  for (const QudaInverterType inverter : for_any_matrix) twelve_at_once(on, inverter, QUDA_DIRECT_PC_SOLVE);
  for (const QudaInverterType inverter : {QUDA_CG_INVERTER, QUDA_CG3_INVERTER, QUDA_CA_CG_INVERTER, pipelined_cg})
    twelve_at_once(on, inverter, QUDA_NORMOP_PC_SOLVE);
}
TEST_F(Invert, BoundsOfTheSpectrumAreEstimatedAndWrittenBack)
{
  const Case on;
  QudaInvertParam param = solve_param(QUDA_CA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE);
  param.ca_basis = QUDA_CHEBYSHEV_BASIS;
  param.gcrNkrylov = 8;
  const Spinors b = source_for(on, param, 9);
  solved(on, b, param);
  EXPECT_LT(param.true_res[0], tol);
  const double found = param.ca_lambda_max;
  EXPECT_GT(found, 1);
  EXPECT_LT(found, 3);
  solved(on, b, param);
  EXPECT_EQ(param.ca_lambda_max, found) << "what is given is taken";
  param.ca_lambda_max = -1;
  solved(on, Spinors(b.size(), reference::Spinor::Zero()), param);
  EXPECT_EQ(param.ca_lambda_max, -1) << "of a source that is zero nothing is found";
  param.ca_lambda_min = 1e6;
  solved(on, b, param);
  EXPECT_EQ(param.ca_lambda_max, found) << "a lower end above it is not believed";
  EXPECT_LT(param.true_res[0], tol);
}

TEST_F(Invert, GuessesAndActions)
{
  const Case on;
  QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  param.compute_action = 1;
  std::vector<double> in = on.host(source_for(on, param, 9)), out(in.size());
  invertQuda(out.data(), in.data(), &param);
  std::complex<double> action = 0;
  for (std::size_t i = 0; i < in.size(); i += 2)
    action += std::conj(std::complex<double>(in[i], in[i + 1])) * std::complex<double>(out[i], out[i + 1]);
  EXPECT_NEAR(param.action[0], action.real(), 1e-10 * std::abs(action));
  EXPECT_NEAR(param.action[1], action.imag(), 1e-10 * std::abs(action));
  const int alone = param.iter;
  EXPECT_GT(alone, 3);
  param.use_init_guess = QUDA_USE_INIT_GUESS_YES;
  param.tol = 1e-9;
  invertQuda(out.data(), in.data(), &param);
  EXPECT_EQ(param.iter, 1);
}

/// |b - A x| itself, whatever the source: a large one needs more steps than a small one.
TEST_F(Invert, AbsoluteResiduals)
{
  const Case on;
  int steps[2];
  for (const bool large : {false, true}) {
    QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
    param.residual_type = QUDA_L2_ABSOLUTE_RESIDUAL;
    param.tol = 1e-6;
    const double size = large ? 1e3 : 1e-3;
    const Spinors b = reference::scaled(source_for(on, param, 9), size), x = solved(on, b, param);
    const double relative = residual(on, x, b, param);
    EXPECT_LT(relative * norm(b), 1.001e-6);
    EXPECT_GT(relative * norm(b), 1e-9);
    EXPECT_NEAR(param.true_res[0], relative, 1e-3 * relative);
    EXPECT_LT(param.iter, param.maxiter);
    steps[large] = param.iter;
  }
  EXPECT_GT(steps[1], steps[0]);
}

/// Whatever stands between the host's system and what the method sees: its own solution is known for one.
TEST_F(Invert, GuessesOfEveryForm)
{
  const Case on;
  QudaInvertParam term = wilson_param();
  term.dslash_type = QUDA_CLOVER_WILSON_DSLASH;
  term.clover_cpu_prec = term.clover_cuda_prec = QUDA_DOUBLE_PRECISION;
  term.clover_coeff = 0.2;
  term.compute_clover_trlog = 0;
  loadCloverQuda(nullptr, nullptr, &term);
  for (const QudaMatPCType matpc : {QUDA_MATPC_EVEN_EVEN, QUDA_MATPC_ODD_ODD_ASYMMETRIC})
    for (const QudaDagType dagger : {QUDA_DAG_NO, QUDA_DAG_YES})
      for (const double weight : {0.0, 0.5}) {
        QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
        param.dslash_type = term.dslash_type;
        param.matpc_type = matpc;
        param.dagger = dagger;
        param.distance_pc_alpha0 = weight;
        param.distance_pc_t0 = 1;
        const Spinors b = source_for(on, param, 9), x = solved(on, b, param);
        EXPECT_GT(param.iter, 3);
        param.use_init_guess = QUDA_USE_INIT_GUESS_YES;
        param.tol = 20 * tol;
        const Spinors again = solved(on, b, param, &x);
        EXPECT_EQ(param.iter, 1) << matpc << dagger << weight;
        EXPECT_LE(reference::deviation(again, x), 1e-12);
      }
}

/// sqrt(mean |r|^2 / |x|^2) over sites, alone and beside the other residual.
TEST_F(Invert, HeavyQuarkResiduals)
{
  const Case on;
  for (const QudaPrecision sloppy : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION, QUDA_HALF_PRECISION})
    for (const int beside : {0, static_cast<int>(QUDA_L2_RELATIVE_RESIDUAL)}) {
      QudaInvertParam param = solve_param(QUDA_CG_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, sloppy);
      param.residual_type = static_cast<QudaResidualType>(QUDA_HEAVY_QUARK_RESIDUAL | beside);
      param.tol = beside ? 1e-4 : std::nan("");
      param.tol_hq = 1e-9;
      const Spinors b = source_for(on, param, 9), x = solved(on, b, param), Ax = on.applied(x, param);
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); i++) sum += (b[i] - Ax[i]).squaredNorm() / x[i].squaredNorm();
      const double is = std::sqrt(sum / static_cast<double>(x.size()));
      EXPECT_LT(is, 1.001e-9);
      EXPECT_NEAR(param.true_res_hq[0], is, 1e-3 * is);
      EXPECT_GT(param.true_res[0], 0);
      EXPECT_LT(param.iter, param.maxiter);
    }
}

TEST_F(Invert, EndsThatAHostCanRead)
{
  const Case on;
  for (const int maxiter : {0, 1, 5}) {
    QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
    param.maxiter = maxiter;
    solved(on, source_for(on, param, 10), param);
    EXPECT_GE(param.iter, maxiter);
    EXPECT_GT(param.true_res[0], tol);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
  }
  {
    QudaInvertParam param = solve_param(QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE);
    param.tol = 1e-17;
    const Spinors b = source_for(on, param, 10);
    const Spinors x = solved(on, b, param);
    EXPECT_GE(param.iter, param.maxiter) << "not converged, so not below maxiter";
    EXPECT_LT(residual(on, x, b, param), 1e-12);
  }
  QudaInvertParam param = solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
  std::vector<double> in = on.host(source_for(on, param, 11)), out(in.size());
  in[12] = std::nan("");
  invertQuda(out.data(), in.data(), &param);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
  EXPECT_TRUE(handler.says("h_b holds a number")) << handler.text();
}

/// Of minimal residuals maxiter is that of one of Nsteps rounds; other methods do not read it.
TEST_F(Invert, RoundsOfMinimalResiduals)
{
  const Case on;
  const auto iterations = [&](QudaInverterType inverter, int rounds, bool ends) {
    QudaInvertParam param = solve_param(inverter, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
    param.maxiter = 2;
    param.Nsteps = rounds;
    const Spinors b = source_for(on, param, 10), x = solved(on, b, param);
    EXPECT_EQ(param.true_res[0] <= param.tol, ends) << inverter << ", " << rounds << ": " << param.true_res[0];
    return param.iter;
  };
  for (const int once : {newQudaInvertParam().Nsteps, 0, 1}) EXPECT_EQ(iterations(QUDA_MR_INVERTER, once, false), 2);
  EXPECT_EQ(iterations(QUDA_MR_INVERTER, 3, false), 6);
  EXPECT_LT(iterations(QUDA_MR_INVERTER, std::numeric_limits<int>::max(), true), 2) << "converged: below maxiter";
  EXPECT_EQ(iterations(QUDA_SD_INVERTER, 3, false), 2);
}

/// The solution is the one without it, far from the source too; the residual is that of the weighted system.
TEST_F(Invert, DistancePreconditioning)
{
  const Case on(reference::random_gauge(reference::Lattice({4, 4, 4, 16}), 43));
  const struct {
    QudaInverterType inverter;
    QudaSolutionType solution;
    QudaSolveType solve;
    QudaDagType dagger;
  } cases[] = {{QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_DAG_NO},
               {QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_YES},
               {QUDA_GCR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_SOLVE, QUDA_DAG_NO},
               {QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMERR_PC_SOLVE, QUDA_DAG_NO},
               {QUDA_BICGSTAB_INVERTER, QUDA_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_DAG_YES},
               {QUDA_BICGSTAB_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_DAG_NO},
               {QUDA_CG_INVERTER, QUDA_MATDAG_MAT_SOLUTION, QUDA_NORMOP_SOLVE, QUDA_DAG_NO},
               {QUDA_CA_CG_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_NO},
               {QUDA_CG3_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_YES},
               {QUDA_PCG_INVERTER, QUDA_MATDAG_MAT_SOLUTION, QUDA_NORMOP_SOLVE, QUDA_DAG_NO},
               {QUDA_SD_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_NO}};
  for (const auto &one : cases) {
    QudaInvertParam param = solve_param(one.inverter, one.solution, one.solve);
    param.dagger = one.dagger;
    Spinors b = source_for(on, param, 12);
    const std::size_t there = on.lattice.slot({0, 0, 0, 2});
    for (std::size_t slot = 0; slot < b.size(); slot++)
      if (slot != there) b[slot].setZero();
    QudaInvertParam exact = param;
    exact.tol = 1e-14;
    const Spinors right = solved(on, b, exact);
    const auto error = [&](const Spinors &found) { // on the slice far from the source
      double difference = 0, size = 0;
      for (std::size_t slot = 0; slot < b.size(); slot++)
        if (on.lattice.coords(slot)[3] == 10) {
          difference += (found[slot] - right[slot]).squaredNorm();
          size += right[slot].squaredNorm();
        }
      return std::sqrt(difference / size);
    };
    param.tol = 1e-8;
    const double without = error(solved(on, b, param));
    param.distance_pc_alpha0 = -0.6;
    param.distance_pc_t0 = 2;
    const Spinors found = solved(on, b, param);
    EXPECT_LE(residual(on, found, b, param), 1e-6) << one.inverter << " " << one.solve;
    EXPECT_LE(param.true_res[0], 1e-8);
    EXPECT_GT(param.true_res[0], 1e-14);
    EXPECT_LE(error(found), 1e-5) << one.inverter << " " << one.solve;
    EXPECT_LE(error(found), std::max(0.2 * without, 2.5e-6)) << one.inverter << " " << one.solve;
  }
}

TEST_F(Invert, WhatCannotBeIsRefusedByName)
{
  const Case on;
  const auto refused = [&](QudaInvertParam param, QudaErrorKind kind, const char *words) {
    handler.forget();
    std::vector<double> b(24 * on.lattice.volume(), 1.0), x(b.size());
    invertQuda(x.data(), b.data(), &param);
    EXPECT_EQ(handler.kind(), kind) << words;
    EXPECT_TRUE(handler.says(words)) << handler.text();
  };
  const auto bad = QUDA_ERROR_KIND_BAD_ARGUMENT, unsupported = QUDA_ERROR_KIND_UNSUPPORTED;
  refused(solve_param(QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE), bad, "not Hermitian");
  refused(solve_param(QUDA_CG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_SOLVE), bad, "one parity");
  refused(solve_param(QUDA_CG_INVERTER, QUDA_MATDAG_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE), bad, "all sites");
  refused(solve_param(QUDA_CG_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMERR_PC_SOLVE), bad, "NORMERR");
  for (const QudaInverterType inverter : {QUDA_CG3_INVERTER, QUDA_CA_CG_INVERTER})
    refused(solve_param(inverter, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE), bad, "not Hermitian");
  for (const QudaInverterType inverter : {QUDA_CG3NE_INVERTER, QUDA_CA_CGNR_INVERTER})
    refused(solve_param(inverter, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE), bad, "forms the normal equations itself");
  for (const QudaInverterType inverter : {QUDA_EIGCG_INVERTER, QUDA_INC_EIGCG_INVERTER})
    refused(solve_param(inverter, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE), bad, "not Hermitian");
  for (const auto &[inverter, words] : {std::pair(QUDA_GMRESDR_SH_INVERTER, "QUDA_GMRESDR_SH_INVERTER"),
                                        std::pair(QUDA_MG_INVERTER, "QUDA_MG_INVERTER")})
    refused(solve_param(inverter, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE), unsupported, words);
  const auto spoiled = [](QudaInverterType inverter, const auto &spoil) {
    QudaInvertParam param = solve_param(inverter, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE);
    param.ca_basis = QUDA_CHEBYSHEV_BASIS;
    spoil(param);
    return param;
  };
  refused(spoiled(QUDA_BICGSTABL_INVERTER, [](auto &p) { p.gcrNkrylov = 0; }), bad, "gcrNkrylov");
  // more directions than memory is there for
  for (const QudaInverterType inverter : {QUDA_GCR_INVERTER, QUDA_BICGSTABL_INVERTER, QUDA_CA_GCR_INVERTER})
    for (const auto &[krylov, words] : {std::pair(1025, "gcrNkrylov = 1025; allowed: 1 to 1024"),
                                        std::pair(std::numeric_limits<int>::max(), "gcrNkrylov = 2147483647")})
      refused(spoiled(inverter, [n = krylov](auto &p) { p.gcrNkrylov = n; }), bad, words);
  refused(spoiled(QUDA_GMRESDR_INVERTER, [](auto &p) { p.max_search_dim = 1000000000; }), bad,
          "max_search_dim = 1000000000");
  refused(spoiled(QUDA_GMRESDR_INVERTER, [](auto &p) { p.n_ev = 1000000000; }), bad, "n_ev = 1000000000");
  refused(spoiled(QUDA_GMRESDR_INVERTER, [](auto &p) { p.n_ev = 63; }), bad, "n_ev = 63 with max_search_dim = 64");
  refused(spoiled(QUDA_MR_INVERTER, [](auto &p) { p.omega = std::nan(""); }), bad, "omega");
  refused(spoiled(QUDA_CA_GCR_INVERTER, [](auto &p) { p.ca_basis = QUDA_INVALID_BASIS; }), bad, "ca_basis");
  refused(spoiled(QUDA_CA_CGNE_INVERTER, [](auto &p) { p.ca_lambda_max = std::nan(""); }), bad, "ca_lambda_max");
  refused(spoiled(QUDA_CA_GCR_INVERTER, [](auto &p) { p.ca_lambda_min = 3, p.ca_lambda_max = 2; }), bad,
          "ca_lambda_min = 3");
  refused(spoiled(QUDA_BICGSTAB_INVERTER,
                  [](auto &p) { p.kappa = 0, p.mass_normalization = QUDA_ASYMMETRIC_MASS_NORMALIZATION; }),
          bad, "kappa = 0 with mass_normalization = 2");
  freeGaugeQuda();
  refused(solve_param(QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE), bad, "loadGaugeQuda");
}

} // namespace
