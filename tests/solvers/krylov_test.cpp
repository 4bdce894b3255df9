/// The driver and its methods on operators of any spectrum: what is called converged is, recomputed from the solution
/// by the matrix itself, in every mode and at every end.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "core/captured_log.h"
#include "solvers/dense_operator.h"
#include "solvers/dense_solves.h"
#include "solvers/gram_factor.h"
#include "solvers/method.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace solver_tests;

namespace
{

void solves(const MethodRow &row, Precision sloppy, int n)
{
  SCOPED_TRACE(testing::Message() << row.name << ", sloppy " << bytes_of(sloppy) << ", right-hand sides " << n);
  const How how {.method = row.method, .sloppy = sloppy};
  const std::vector<Vector> b = sources(n);
  const Solution s = solve(ordinary(row), b, how);
  expect_all_converged(s);
  check_honest(ordinary(row), b, how, s);
}

} // namespace

TEST(Krylov, EveryMethodSolvesInEveryPrecision)
{
  for (const MethodRow &row : methods())
    for (const Precision sloppy : {Precision::double_, Precision::single, Precision::half})
      for (const int n : {1, 3}) solves(row, sloppy, n);
}

TEST(Krylov, EveryMethodOnEveryTarget)
{
  support::on_targets([] {
    for (const MethodRow &row : direct_methods()) solves(row, Precision::half, 2);
  });
}

TEST(Krylov, AWrongSloppyOperatorIsNeverBelieved)
{
  const auto times = [](const Matrix &m, Complex factor) {
    return [m, factor](const Vector &in, bool dagger) {
      Vector out = m(in, dagger);
      for (Complex &z : out) z *= dagger ? std::conj(factor) : factor;
      return out;
    };
  };
  for (const MethodRow &row : direct_methods())
    for (const Complex factor : {Complex(1.1), Complex(2), Complex(-1), Complex(0)})
      for (const Precision sloppy : {Precision::half}) {
        SCOPED_TRACE(testing::Message() << row.name << ", factor " << factor << ", sloppy " << bytes_of(sloppy));
        Problem problem = ordinary(row);
        problem.sloppy = times(problem.matrix, factor);
        const How how {.method = row.method, .sloppy = sloppy, .limits = {.iterations = 5000}};
        const std::vector<Vector> b = sources(2);
        const Solution s = solve(problem, b, how);
        check_honest(problem, b, how, s);
        expect_all_converged(s); // the next better precision is not spoiled
      }
}

TEST(Krylov, ASpoiledProductIsNeverBelieved)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    int when;
    bool from_then_on;
    double noise;
  } spoils[] = {{0, false, 1e3}, {3, false, nan}, {3, true, 1e-2}, {17, false, 1e-2}, {17, true, 1e3}, {17, true, nan}};
  for (const MethodRow &row : direct_methods())
    for (const auto &[when, from_then_on, noise] : spoils) {
      SCOPED_TRACE(testing::Message() << row.name << ", product " << when << (from_then_on ? " and all after it" : "")
                                      << ", noise " << noise);
      Problem problem = ordinary(row);
      problem.sloppy = [=, count = std::make_shared<int>(0), m = problem.matrix, when = when, then = from_then_on,
                        noise = noise](const Vector &in, bool dagger) {
        Vector out = m(in, dagger);
        const int n = (*count)++;
        if (n == when || (then && n > when)) out[n % out.size()] += noise;
        return out;
      };
      const How how {.method = row.method, .sloppy = Precision::single, .limits = {.iterations = 5000}};
      const std::vector<Vector> b = sources(1);
      const Solution s = solve(problem, b, how);
      check_honest(problem, b, how, s);
      if (row.method != Method::sd) expect_all_converged(s); // which noise may throw about for ever
    }
}

TEST(Krylov, ZeroSources)
{
  std::vector<Vector> b = sources(12);
  b[5].assign(length, 0.0);
  for (const MethodRow &row : methods()) {
    SCOPED_TRACE(row.name);
    const Problem &problem = ordinary(row);
    const How how {.method = row.method, .sloppy = Precision::single};
    Solution s = solve(problem, b, how);
    expect_all_converged(s);
    check_honest(problem, b, how, s);
    s = solve(problem, {Vector(length)}, how);
    expect_all_converged(s);
    EXPECT_EQ(norm(s.x[0]), 0);
    EXPECT_EQ(s.report.rhs[0].residual, 0);
  }
}

TEST(Krylov, EqualSourcesAndOneAlreadySolved)
{
  std::vector<Vector> b = sources(3);
  b[2] = b[0];
  const Solution s = solve(positive, b, {.sloppy = Precision::single});
  expect_all_converged(s);
  EXPECT_EQ(s.x[0], s.x[2]);

  std::vector<Vector> guess = s.x;
  guess[1].assign(length, 0.0);
  const How how {.guess = &guess};
  const Solution again = solve(positive, b, how);
  expect_all_converged(again);
  check_honest(positive, b, how, again);
  EXPECT_EQ(again.report.rhs[0].iterations, 1);
  EXPECT_EQ(again.x[0], s.x[0]) << "a guess that is good enough is the solution";
}

TEST(Krylov, HugeAndTinySourcesKeepTheirBits)
{
  const std::vector<Vector> b = sources(1);
  const Solution plain = solve(positive, b, {.sloppy = Precision::single});
  for (const int power : {500, -500, 996, -960}) {
    std::vector<Vector> scaled = b;
    for (Complex &z : scaled[0]) z = {std::ldexp(z.real(), power), std::ldexp(z.imag(), power)};
    const Solution s = solve(positive, scaled, {.sloppy = Precision::single});
    expect_all_converged(s);
    EXPECT_EQ(s.report.iterations, plain.report.iterations);
    for (std::size_t i = 0; i < length; i++)
      ASSERT_EQ(s.x[0][i].real(), std::ldexp(plain.x[0][i].real(), power)) << "2^" << power << ", number " << i;
  }
  std::vector<Vector> both = sources(2);
  for (Complex &z : both[0]) z *= 1e150;
  for (Complex &z : both[1]) z *= 1e-150;
  expect_all_converged(solve(positive, both, {}));
}

TEST(Krylov, OrderOfRightHandSidesChangesNoBit)
{
  const std::vector<Vector> b = sources(5);
  std::vector<Vector> turned(b.rbegin(), b.rend());
  for (const MethodRow &row : methods()) {
    if (row.method == Method::block_cg) continue; // its promise is for one order
    const Problem &problem = ordinary(row);
    const How how {.method = row.method, .sloppy = Precision::single};
    const Solution s = solve(problem, b, how), t = solve(problem, turned, how), again = solve(problem, b, how);
    for (std::size_t j = 0; j < b.size(); j++) {
      EXPECT_EQ(s.x[j], t.x[b.size() - 1 - j]) << row.name;
      EXPECT_EQ(s.x[j], again.x[j]);
    }
  }
}

TEST(Krylov, NotFiniteInputsAreRefusedByNumber)
{
  const auto refuses = [](const std::vector<Vector> &b, const How &how, const char *what) {
    expect_refused(ErrorKind::bad_argument, {what}, [&] { solve(positive, b, how); });
  };
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<Vector> b = sources(3), guess = sources(3, 7);
    b[1][17] = bad;
    refuses(b, {}, "right-hand side 1");
    guess[2][3] = bad;
    const std::vector<Vector> good = sources(3);
    refuses(good, {.guess = &guess}, "guess of right-hand side 2");
  }
}

TEST(Krylov, NotFiniteOperatorsEndTheSolve)
{
  Problem problem {[](const Vector &in, bool) { return Vector(in.size(), std::nan("")); }, Symmetry::positive};
  for (const MethodRow &row : methods()) {
    const Solution s = solve(problem, sources(1), {.method = row.method, .sloppy = Precision::single});
    EXPECT_EQ(s.report.rhs[0].outcome, Outcome::not_finite)
        << row.name << ": " << outcome_text(s.report.rhs[0].outcome);
    for (const Complex &z : s.x[0]) EXPECT_TRUE(std::isfinite(z.real()) && std::isfinite(z.imag()));
  }
}

TEST(Krylov, LimitsOfIterations)
{
  const std::vector<Vector> b = sources(2);
  for (const MethodRow &row : methods())
    for (const int most : {0, 1, 7}) {
      SCOPED_TRACE(testing::Message() << row.name << ", limit " << most);
      const How how {.method = row.method, .limits = {.iterations = most}};
      const Solution s = solve(ordinary(row), b, how);
      check_honest(ordinary(row), b, how, s);
      for (const RhsReport &one : s.report.rhs) {
        EXPECT_EQ(one.outcome, Outcome::iterations);
        EXPECT_EQ(one.iterations, std::max(most, 1));
      }
      EXPECT_EQ(s.report.iterations, std::max(most, 1));
    }
}

TEST(Krylov, TolerancesBelowThePrecision)
{
  const std::vector<Vector> b = sources(1);
  for (const MethodRow &row : direct_methods())
    for (const auto &[tol, sloppy] : {std::pair(1e-17, Precision::double_), {1e-25, Precision::single}}) {
      SCOPED_TRACE(testing::Message() << row.name << ", tolerance " << tol << ", sloppy " << bytes_of(sloppy));
      const How how {
          .method = row.method, .sloppy = sloppy, .tolerance = {.relative = tol}, .limits = {.iterations = 20000}};
      const Solution s = solve(ordinary(row), b, how);
      EXPECT_EQ(s.report.rhs[0].outcome, Outcome::precision_limit) << outcome_text(s.report.rhs[0].outcome);
      EXPECT_LT(s.report.rhs[0].residual, 1e-12);
      EXPECT_LT(s.report.iterations, 10000);
      check_honest(ordinary(row), b, how, s);
    }
}

/// |b - A x| itself, of sources far from 1: met, and no more than that; of two tolerances the one that asks for more.
TEST(Krylov, AbsoluteTolerances)
{
  for (const double size : {1e-12, 1.0, 1e12})
    for (const double relative : {0.0, 1e-3, 1e-9}) {
      SCOPED_TRACE(testing::Message() << "size " << size << ", relative " << relative);
      std::vector<Vector> b = sources(2);
      for (std::size_t j = 0; j < 2; j++)
        for (Complex &z : b[j]) z *= size * (j == 0 ? 1.0 : 100.0);
      const How how {.sloppy = Precision::single, .tolerance = {.relative = relative, .absolute = 1e-5 * size}};
      const Solution s = solve(positive, b, how);
      expect_all_converged(s);
      for (std::size_t j = 0; j < 2; j++) {
        const double is = residual(positive.matrix, s.x[j], b[j]) * norm(b[j]),
                     wanted = relative == 0 ? 1e-5 * size : std::min(1e-5 * size, relative * norm(b[j]));
        EXPECT_LT(is, wanted) << j;
        EXPECT_GT(is, 0.05 * wanted) << j;
        EXPECT_NEAR(s.report.rhs[j].residual * norm(b[j]), is, 1e-3 * is);
      }
    }
}

/// A fault of the precise product alone, once: what is handed out is what the residual is told of.
TEST(Krylov, AFaultOfThePreciseProductIsTold)
{
  for (const MethodRow &row : direct_methods()) {
    SCOPED_TRACE(row.name);
    Problem problem = ordinary(row);
    const Matrix good = problem.matrix;
    problem.sloppy = good;
    problem.matrix = [good, count = std::make_shared<int>(0)](const Vector &in, bool dagger) {
      Vector out = good(in, dagger);
      if ((*count)++ == 0) out[3] = std::nan("");
      return out;
    };
    const How how {.method = row.method, .sloppy = Precision::single};
    const std::vector<Vector> b = sources(1);
    const Solution s = solve(problem, b, how);
    check_honest({good, problem.symmetry}, b, how, s);
  }
}

/// When a true residual takes the recursion's place, the direction follows: <p, r> = |r|^2, without which the step along
/// it is not the best.
TEST(Krylov, DirectionsFollowTheTrueResidual)
{
  const DenseOperator A(small_lattice(), Precision::double_, positive.matrix, Symmetry::positive);
  ColorSpinorField b(A.shape(2)), other(A.shape(2));
  set(b, sources(2));
  set(other, sources(2, 7));
  const auto iteration = row_of(Method::cg).make(A, {});
  iteration->start(b);
  iteration->run({.norm = {0, 0}, .steps = 5, .progress = {}});
  iteration->replace(other);
  const std::vector<double> rp = blas::block::redot(other, *iteration->direction()), rr = blas::block::norm2(other);
  for (std::size_t j = 0; j < 2; j++) EXPECT_NEAR(rp[j] / rr[j], 1, 1e-12);
}

TEST(Krylov, SingularSystems)
{
  const Problem singular {diagonal([](std::size_t i) { return i < 3 ? 0.0 : 1 + 0.01 * static_cast<double>(i); }),
                          Symmetry::positive};
  std::vector<Vector> consistent = sources(1);
  for (int i = 0; i < 3; i++) consistent[0][i] = 0;
  for (const MethodRow &row : methods()) {
    SCOPED_TRACE(row.name);
    expect_all_converged(solve(singular, consistent, {.method = row.method, .sloppy = Precision::single}));
    const How how {.method = row.method, .limits = {.iterations = 1000}};
    const std::vector<Vector> b = sources(1);
    const Solution s = solve(singular, b, how);
    EXPECT_NE(s.report.rhs[0].outcome, Outcome::converged);
    check_honest(singular, b, how, s);
  }
}

TEST(Krylov, IndefiniteAndSkewOperators)
{
  const Matrix indefinite = diagonal([](std::size_t i) { return (i % 2 ? -1.0 : 1.0) * (1 + 0.1 * i); });
  const std::vector<Vector> b = sources(1);
  for (const MethodRow &row : direct_methods()) {
    SCOPED_TRACE(row.name);
    for (const Precision sloppy : {Precision::double_, Precision::single}) {
      const Problem claimed {indefinite, Symmetry::positive};
      const How how {.method = row.method, .sloppy = sloppy, .limits = {.iterations = 100}};
      const Solution s = solve(claimed, b, how);
      check_honest(claimed, b, how, s);
      if (!row.positive) continue;
      EXPECT_EQ(s.report.rhs[0].outcome, Outcome::indefinite) << outcome_text(s.report.rhs[0].outcome);
      EXPECT_THROW(solve({indefinite, Symmetry::hermitian}, b, how), Error);
    }
  }
  const Problem skew {diagonal([](std::size_t i) { return Complex(0, (i % 2 ? -1 : 1) * (1 + 0.01 * i)); })};
  for (const Method method : {Method::bicgstab, Method::mr, Method::sd}) {
    const How how {.method = method, .limits = {.iterations = 60}};
    const Solution t = solve(skew, b, how);
    check_honest(skew, b, how, t);
    EXPECT_NE(t.report.rhs[0].outcome, Outcome::converged);
  }
  expect_all_converged(solve(skew, b, {.method = Method::bicgstabl, .options = {.krylov = 2}}));
}

/// <r, A r> is zero for the source, so that a residual held against itself leads nowhere; held against another it does.
TEST(Krylov, BreakdownsOfTheFirstStepAreLeft)
{
  const Problem reflection {diagonal([](std::size_t i) { return i < length / 2 ? -1.0 : 4.0; })};
  Vector b(length);
  for (std::size_t i = 0; i < length; i++) b[i] = i < length / 2 ? 2.0 : 1.0;
  for (const Method method : {Method::bicgstab, Method::bicgstabl})
    for (const Precision sloppy : {Precision::double_, Precision::single}) {
      SCOPED_TRACE(row_of(method).name);
      const How how {.method = method, .sloppy = sloppy, .limits = {.iterations = 100}, .options = {.krylov = 2}};
      expect_all_converged(solve(reflection, {b}, how));
    }
}

/// More powers at a time than the precision tells apart: the recursion ends before they are all there, and goes on.
TEST(Krylov, TooManyPowersAtATime)
{
  for (const int l : {16, 20, 24}) {
    SCOPED_TRACE(l);
    expect_all_converged(solve({spread(1000)}, sources(1), {.method = Method::bicgstabl, .options = {.krylov = l}}));
  }
}

TEST(Krylov, StepsOfConjugateGradientsAndResiduals)
{
  for (const int distinct : {1, 2, 5}) {
    const Problem few {diagonal([=](std::size_t i) { return 1.0 + static_cast<double>(i % distinct); }),
                       Symmetry::positive};
    for (const Method method : {Method::cg, Method::cg3, Method::gcr}) {
      const Solution s = solve(few, sources(1), {.method = method});
      expect_all_converged(s);
      EXPECT_EQ(s.report.iterations, distinct) << row_of(method).name << ": as many steps as eigenvalues";
    }
    // directions that depend on each other are left out
    for (const Method method : {Method::ca_cg, Method::ca_gcr})
      for (const int s : {1, 8}) {
        const How how {.method = method, .options = {.krylov = s}};
        const Solution found = solve(few, sources(2), how);
        expect_all_converged(found);
        if (s == 8) {
          EXPECT_EQ(found.report.iterations, s) << row_of(method).name << ": one cycle";
        }
      }
  }
}

TEST(Krylov, ResidualsThatNeverGrow)
{
  for (const Method method : {Method::mr, Method::gcr, Method::ca_gcr}) {
    const std::vector<double> all = residuals_of(skewed, row_of(method), {.krylov = 3}, 12);
    for (std::size_t i = 1; i < all.size(); i++) EXPECT_LE(all[i], all[i - 1] * (1 + 1e-14)) << row_of(method).name;
  }
}

/// The same residuals as conjugate gradients, s steps at a time.
TEST(Krylov, SeveralStepsAtATime)
{
  const std::vector<double> one_by_one = residuals_of(positive, row_of(Method::cg), {}, 12);
  const auto compare = [&](Method method, const MethodOptions &options, std::size_t s) {
    const std::vector<double> found = residuals_of(positive, row_of(method), options, 12);
    ASSERT_EQ(found.size(), 12 / s);
    for (std::size_t i = 0; i < found.size(); i++)
      EXPECT_NEAR(found[i] / one_by_one[s * i + s - 1], 1, 1e-6) << row_of(method).name << ", s = " << s;
  };
  compare(Method::cg3, {}, 1);
  for (const int s : {1, 3, 4}) {
    compare(Method::ca_cg, {.krylov = s}, static_cast<std::size_t>(s));
    compare(Method::ca_cg, {.krylov = s, .polynomials = Polynomials::chebyshev, .spectrum = {0, 1}},
            static_cast<std::size_t>(s));
  }
  const std::vector<double> gcr = residuals_of(skewed, row_of(Method::gcr), {.krylov = 4}, 4),
                            avoiding = residuals_of(skewed, row_of(Method::ca_gcr), {.krylov = 4}, 4);
  EXPECT_NEAR(avoiding[0] / gcr[3], 1, 1e-10);
}

TEST(Krylov, BoundsOfChebyshevBases)
{
  const std::vector<Vector> b = sources(2);
  for (const Method method : {Method::ca_cg, Method::ca_cgne, Method::ca_cgnr, Method::ca_gcr})
    for (const double most : {0.1, 1.0, 10.0}) // the largest eigenvalue is 1
      for (const Precision sloppy : {Precision::double_, Precision::half}) {
        SCOPED_TRACE(testing::Message() << row_of(method).name << ", up to " << most << ", sloppy "
                                        << bytes_of(sloppy));
        const Problem &problem = ordinary(row_of(method));
        const How how {.method = method,
                       .sloppy = sloppy,
                       .options = {.krylov = 6, .polynomials = Polynomials::chebyshev, .spectrum = {0, most}}};
        const Solution s = solve(problem, b, how);
        check_honest(problem, b, how, s);
        expect_all_converged(s);
      }
  EXPECT_THROW(solve(positive, b, {.method = Method::ca_cg, .options = {.polynomials = Polynomials::chebyshev}}),
               Error);
}

TEST(Krylov, LargestEigenvalues)
{
  const DenseOperator A(small_lattice(), Precision::single, spread(1e3), Symmetry::positive);
  ColorSpinorField b(A.shape(3));
  std::vector<Vector> all = sources(3);
  all[1].assign(length, 0.0);
  set(b, all);
  EXPECT_NEAR(largest_eigenvalue(A, b), 1.05, 0.06);
  blas::zero(b);
  EXPECT_EQ(largest_eigenvalue(A, b), 0);
}

TEST(Krylov, RelaxationFactors)
{
  // on a multiple of one, a step times omega leaves 1 - omega
  const Problem scalar {diagonal([](std::size_t) { return Complex(2, 0); }), Symmetry::positive};
  for (const Method method : {Method::mr, Method::sd}) {
    const std::vector<double> all = residuals_of(scalar, row_of(method), {.omega = 0.75}, 3);
    for (std::size_t i = 1; i < all.size(); i++) EXPECT_NEAR(all[i] / all[i - 1], 0.25, 1e-14);
  }
}

TEST(Krylov, FactorsOfDependentVectors)
{
  // of rows that lie 1e100 apart, the third being the sum of the others
  blas::Matrix G(3, 3);
  const double v[3][2] = {{1, 0}, {1e100, 2e100}, {1 + 1e100, 2e100}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) G(i, j) = v[i][0] * v[j][0] + v[i][1] * v[j][1];
  const GramFactor factor(G, 3, 1e-12);
  const std::vector<blas::Complex> y = factor.solve({5, 7e100, 5 + 7e100});
  EXPECT_EQ(y[2], 0.0);
  EXPECT_NEAR(std::abs(G(0, 0) * y[0] + G(0, 1) * y[1] - 5.0), 0, 1e-14);
  EXPECT_NEAR(std::abs(G(1, 0) * y[0] + G(1, 1) * y[1] - 7e100), 0, 1e86);
  EXPECT_TRUE(factor.solve({std::nan(""), 0, 0})[0] != factor.solve({std::nan(""), 0, 0})[0]);
  EXPECT_EQ(GramFactor().size(), 0);
}

TEST(Krylov, HeavyQuarkResidual)
{
  const How how {.tolerance = {.relative = 1e-6, .heavy_quark = 1e-8}};
  const std::vector<Vector> b = sources(2);
  const Solution s = solve(positive, b, how);
  expect_all_converged(s);
  for (std::size_t j = 0; j < b.size(); j++) {
    Vector r = positive.matrix(s.x[j], false);
    double sum = 0;
    for (std::size_t site = 0; site < 16; site++) {
      double rr = 0, xx = 0;
      for (std::size_t k = 12 * site; k < 12 * site + 12; k++) {
        rr += std::norm(b[j][k] - r[k]);
        xx += std::norm(s.x[j][k]);
      }
      sum += rr / xx;
    }
    EXPECT_NEAR(s.report.rhs[j].heavy_quark, std::sqrt(sum / 16), 1e-3 * std::sqrt(sum / 16));
    EXPECT_LT(s.report.rhs[j].heavy_quark, 1e-8);
  }
}
