/// Solves with QudaInvertParam.eig_param: of every kind of system against the plain reference, with low modes that stay
/// between solves, and that are found anew where links or operator are no longer theirs.

#include "hard_solves.h"

#include "core/environment_support.h"

namespace
{

using namespace test;

constexpr double light = 0.156;

using Deflation = Untuned;

/// As host codes set it: the two structures know each other.
struct Deflated {
  QudaInvertParam invert;
  QudaEigParam eigen = newQudaEigParam();

  explicit Deflated(const QudaInvertParam &param, int n = 24)
      : invert(param)
  {
    eigen.invert_param = &invert;
    eigen.eig_type = QUDA_EIG_TR_LANCZOS;
    eigen.spectrum = QUDA_SPECTRUM_SR_EIG;
    eigen.use_norm_op = eigen.use_pc = QUDA_BOOLEAN_TRUE;
    eigen.use_poly_acc = QUDA_BOOLEAN_TRUE;
    eigen.poly_deg = 12;
    eigen.n_conv = n;
    eigen.n_ev = n + 4;
    eigen.n_kr = 3 * n;
    eigen.tol = 1e-4;
    eigen.max_restarts = 100;
    invert.eig_param = &eigen;
  }
  Deflated(const Deflated &) = delete;
};

QudaInvertParam light_param(QudaInverterType inverter, QudaSolutionType solution, QudaSolveType solve)
{
  QudaInvertParam param = solve_param(inverter, solution, solve);
  param.kappa = light;
  param.maxiter = 4000;
  return param;
}

constexpr const char *found_anew = "it is found anew", *found = "low modes converged";

} // namespace

TEST_F(Deflation, SystemsOfEveryKind)
{
  const Case on(quenched_links());
  const struct {
    QudaInverterType inverter;
    QudaSolutionType solution;
    QudaSolveType solve;
    QudaDagType dagger = QUDA_DAG_NO;
  } kinds[] = {{QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE},
               {QUDA_CG_INVERTER, QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_YES},
               {QUDA_CA_CG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE},
               {QUDA_PCG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMOP_SOLVE},
               {QUDA_CG_INVERTER, QUDA_MAT_SOLUTION, QUDA_NORMERR_PC_SOLVE},
               {QUDA_BICGSTAB_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE},
               {QUDA_GCR_INVERTER, QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_DAG_YES},
               {QUDA_CGNR_INVERTER, QUDA_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE}};
  for (const auto &kind : kinds) {
    SCOPED_TRACE(testing::Message() << "inverter " << kind.inverter << ", solution " << kind.solution << ", solve "
                                    << kind.solve);
    QudaInvertParam plain = light_param(kind.inverter, kind.solution, kind.solve);
    plain.dagger = kind.dagger;
    const Spinors b = source_for(on, plain, 5);
    Deflated with(plain);
    with.eigen.use_pc = kind.solve == QUDA_NORMOP_SOLVE ? QUDA_BOOLEAN_FALSE : QUDA_BOOLEAN_TRUE;
    if (kind.inverter == QUDA_BICGSTAB_INVERTER || kind.inverter == QUDA_GCR_INVERTER) with.invert.tol_restart = 0.1;
    solved(on, b, plain);
    const Spinors x = solved(on, b, with.invert);
    EXPECT_LT(residual(on, x, b, with.invert), 100 * tol);
    EXPECT_LT(with.invert.true_res[0], tol);
    std::printf("  inverter %d: %d iterations of %d\n", kind.inverter, with.invert.iter, plain.iter);
    EXPECT_LT(with.invert.iter, 0.6 * plain.iter);
    EXPECT_EQ(with.eigen.preserve_deflation_space, nullptr);
  }
}

TEST_F(Deflation, SpacesStayAndAreFoundStale)
{
  std::optional<Case> on(std::in_place, quenched_links());
  QudaInvertParam plain = light_param(QUDA_CG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE);
  plain.verbosity = QUDA_SUMMARIZE;
  Deflated with(plain);
  with.eigen.preserve_deflation = QUDA_BOOLEAN_TRUE;
  const auto solve = [&](unsigned seed) {
    const Spinors b = source_for(*on, with.invert, seed);
    Output output;
    const Spinors x = solved(*on, b, with.invert);
    EXPECT_LT(residual(*on, x, b, with.invert), 100 * tol);
    return output.text();
  };
  const auto says = [](const std::string &text, const char *words) { return text.find(words) != std::string::npos; };
  // three solves, one search
  std::string text = solve(1);
  EXPECT_TRUE(says(text, found) && !says(text, found_anew)) << text;
  const void *const handle = with.eigen.preserve_deflation_space;
  EXPECT_NE(handle, nullptr);
  const int iterations = with.invert.iter;
  for (const unsigned seed : {2u, 1u}) {
    text = solve(seed);
    EXPECT_FALSE(says(text, found)) << text;
    EXPECT_EQ(with.eigen.preserve_deflation_space, handle);
  }
  EXPECT_EQ(with.invert.iter, iterations);
  // fewer of them, values anew
  with.eigen.n_ev_deflate = 4;
  with.eigen.preserve_evals = QUDA_BOOLEAN_FALSE;
  text = solve(1);
  EXPECT_FALSE(says(text, found)) << text;
  EXPECT_GT(with.invert.iter, iterations);
  with.eigen.n_ev_deflate = -1;
  // another operator, more modes, other links: one message each
  for (const char *what : {"kappa", "dagger", "modes", "links"}) {
    SCOPED_TRACE(what);
    if (what == std::string("kappa")) with.invert.kappa = 0.1555;
    if (what == std::string("dagger")) with.invert.dagger = QUDA_DAG_YES;
    if (what == std::string("modes")) with.eigen.n_conv++;
    if (what == std::string("links")) on.emplace(reference::random_gauge(reference::Lattice({4, 4, 4, 8}), 41));
    text = solve(1);
    EXPECT_TRUE(says(text, found_anew)) << text;
    EXPECT_EQ(with.eigen.preserve_deflation_space, handle);
    text = solve(1);
    EXPECT_FALSE(says(text, found)) << text;
  }
  // the last one
  with.eigen.preserve_deflation = QUDA_BOOLEAN_FALSE;
  text = solve(3);
  EXPECT_FALSE(says(text, found)) << text;
  EXPECT_EQ(with.eigen.preserve_deflation_space, nullptr);
}

TEST_F(Deflation, ManySourcesInMixedPrecision)
{
  const Case on(quenched_links());
  QudaInvertParam plain = light_param(QUDA_CG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE);
  plain.num_src = 12;
  plain.cuda_prec_sloppy = plain.cuda_prec_eigensolver = QUDA_HALF_PRECISION;
  Deflated with(plain);
  std::vector<std::vector<double>> in, out;
  std::vector<void *> b, x;
  for (unsigned j = 0; j < 12; j++) in.push_back(on.host(reference::random_spinors(on.lattice, 60 + j), 0));
  out = in;
  for (std::size_t j = 0; j < 12; j++) {
    b.push_back(in[j].data());
    x.push_back(out[j].data());
  }
  invertMultiSrcQuda(x.data(), b.data(), &plain);
  invertMultiSrcQuda(x.data(), b.data(), &with.invert);
  for (std::size_t j = 0; j < 12; j++) {
    EXPECT_LT(with.invert.true_res[j], tol);
    EXPECT_LT(residual(on, reference::from_host<double>(out[j], false), reference::from_host<double>(in[j], false),
                       with.invert),
              100 * tol);
  }
  std::printf("  12 sources: %d iterations of %d\n", with.invert.iter, plain.iter);
  EXPECT_LT(with.invert.iter, 0.6 * plain.iter);
}

TEST_F(Deflation, EndsWithoutConvergence)
{
  const Case on(quenched_links());
  Deflated with(light_param(QUDA_CG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE));
  with.eigen.max_restarts = 0;
  with.eigen.use_poly_acc = QUDA_BOOLEAN_FALSE;
  with.eigen.preserve_deflation = QUDA_BOOLEAN_TRUE;
  const Spinors b = source_for(on, with.invert, 1);
  std::vector<double> in = on.host(reference::random_spinors(on.lattice, 1), 0), out(in);
  invertQuda(out.data(), in.data(), &with.invert);
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_TRUE(handler.says("invertQuda") && handler.says("max_restarts = 0") && handler.says("of 24 pairs"))
      << handler.text();
  EXPECT_EQ(with.eigen.preserve_deflation_space, nullptr);
  handler.forget();
  with.eigen.require_convergence = QUDA_BOOLEAN_FALSE;
  Output output;
  const Spinors x = solved(on, b, with.invert);
  EXPECT_LT(residual(on, x, b, with.invert), 100 * tol);
  EXPECT_NE(with.eigen.preserve_deflation_space, nullptr);
}
