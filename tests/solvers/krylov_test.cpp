/// The driver and its methods on operators of any spectrum: what is called converged is, recomputed from the solution
/// by the matrix itself, in every mode and at every end.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "core/captured_log.h"
#include "solvers/bicgstab.h"
#include "solvers/cg.h"
#include "solvers/dense_operator.h"
#include "solvers/gcr.h"
#include "solvers/krylov_solver.h"
#include "support/untuned.h"

using namespace quda;
using namespace solver_tests;

namespace
{

enum class Method { cg, bicgstab, gcr };

MakeIteration make(Method method)
{
  switch (method) {
  case Method::cg:
    return [](const LinearOperator &A) { return std::make_unique<CG>(A); };
  case Method::bicgstab:
    return [](const LinearOperator &A) { return std::make_unique<BiCGstab>(A); };
  default:
    return [](const LinearOperator &A) { return std::make_unique<GCR>(A, 10); };
  }
}

struct Problem {
  Matrix matrix;
  Symmetry symmetry = Symmetry::general;
  Matrix sloppy = {}; // another matrix in the sloppy precision; empty: the same
};

struct Solution {
  SolveReport report;
  std::vector<Vector> x;
  int escalated;
};

struct How {
  Method method = Method::cg;
  Precision sloppy = Precision::double_;
  Tolerance tolerance = {.relative = 1e-10};
  Limits limits = {.iterations = 2000};
  System system = System::direct;
  const std::vector<Vector> *guess = nullptr;
};

Solution solve(const Problem &problem, const std::vector<Vector> &b, const How &how)
{
  const auto lattice = small_lattice();
  const DenseOperator outer(lattice, Precision::double_, problem.matrix, problem.symmetry);
  OperatorLadder ladder(outer, [&](Precision precision) {
    const Matrix &matrix = problem.sloppy && precision == how.sloppy ? problem.sloppy : problem.matrix;
    return std::make_unique<DenseOperator>(lattice, precision, matrix, problem.symmetry);
  });
  const ColorSpinorParam param = outer.shape(static_cast<int>(b.size()));
  ColorSpinorField source(param), x(param);
  set(source, b);
  if (how.guess) set(x, *how.guess);
  KrylovSolver solver(ladder, make(how.method), how.sloppy, how.system);
  Solution s;
  s.report = solver.solve(x, source, how.tolerance, how.limits, how.guess != nullptr);
  s.x = vectors_of(x);
  return s;
}

/// Nothing is called converged that is not, and what is reported is true.
void check_honest(const Problem &problem, const std::vector<Vector> &b, const How &how, const Solution &s)
{
  for (std::size_t j = 0; j < b.size(); j++) {
    const RhsReport &one = s.report.rhs[j];
    if (norm(b[j]) == 0) {
      EXPECT_EQ(norm(s.x[j]), 0);
      EXPECT_EQ(one.outcome, Outcome::converged);
      continue;
    }
    const double is = residual(problem.matrix, s.x[j], b[j]);
    EXPECT_NEAR(one.residual, is, 1e-13 * (1 + norm(s.x[j]) / norm(b[j])) + 1e-3 * is) << "right-hand side " << j;
    if (one.outcome == Outcome::converged) {
      EXPECT_LT(is, how.tolerance.relative * 1.001) << "right-hand side " << j;
    }
    EXPECT_NE(one.outcome, Outcome::running);
    EXPECT_GE(one.iterations, 1);
  }
}

std::vector<Vector> sources(int n, unsigned seed = 1)
{
  std::vector<Vector> b;
  for (int j = 0; j < n; j++) b.push_back(random_vector(seed + static_cast<unsigned>(j)));
  return b;
}

const Problem positive {spread(1e3), Symmetry::positive}, skewed {bidiagonal()};

void expect_all_converged(const Solution &s)
{
  for (std::size_t j = 0; j < s.report.rhs.size(); j++)
    EXPECT_EQ(s.report.rhs[j].outcome, Outcome::converged)
        << "right-hand side " << j << ": " << outcome_text(s.report.rhs[j].outcome) << ", residual "
        << s.report.rhs[j].residual;
}

} // namespace

TEST(Krylov, EveryMethodSolvesInEveryPrecision)
{
  support::on_targets([] {
    for (const Method method : {Method::cg, Method::bicgstab, Method::gcr})
      for (const Precision sloppy : {Precision::double_, Precision::single, Precision::half})
        for (const int n : {1, 3}) {
          SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method) << ", sloppy " << bytes_of(sloppy)
                                          << ", right-hand sides " << n);
          const Problem &problem = method == Method::cg ? positive : skewed;
          const How how {.method = method, .sloppy = sloppy};
          const std::vector<Vector> b = sources(n);
          const Solution s = solve(problem, b, how);
          expect_all_converged(s);
          check_honest(problem, b, how, s);
        }
  });
}

TEST(Krylov, NormalSystems)
{
  for (const System system : {System::normal_residual, System::normal_error})
    for (const Precision sloppy : {Precision::double_, Precision::single, Precision::half}) {
      const How how {.sloppy = sloppy, .system = system};
      const std::vector<Vector> b = sources(2);
      const Solution s = solve(skewed, b, how);
      expect_all_converged(s);
      check_honest(skewed, b, how, s);
    }
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
  for (const Method method : {Method::cg, Method::bicgstab, Method::gcr})
    for (const Complex factor : {Complex(1.01), Complex(1.1), Complex(2), Complex(-1), Complex(0)})
      for (const Precision sloppy : {Precision::single, Precision::half}) {
        SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method) << ", factor " << factor << ", sloppy "
                                        << bytes_of(sloppy));
        Problem problem = method == Method::cg ? positive : skewed;
        problem.sloppy = times(problem.matrix, factor);
        const How how {.method = method, .sloppy = sloppy, .limits = {.iterations = 3000}};
        const std::vector<Vector> b = sources(2);
        const Solution s = solve(problem, b, how);
        check_honest(problem, b, how, s);
        expect_all_converged(s); // the next better precision is not spoiled
      }
}

TEST(Krylov, ASpoiledProductIsNeverBelieved)
{
  for (const Method method : {Method::cg, Method::bicgstab, Method::gcr})
    for (const int when : {0, 3, 17})
      for (const bool from_then_on : {false, true})
        for (const double noise : {1e-2, 1e3, std::numeric_limits<double>::quiet_NaN()}) {
          SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method) << ", product " << when
                                          << (from_then_on ? " and all after it" : "") << ", noise " << noise);
          Problem problem = method == Method::cg ? positive : skewed;
          problem.sloppy = [&, count = std::make_shared<int>(0), m = problem.matrix](const Vector &in, bool dagger) {
            Vector out = m(in, dagger);
            const int n = (*count)++;
            if (n == when || (from_then_on && n > when)) out[n % out.size()] += noise;
            return out;
          };
          const How how {.method = method, .sloppy = Precision::single, .limits = {.iterations = 3000}};
          const std::vector<Vector> b = sources(1);
          const Solution s = solve(problem, b, how);
          check_honest(problem, b, how, s);
          expect_all_converged(s);
        }
}

TEST(Krylov, ZeroSources)
{
  std::vector<Vector> b = sources(12);
  b[5].assign(length, 0.0);
  const How how {.sloppy = Precision::single};
  Solution s = solve(positive, b, how);
  expect_all_converged(s);
  check_honest(positive, b, how, s);
  s = solve(positive, {Vector(length)}, how);
  expect_all_converged(s);
  EXPECT_EQ(norm(s.x[0]), 0);
  EXPECT_EQ(s.report.rhs[0].residual, 0);
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
  for (const Method method : {Method::cg, Method::bicgstab, Method::gcr}) {
    const Problem &problem = method == Method::cg ? positive : skewed;
    const How how {.method = method, .sloppy = Precision::single};
    const Solution s = solve(problem, b, how), t = solve(problem, turned, how), again = solve(problem, b, how);
    for (std::size_t j = 0; j < b.size(); j++) {
      EXPECT_EQ(s.x[j], t.x[b.size() - 1 - j]) << "method " << static_cast<int>(method);
      EXPECT_EQ(s.x[j], again.x[j]);
    }
  }
}

TEST(Krylov, NotFiniteInputsAreRefusedByNumber)
{
  const auto refused = [](const std::vector<Vector> &b, const How &how, const char *what) {
    try {
      solve(positive, b, how);
      ADD_FAILURE() << "accepted";
    } catch (const Error &error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_argument);
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<Vector> b = sources(3), guess = sources(3, 7);
    b[1][17] = bad;
    refused(b, {}, "right-hand side 1");
    guess[2][3] = bad;
    const std::vector<Vector> good = sources(3);
    refused(good, {.guess = &guess}, "guess of right-hand side 2");
  }
}

TEST(Krylov, NotFiniteOperatorsEndTheSolve)
{
  Problem problem {[](const Vector &in, bool) { return Vector(in.size(), std::nan("")); }, Symmetry::positive};
  for (const Method method : {Method::cg, Method::bicgstab, Method::gcr}) {
    const Solution s = solve(problem, sources(1), {.method = method, .sloppy = Precision::single});
    EXPECT_EQ(s.report.rhs[0].outcome, Outcome::not_finite) << outcome_text(s.report.rhs[0].outcome);
    for (const Complex &z : s.x[0]) EXPECT_TRUE(std::isfinite(z.real()) && std::isfinite(z.imag()));
  }
}

TEST(Krylov, LimitsOfIterations)
{
  const std::vector<Vector> b = sources(2);
  for (const int most : {0, 1, 7}) {
    How how {.limits = {.iterations = most}};
    const Solution s = solve(positive, b, how);
    check_honest(positive, b, how, s);
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
  for (const double tol : {1e-17, 1e-25})
    for (const Precision sloppy : {Precision::double_, Precision::single}) {
      const How how {.sloppy = sloppy, .tolerance = {.relative = tol}, .limits = {.iterations = 20000}};
      const Solution s = solve(positive, b, how);
      EXPECT_EQ(s.report.rhs[0].outcome, Outcome::precision_limit) << outcome_text(s.report.rhs[0].outcome);
      EXPECT_LT(s.report.rhs[0].residual, 1e-12);
      EXPECT_LT(s.report.iterations, 10000);
      check_honest(positive, b, how, s);
    }
}

TEST(Krylov, SingularSystems)
{
  const Problem singular {diagonal([](std::size_t i) { return i < 3 ? 0.0 : 1 + 0.01 * static_cast<double>(i); }),
                          Symmetry::positive};
  std::vector<Vector> consistent = sources(1);
  for (int i = 0; i < 3; i++) consistent[0][i] = 0;
  for (const Method method : {Method::cg, Method::bicgstab, Method::gcr}) {
    expect_all_converged(solve(singular, consistent, {.method = method, .sloppy = Precision::single}));
    const How how {.method = method, .limits = {.iterations = 3000}};
    const std::vector<Vector> b = sources(1);
    const Solution s = solve(singular, b, how);
    EXPECT_NE(s.report.rhs[0].outcome, Outcome::converged);
    check_honest(singular, b, how, s);
  }
}

TEST(Krylov, IndefiniteAndSkewOperators)
{
  const Matrix indefinite = diagonal([](std::size_t i) { return (i % 2 ? -1.0 : 1.0) * (1 + 0.1 * i); });
  const Solution s = solve({indefinite, Symmetry::positive}, sources(1), {.sloppy = Precision::single});
  EXPECT_NE(s.report.rhs[0].outcome, Outcome::converged);
  EXPECT_THROW(solve({indefinite, Symmetry::hermitian}, sources(1), {}), Error);

  const Problem skew {diagonal([](std::size_t i) { return Complex(0, 1 + 0.1 * i); })};
  const How how {.method = Method::bicgstab, .limits = {.iterations = 300}};
  const std::vector<Vector> b = sources(1);
  const Solution t = solve(skew, b, how);
  check_honest(skew, b, how, t);
}

TEST(Krylov, StepsOfConjugateGradientsAndResiduals)
{
  for (const int distinct : {1, 2, 5}) {
    const Problem few {diagonal([=](std::size_t i) { return 1.0 + static_cast<double>(i % distinct); }),
                       Symmetry::positive};
    const Solution s = solve(few, sources(1), {});
    expect_all_converged(s);
    EXPECT_EQ(s.report.iterations, distinct) << "as many steps as eigenvalues";
    const Solution g = solve(few, sources(1), {.method = Method::gcr});
    EXPECT_EQ(g.report.iterations, distinct);
  }
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
