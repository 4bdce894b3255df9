/// Methods that use more than one Krylov space: preconditioned, of several right-hand sides, deflated.

#include <cstdio>
#include <limits>

#include "ops/blas/block.h"
#include "solvers/block_cg.h"
#include "solvers/dense_solves.h"
#include "solvers/preconditioner.h"

using namespace quda;
using namespace solver_tests;

/// Columns that depend on each other: equal ones, multiples, sums, zero, and norms far apart.
TEST(BlockCG, DependentColumns)
{
  for (const Precision sloppy : {Precision::double_, Precision::single, Precision::half})
    for (int alone = 0; const int n : {1, 2, 5, 32}) {
      if (n == 32 && sloppy != Precision::double_) continue;
      SCOPED_TRACE(testing::Message() << n << " right-hand sides, sloppy " << bytes_of(sloppy));
      std::vector<Vector> b = sources(n);
      if (n >= 2) b[1] = b[0];
      if (n >= 5) {
        b[2].assign(length, 0);
        for (std::size_t i = 0; i < length; i++) b[3][i] = 2.0 * b[0][i] - b[4][i];
        for (Complex &z : b[4]) z *= 1e-60;
      }
      if (n >= 32)
        for (Complex &z : b[31]) z *= 1e100;
      const How how {.method = Method::block_cg, .sloppy = sloppy};
      const Solution s = solve(positive, b, how), again = solve(positive, b, how);
      expect_all_converged(s);
      if (n == 1) alone = s.report.iterations;
      if (n == 2) {
        EXPECT_EQ(s.report.iterations, alone) << "of equal ones one is worked on";
      }
      check_honest(positive, b, how, s);
      EXPECT_EQ(s.x, again.x) << "the same right-hand sides, the same bits";
    }
}

/// Columns that are nearly the same look in as many spaces as others: in no more steps, each solution its own.
TEST(BlockCG, NearlyDependentColumns)
{
  int most = 0;
  for (const double apart : {0.1, 1e-3, 1e-5}) {
    SCOPED_TRACE(apart);
    std::vector<Vector> b = sources(3);
    for (std::size_t i = 0; i < length; i++)
      for (int j = 1; j < 3; j++) b[j][i] = b[0][i] + apart * b[j][i];
    const How how {.method = Method::block_cg};
    const Solution s = solve(positive, b, how);
    expect_all_converged(s);
    check_honest(positive, b, how, s);
    if (most == 0) most = s.report.iterations + 5;
    EXPECT_LE(s.report.iterations, most);
  }
}

/// As many steps as eigenvalues alone; together far fewer where the condition is bad.
TEST(BlockCG, LooksInAllSpacesAtOnce)
{
  const Problem few {diagonal([](std::size_t i) { return 1.0 + static_cast<double>(i % 24); }), Symmetry::positive};
  EXPECT_EQ(solve(few, sources(1), {.method = Method::block_cg}).report.iterations, 24);
  const Problem broad {spread(1e6), Symmetry::positive};
  const int alone = solve(broad, sources(1), {.method = Method::cg}).report.iterations,
            together = solve(broad, sources(12), {.method = Method::block_cg}).report.iterations;
  EXPECT_LT(4 * together, alone);
}

TEST(BlockCG, FactorsOfDependentVectors)
{
  // of (1, 0), twice that, (1, 1), and nothing
  const double vectors[4][2] = {{1, 0}, {2, 0}, {1, 1}, {0, 0}};
  blas::Matrix G(4, 4);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) G(i, j) = vectors[i][0] * vectors[j][0] + vectors[i][1] * vectors[j][1];
  const RankFactor found(G, 1e-11);
  EXPECT_EQ(found.rank, 2);
  for (int x = 0; x < 2; x++) { // W = Q S with Q = W B
    double Q[2] = {};
    for (int k = 0; k < found.rank; k++)
      for (int i = 0; i < 4; i++) Q[k] += vectors[i][x] * found.B(i, k).real();
    for (int i = 0; i < 4; i++) {
      double W = 0;
      for (int k = 0; k < found.rank; k++) W += Q[k] * found.S(k, i).real();
      EXPECT_NEAR(W, vectors[i][x], 1e-15) << "vector " << i;
    }
  }
}

/// Deflation: where a few eigenvalues are tiny, restarts that keep their vectors need far fewer steps.
TEST(GMRESDR, KeepsTheSmallestEigenvalues)
{
  const Problem problem {diagonal([](std::size_t i) {
    return i < 4 ? Complex(1e-3 * static_cast<double>(i + 1), 1e-4) : Complex(1 + 0.01 * static_cast<double>(i), 0.2);
  })};
  const auto iterations = [&](Method method, const MethodOptions &options) {
    const How how {.method = method, .options = options};
    const std::vector<Vector> b = sources(2);
    const Solution s = solve(problem, b, how);
    expect_all_converged(s);
    check_honest(problem, b, how, s);
    return s.report.iterations;
  };
  const int restarted = iterations(Method::gcr, {.krylov = 16}),
            deflated = iterations(Method::gmresdr, {.space = 16, .kept = 6});
  std::printf("  GCR(16) %d steps, GMRES-DR(16, 6) %d\n", restarted, deflated);
  EXPECT_LT(3 * deflated, restarted);
}

/// A preconditioner that is nothing, not finite, or of the wrong sign does not spoil the method.
TEST(Preconditioned, UselessPreconditioners)
{
  struct Scaled final : Preconditioner {
    double factor;
    int calls = 0;
    explicit Scaled(double factor)
        : factor(factor)
    {
    }
    void apply(ColorSpinorField &z, const ColorSpinorField &r) override
    {
      calls++;
      blas::block::convert(z, r, factor);
    }
  };
  for (const Method method : {Method::gcr, Method::pcg})
    for (const double factor : {1.0, 0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      SCOPED_TRACE(testing::Message() << row_of(method).name << ", factor " << factor);
      Scaled K(factor);
      const Problem &problem = ordinary(row_of(method));
      const How how {.method = method, .options = {.krylov = 10, .preconditioner = &K}};
      const std::vector<Vector> b = sources(2);
      const Solution s = solve(problem, b, how);
      expect_all_converged(s);
      check_honest(problem, b, how, s);
      EXPECT_GE(K.calls, s.report.iterations);
    }
}

/// Steps of any method, in any precision, as a preconditioner: fewer steps outside.
TEST(Preconditioned, ByAnyMethod)
{
  for (const Method method : {Method::gcr, Method::pcg})
    for (const MethodRow &inner : methods())
      for (const Precision precision : {Precision::double_, Precision::single, Precision::half}) {
        const MethodRow &row = row_of(method);
        if (inner.positive != row.positive) continue; // PCG wants one that is nearly Hermitian
        SCOPED_TRACE(testing::Message() << row.name << " with " << inner.name << " in " << bytes_of(precision));
        const Problem &problem = ordinary(row);
        const DenseOperator A(small_lattice(), precision, problem.matrix, problem.symmetry);
        InnerIteration K(
            A, [&](const LinearOperator &seen) { return inner.make(seen, {.krylov = 4}); }, inner.system, 8);
        const How how {.method = method, .options = {.krylov = 10, .preconditioner = &K}};
        const std::vector<Vector> b = sources(2);
        const Solution s = solve(problem, b, how), plain = solve(problem, b, {.method = method});
        expect_all_converged(s);
        check_honest(problem, b, how, s);
        EXPECT_LT(s.report.iterations, plain.report.iterations);
        EXPECT_GT(K.flops_done(), 0);
      }
}
