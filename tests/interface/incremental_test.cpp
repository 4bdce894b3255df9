/// Solves that leave low modes for those that follow, through the C interface: newDeflationQuda() and the inverters that
/// fill its spaces, against the plain reference and against conjugate gradients.

#include "hard_solves.h"

#include "core/environment_support.h"
#include "targets/target.h"

namespace
{

using namespace test;

constexpr double light = 0.156;

using Incremental = Untuned;

/// As host codes set it: the two structures know each other.
struct Space {
  QudaInvertParam invert;
  QudaEigParam eigen = newQudaEigParam();

  explicit Space(const QudaInvertParam &param, QudaInverterType type = QUDA_INC_EIGCG_INVERTER)
      : invert(param)
  {
    invert.inv_type = type;
    if (type != QUDA_GMRESDR_PROJ_INVERTER) {
      invert.n_ev = 8;
      invert.max_search_dim = 40;
    }
    invert.deflation_grid = 4;
    eigen.invert_param = &invert;
    eigen.nk = invert.n_ev;
    eigen.np = invert.n_ev * invert.deflation_grid;
    eigen.cuda_prec_ritz = QUDA_SINGLE_PRECISION;
    invert.deflation_op = newDeflationQuda(&eigen);
  }
  ~Space() { destroyDeflationQuda(invert.deflation_op); }
  Space(const Space &) = delete;
};

QudaInvertParam light_param(QudaInverterType inverter, QudaSolutionType solution, QudaSolveType solve)
{
  QudaInvertParam param = solve_param(inverter, solution, solve);
  param.kappa = light;
  param.maxiter = 4000;
  return param;
}

constexpr const char *gathered_anew = "they are gathered anew", *full = "the space is full";

} // namespace

/// The first source by conjugate gradients, the next ones in fewer iterations, those after the space is full in the
/// fewest.
TEST_F(Incremental, SystemsOfEveryKind)
{
  const Case on(quenched_links());
  const struct {
    QudaSolutionType solution;
    QudaSolveType solve;
    QudaDagType dagger = QUDA_DAG_NO;
    QudaPrecision sloppy = QUDA_SINGLE_PRECISION;
  } kinds[] = {{QUDA_MAT_SOLUTION, QUDA_NORMOP_PC_SOLVE},
               {QUDA_MATPCDAG_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_YES, QUDA_HALF_PRECISION},
               {QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE, QUDA_DAG_NO, QUDA_DOUBLE_PRECISION},
               {QUDA_MAT_SOLUTION, QUDA_NORMOP_SOLVE}};
  for (const auto &kind : kinds) {
    SCOPED_TRACE(testing::Message() << "solution " << kind.solution << ", solve " << kind.solve);
    QudaInvertParam plain = light_param(QUDA_CG_INVERTER, kind.solution, kind.solve);
    plain.dagger = kind.dagger;
    // which gathering solves do not go below
    plain.cuda_prec_sloppy = std::max(kind.sloppy, QUDA_SINGLE_PRECISION);
    Space space(plain);
    space.invert.cuda_prec_sloppy = kind.sloppy;
    std::vector<int> iterations;
    for (unsigned j = 0; j < 7; j++) {
      const Spinors b = source_for(on, plain, 5 + j);
      const Spinors x = solved(on, b, space.invert);
      EXPECT_LT(residual(on, x, b, space.invert), 100 * tol);
      EXPECT_LT(space.invert.true_res[0], tol);
      EXPECT_EQ(space.invert.rhs_idx, static_cast<int>(j) + 1);
      iterations.push_back(space.invert.iter);
      if (j > 0) continue;
      const Spinors same = solved(on, b, plain);
      EXPECT_EQ(space.invert.iter, plain.iter);
      EXPECT_TRUE(x == same) << "the bits of conjugate gradients";
    }
    std::printf("  iterations");
    for (const int one : iterations) std::printf(" %d", one);
    std::printf("\n");
    for (std::size_t j = 1; j < 7; j++) EXPECT_LT(iterations[j], 0.75 * iterations[0]) << j;
    EXPECT_LT(iterations.back(), 0.6 * iterations[0]);
  }
}

TEST_F(Incremental, SeveralSourcesOfOneCall)
{
  const Case on(quenched_links());
  Space space(light_param(QUDA_INC_EIGCG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE));
  space.invert.num_src = 8;
  space.invert.verbosity = QUDA_SUMMARIZE;
  std::vector<std::vector<double>> in, out;
  std::vector<void *> b, x;
  for (unsigned j = 0; j < 8; j++) in.push_back(on.host(reference::random_spinors(on.lattice, 60 + j), 0));
  out = in;
  for (std::size_t j = 0; j < 8; j++) {
    b.push_back(in[j].data());
    x.push_back(out[j].data());
  }
  {
    Output output;
    invertMultiSrcQuda(x.data(), b.data(), &space.invert);
    EXPECT_TRUE(output.says(full) && output.says("32 of 32 in the space") && output.says("MB on this rank"))
        << output.text();
  }
  EXPECT_EQ(space.invert.rhs_idx, 8);
  for (std::size_t j = 0; j < 8; j++) {
    EXPECT_LT(space.invert.true_res[j], tol);
    EXPECT_LT(residual(on, reference::from_host<double>(out[j], false), reference::from_host<double>(in[j], false),
                       space.invert),
              100 * tol);
  }
}

/// Another operator or other links are found, and told of; what is gathered then serves them.
TEST_F(Incremental, SpacesOfOtherLinksAreFoundStale)
{
  std::optional<Case> on(std::in_place, quenched_links());
  Space space(light_param(QUDA_INC_EIGCG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE));
  space.invert.verbosity = QUDA_SUMMARIZE;
  const auto anew = [&] {
    const Spinors b = source_for(*on, space.invert, 3);
    Output output;
    const Spinors x = solved(*on, b, space.invert);
    EXPECT_LT(residual(*on, x, b, space.invert), 100 * tol);
    return output.says(gathered_anew);
  };
  EXPECT_FALSE(anew());
  const int first = space.invert.iter;
  EXPECT_FALSE(anew());
  EXPECT_LT(space.invert.iter, 0.75 * first);
  for (const char *what : {"kappa", "dagger", "parity", "links"}) {
    SCOPED_TRACE(what);
    if (what == std::string("kappa")) space.invert.kappa = 0.1555;
    if (what == std::string("dagger")) space.invert.dagger = QUDA_DAG_YES;
    if (what == std::string("parity")) space.invert.matpc_type = QUDA_MATPC_ODD_ODD;
    if (what == std::string("links")) on.emplace(reference::random_gauge(reference::Lattice({4, 4, 4, 8}), 41));
    EXPECT_TRUE(anew());
    EXPECT_FALSE(anew());
  }
}

/// eigCG by itself is conjugate gradients, whatever was there; what it leaves serves the next solve.
TEST_F(Incremental, EigCGByItself)
{
  const Case on(quenched_links());
  QudaInvertParam plain = light_param(QUDA_CG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE);
  Space space(plain);
  const Spinors b = source_for(on, plain, 3), x = solved(on, b, plain);
  space.invert.inv_type = QUDA_EIGCG_INVERTER;
  for (int time = 0; time < 2; time++) {
    EXPECT_TRUE(solved(on, b, space.invert) == x);
    EXPECT_EQ(space.invert.iter, plain.iter);
  }
  space.invert.inv_type = QUDA_INC_EIGCG_INVERTER;
  const Spinors again = solved(on, b, space.invert);
  EXPECT_LT(residual(on, again, b, space.invert), 100 * tol);
  EXPECT_LT(space.invert.iter, 0.75 * plain.iter);
}

/// GMRES-Proj: systems of matrices that are not Hermitian, first by GMRES-DR to the bit, then in fewer iterations.
TEST_F(Incremental, OfAnyMatrix)
{
  const Case on(quenched_links());
  for (const auto &[solution, solve, sloppy] :
       {std::tuple(QUDA_MAT_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_DOUBLE_PRECISION),
        std::tuple(QUDA_MATPC_SOLUTION, QUDA_DIRECT_PC_SOLVE, QUDA_SINGLE_PRECISION)}) {
    SCOPED_TRACE(testing::Message() << "solution " << solution);
    QudaInvertParam plain = light_param(QUDA_GMRESDR_INVERTER, solution, solve);
    plain.n_ev = 12;
    plain.max_search_dim = 32;
    plain.cuda_prec_sloppy = sloppy;
    Space space(plain, QUDA_GMRESDR_PROJ_INVERTER);
    std::vector<int> iterations;
    for (unsigned j = 0; j < 4; j++) {
      const Spinors b = source_for(on, plain, 5 + j);
      const Spinors x = solved(on, b, space.invert);
      EXPECT_LT(residual(on, x, b, space.invert), 100 * tol);
      EXPECT_LT(space.invert.true_res[0], tol);
      iterations.push_back(space.invert.iter);
      if (j > 0) continue;
      EXPECT_TRUE(x == solved(on, b, plain)) << "the bits of GMRES-DR";
      EXPECT_EQ(space.invert.iter, plain.iter);
    }
    std::printf("  iterations");
    for (const int one : iterations) std::printf(" %d", one);
    std::printf("\n");
    for (std::size_t j = 1; j < 4; j++) EXPECT_LT(iterations[j], 0.75 * iterations[0]) << j;
    EXPECT_LT(iterations.back(), 0.55 * iterations[0]);
  }
}

/// Two spaces, of two precisions, do not know of each other; what they take is given back, and the end frees the rest.
TEST_F(Incremental, SpacesAreFreed)
{
  const Case on(quenched_links());
  const QudaInvertParam param = light_param(QUDA_INC_EIGCG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE);
  const auto used = [] { return quda::device_pool().counts().live_bytes; };
  const Spinors b = source_for(on, param, 3);
  {
    Space first(param);
    solved(on, b, first.invert); // what stays of any solve
  }
  const auto before = used();
  {
    Space one(param), other(param);
    EXPECT_NE(one.invert.deflation_op, other.invert.deflation_op);
    EXPECT_EQ(used(), before) << "before the first solve";
    solved(on, b, one.invert);
    const auto with_one = used();
    EXPECT_GE(with_one - before, 32u * on.lattice.volume() / 2 * 24 * sizeof(float));
    const int iterations = one.invert.iter;
    solved(on, b, other.invert);
    EXPECT_EQ(other.invert.iter, iterations);
    EXPECT_EQ(used() - with_one, with_one - before);
  }
  EXPECT_EQ(used(), before);
  destroyDeflationQuda(nullptr);
  // left to endQuda()
  QudaInvertParam invert = param;
  QudaEigParam eigen = newQudaEigParam();
  eigen.invert_param = &invert;
  eigen.run_verify = QUDA_BOOLEAN_TRUE;
  invert.deflation_op = newDeflationQuda(&eigen);
  invert.verbosity = QUDA_SUMMARIZE;
  Output output;
  solved(on, b, invert);
  EXPECT_TRUE(output.says("|V^dag V - 1| of the space up to ")) << output.text();
}

/// Sources that are zero, limits, tolerances that cannot be: as all solves end, and the space stays of use.
TEST_F(Incremental, HardSources)
{
  const Case on(quenched_links());
  const Space space(light_param(QUDA_INC_EIGCG_INVERTER, QUDA_MATPC_SOLUTION, QUDA_NORMOP_PC_SOLVE));
  const Spinors b = source_for(on, space.invert, 3);
  const auto converged = [&](const std::function<void(QudaInvertParam &)> &change, double factor = 1) {
    QudaInvertParam param = space.invert;
    change(param);
    Spinors source = b;
    multiply(source, factor);
    const Spinors x = solved(on, source, param);
    if (factor > 0) {
      EXPECT_TRUE(std::isfinite(residual(on, x, source, param)));
    }
    return param.iter < param.maxiter;
  };
  EXPECT_TRUE(converged([](auto &) {}, 0));
  EXPECT_FALSE(converged([](auto &p) { p.maxiter = 1; }));
  EXPECT_FALSE(converged([](auto &p) { p.maxiter = 0; }));
  EXPECT_FALSE(converged([](auto &p) { p.tol = 1e-16; }));
  EXPECT_TRUE(converged([](auto &p) { p.tol_restart = p.inc_tol = 0; }));
  EXPECT_TRUE(converged([](auto &) {}, 1e-150));
  EXPECT_TRUE(converged([](auto &p) { p.max_restart_num = 0; }));
  EXPECT_TRUE(converged([](auto &p) { p.eigenval_tol = 0; }));
  EXPECT_TRUE(converged([](auto &p) { p.max_search_dim = 17; }));
}
