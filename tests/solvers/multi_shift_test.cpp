/// Systems with several shifts on operators of any spectrum: what is called converged is, by the matrix itself; the
/// Krylov space is that of the smallest shift; hard cases end and say how.

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/log.h"
#include "solvers/cg.h"
#include "solvers/dense_operator.h"
#include "solvers/multi_shift.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace solver_tests;

namespace
{

Matrix shifted(const Matrix &A, double shift)
{
  return [=](const Vector &in, bool dagger) {
    Vector out = A(in, dagger);
    for (std::size_t i = 0; i < out.size(); i++) out[i] += shift * in[i];
    return out;
  };
}

struct Solution {
  ShiftedReport report;
  std::vector<std::vector<Vector>> x; // [shift][right-hand side]
};

/// sloppy: another matrix in lower precisions; empty: the same.
Solution solve(const Matrix &A, const std::vector<Vector> &b, const ShiftedSolve &how, const Matrix &sloppy = {})
{
  const auto lattice = small_lattice();
  MultiShiftSolver solver(
      [&](Precision precision) {
        const Matrix &matrix = sloppy && precision != Precision::double_ ? sloppy : A;
        return std::make_unique<DenseOperator>(lattice, precision, matrix, Symmetry::positive);
      },
      Precision::double_);
  const DenseOperator of_shape(lattice, Precision::double_, A);
  const std::size_t n = how.shifts.size(), rhs = b.size();
  ColorSpinorField source(of_shape.shape(static_cast<int>(rhs))),
      x(of_shape.shape(static_cast<int>(std::max<std::size_t>(n, 1) * rhs)));
  set(source, b);
  const VerbosityScope silent(Verbosity::silent);
  Solution s;
  s.report = solver.solve(x, source, how);
  const std::vector<Vector> all = vectors_of(x);
  for (auto one = all.begin(); one != all.end(); one += static_cast<std::ptrdiff_t>(rhs))
    s.x.emplace_back(one, one + static_cast<std::ptrdiff_t>(rhs));
  return s;
}

/// Steps that conjugate gradients take by themselves.
int steps_alone(const Matrix &A, double shift, const Vector &b, double tol)
{
  const auto lattice = small_lattice();
  const DenseOperator outer(lattice, Precision::double_, shifted(A, shift), Symmetry::positive);
  OperatorByPrecision operators(outer);
  KrylovSolver solver(
      operators, [](const LinearOperator &K) { return std::make_unique<CG>(K); }, Precision::double_);
  ColorSpinorField source(outer.shape(1)), x(outer.shape(1));
  set(source, {b});
  return solver.solve(x, source, {.relative = tol}, {.iterations = 2000}).iterations;
}

ShiftedSolve ten_shifts(Precision sloppy = Precision::double_, double tol = 1e-10)
{
  ShiftedSolve how;
  for (int k = 0; k < 10; k++) how.shifts.push_back(1e-3 * std::pow(2.5, k));
  how.tolerances.assign(10, {.relative = tol});
  how.sloppy = how.refinement = sloppy;
  how.limits = how.refinement_limits = {.iterations = 2000};
  return how;
}

void expect_solved(const Matrix &A, const std::vector<Vector> &b, const ShiftedSolve &how, const Solution &s)
{
  EXPECT_TRUE(s.report.converged());
  for (std::size_t k = 0; k < how.shifts.size(); k++)
    for (std::size_t j = 0; j < b.size(); j++) {
      SCOPED_TRACE(testing::Message() << "shift " << k << ", right-hand side " << j);
      const RhsReport &one = s.report.shift[k].rhs[j];
      EXPECT_EQ(one.outcome, Outcome::converged) << outcome_text(one.outcome) << ", residual " << one.residual;
      if (norm(b[j]) == 0) {
        EXPECT_EQ(norm(s.x[k][j]), 0);
        continue;
      }
      const double is = residual(shifted(A, how.shifts[k]), s.x[k][j], b[j]);
      EXPECT_LT(is, 1.001 * how.tolerances[k].relative);
      EXPECT_NEAR(one.residual, is, 1e-13 + 1e-3 * is);
    }
}

std::vector<Vector> sources(int n)
{
  std::vector<Vector> b;
  for (int j = 0; j < n; j++) b.push_back(random_vector(static_cast<unsigned>(j + 1)));
  return b;
}

const Matrix positive = spread(1e3);

} // namespace

TEST(MultiShift, EveryPrecision)
{
  support::on_targets([] {
    for (const Precision sloppy : {Precision::double_, Precision::single, Precision::half})
      for (const int n : {1, 3}) {
        SCOPED_TRACE(testing::Message() << "sloppy " << bytes_of(sloppy) << ", right-hand sides " << n);
        const ShiftedSolve how = ten_shifts(sloppy);
        const std::vector<Vector> b = sources(n);
        const Solution s = solve(positive, b, how);
        expect_solved(positive, b, how, s);
        int alone = 0;
        for (const Vector &one : b) alone = std::max(alone, steps_alone(positive, how.shifts[0], one, 1e-10));
        if (sloppy == Precision::double_) {
          EXPECT_EQ(s.report.iterations, alone);
        } else { // products are rounded when residuals are small: nothing is left to refine
          EXPECT_LE(s.report.iterations, alone + alone / 8);
          EXPECT_EQ(s.report.shift[3].iterations, 0);
        }
      }
  });
}

TEST(MultiShift, AnyOrderEqualShiftsAndOne)
{
  const std::vector<Vector> b = sources(2);
  const ShiftedSolve ordered = ten_shifts();
  const Solution reference = solve(positive, b, ordered);
  ShiftedSolve mixed = ordered;
  const std::size_t at[] = {3, 9, 0, 5, 1, 7, 2, 8, 6, 4};
  for (std::size_t k = 0; k < 10; k++) mixed.shifts[k] = ordered.shifts[at[k]];
  const Solution s = solve(positive, b, mixed);
  for (std::size_t k = 0; k < 10; k++) EXPECT_EQ(s.x[k], reference.x[at[k]]) << k;
  EXPECT_EQ(s.report.iterations, reference.report.iterations);

  ShiftedSolve equal = ordered;
  equal.shifts = {0.02, 0, 0, 0.02, 0};
  equal.tolerances.resize(5);
  const Solution e = solve(positive, b, equal);
  expect_solved(positive, b, equal, e);
  EXPECT_EQ(e.x[0], e.x[3]);
  EXPECT_EQ(e.x[2], e.x[4]);

  ShiftedSolve one = ordered;
  one.shifts.resize(1);
  one.tolerances.resize(1);
  const Solution alone = solve(positive, b, one);
  EXPECT_EQ(alone.x[0], reference.x[0]);
  EXPECT_EQ(alone.report.iterations, reference.report.iterations);
}

TEST(MultiShift, EachItsOwnTolerance)
{
  ShiftedSolve how = ten_shifts();
  for (std::size_t k = 0; k < 10; k++) how.tolerances[k].relative = k % 2 ? 1e-4 : 1e-11;
  how.tolerances[0].relative = 1e-8;
  how.tolerances[9].relative = 0; // as it comes
  const std::vector<Vector> b = sources(2);
  Solution s = solve(positive, b, how);
  for (std::size_t j = 0; j < 2; j++) {
    EXPECT_LT(residual(shifted(positive, how.shifts[9]), s.x[9][j], b[j]), 1e-12);
    EXPECT_GT(residual(shifted(positive, how.shifts[3]), s.x[3][j], b[j]), 1e-6) << "it went on";
  }
  how.tolerances[9].relative = 1e-11;
  expect_solved(positive, b, how, s);
}

/// As for rational approximations: the most is asked of the largest shifts.
TEST(MultiShift, LargeShiftsMayBeAskedForMore)
{
  ShiftedSolve how = ten_shifts();
  for (std::size_t k = 0; k < 10; k++) how.tolerances[k].relative = 1e-4 * std::pow(0.2, k);
  for (const Precision sloppy : {Precision::double_, Precision::single}) {
    how.sloppy = how.refinement = sloppy;
    const std::vector<Vector> b = sources(2);
    const Solution s = solve(positive, b, how);
    expect_solved(positive, b, how, s);
    for (std::size_t k = 1; k < 10 && sloppy == Precision::double_; k++)
      EXPECT_EQ(s.report.shift[k].iterations, 0) << "shift " << k << " was refined";
  }
}

TEST(MultiShift, RightHandSidesAreTheirOwn)
{
  const ShiftedSolve how = ten_shifts();
  std::vector<Vector> b = sources(4);
  b[1].assign(length, 0);
  b[2] = Vector(length);
  b[2][length / 2] = 1; // solved in one step
  const Solution s = solve(positive, b, how);
  expect_solved(positive, b, how, s);
  const Solution turned = solve(positive, {b[3], b[2], b[1], b[0]}, how);
  for (std::size_t k = 0; k < 10; k++)
    for (std::size_t j = 0; j < 4; j++) EXPECT_EQ(turned.x[k][3 - j], s.x[k][j]) << k << ", right-hand side " << j;
  std::vector<Vector> scaled = b;
  for (Vector &v : scaled)
    for (Complex &z : v) z *= 0x1p-500;
  const Solution tiny = solve(positive, scaled, how);
  for (std::size_t k = 0; k < 10; k++)
    for (std::size_t i = 0; i < length; i++) EXPECT_EQ(tiny.x[k][3][i], 0x1p-500 * s.x[k][3][i]);
}

TEST(MultiShift, AWrongSloppyOperatorIsNeverBelieved)
{
  for (const double wrong : {1.01, 1.5, -1.0}) {
    SCOPED_TRACE(wrong);
    ShiftedSolve how = ten_shifts(Precision::single);
    how.shifts = {1e-3, 8e-3, 1.2e-3}; // the first that are refined leave first
    how.tolerances.resize(3);
    const std::vector<Vector> b = sources(3);
    const Matrix sloppy = [wrong](const Vector &in, bool dagger) {
      Vector out = positive(in, dagger);
      for (Complex &z : out) z *= wrong;
      return out;
    };
    const Solution s = solve(positive, b, how, sloppy);
    expect_solved(positive, b, how, s);
    EXPECT_GT(s.report.shift[2].iterations, s.report.shift[1].iterations) << "of the refinement";
    EXPECT_EQ(s.report.iterations, s.report.shift[0].iterations + s.report.shift[2].iterations) << "all are told";
  }
}

/// What the Krylov space of a wrong operator leaves is refined to what was asked of each shift, whichever comes first.
TEST(MultiShift, RefinementKnowsWhatWasAskedOfEach)
{
  for (const bool tight : {true, false}) {
    ShiftedSolve how = ten_shifts(Precision::single);
    how.shifts = {8e-3, 1e-3, 2e-3};
    how.tolerances = {{.relative = tight ? 1e-11 : 1e-5}, {.relative = tight ? 1e-5 : 1e-11}, {.relative = 1e-8}};
    const std::vector<Vector> b = sources(2);
    const Solution s = solve(positive, b, how, [](const Vector &in, bool dagger) {
      Vector out = positive(in, dagger);
      for (Complex &z : out) z *= 1.01;
      return out;
    });
    expect_solved(positive, b, how, s);
    if (!tight) {
      EXPECT_GT(s.report.shift[0].rhs[0].residual, 1e-10) << "no more than that";
    }
  }
}

/// A product that is spoiled once leaves nothing behind: the first guess of a refinement is finite.
TEST(MultiShift, ASpoiledProductIsNeverBelieved)
{
  const ShiftedSolve how = ten_shifts(Precision::single);
  for (const int when : {0, 5}) {
    const std::vector<Vector> b = sources(1);
    const Solution s = solve(positive, b, how, [when, count = std::make_shared<int>(0)](const Vector &in, bool dagger) {
      Vector out = positive(in, dagger);
      if ((*count)++ == when) out[7] = std::numeric_limits<double>::quiet_NaN();
      return out;
    });
    expect_solved(positive, b, how, s);
  }
}

/// Tolerances of |b - A x| itself, of sources far from 1: met, and not by far.
TEST(MultiShift, AbsoluteTolerances)
{
  for (const bool refine : {true, false})
    for (const int power : {-40, 0, 40}) {
      SCOPED_TRACE(testing::Message() << "2^" << power << (refine ? ", refined" : ""));
      ShiftedSolve how = ten_shifts();
      how.refine = refine;
      for (std::size_t k = 0; k < 10; k++)
        how.tolerances[k] = {.absolute = std::ldexp(k == 9 ? 1e-9 : 1e-3, power)}; // the most of the largest shift
      std::vector<Vector> b = sources(2);
      for (Vector &v : b)
        for (Complex &z : v) z *= std::ldexp(1, power);
      const Solution s = solve(positive, b, how);
      EXPECT_TRUE(s.report.converged());
      for (std::size_t k = 0; k < 10; k++)
        for (std::size_t j = 0; j < 2; j++) {
          const double is = residual(shifted(positive, how.shifts[k]), s.x[k][j], b[j]) * norm(b[j]);
          EXPECT_LT(is, 1.01 * how.tolerances[k].absolute) << k;
          if (k == 0) continue; // whose space served the others
          EXPECT_GT(is, 1e-2 * how.tolerances[k].absolute) << k << " went on";
        }
    }
}

TEST(MultiShift, LimitsAndLimitedEnds)
{
  for (const int most : {0, 1, 7}) {
    ShiftedSolve how = ten_shifts();
    how.limits.iterations = how.refinement_limits.iterations = most;
    const Solution s = solve(positive, sources(1), how);
    EXPECT_FALSE(s.report.converged());
    for (const SolveReport &one : s.report.shift) EXPECT_LE(one.iterations, std::max(most, 1));
    EXPECT_EQ(s.report.shift[0].rhs[0].outcome, Outcome::iterations);
  }
  ShiftedSolve tight = ten_shifts();
  for (Tolerance &one : tight.tolerances) one.relative = 1e-17;
  const Solution limited = solve(positive, sources(1), tight);
  for (const SolveReport &one : limited.report.shift) EXPECT_EQ(one.rhs[0].outcome, Outcome::precision_limit);

  // as the Krylov space made them
  ShiftedSolve left = ten_shifts();
  left.refine = false;
  const std::vector<Vector> b = sources(2);
  const Solution s = solve(positive, b, left);
  EXPECT_TRUE(s.report.converged());
  for (std::size_t k = 0; k < 10; k++)
    EXPECT_LT(residual(shifted(positive, left.shifts[k]), s.x[k][1], b[1]), 1.01e-10);
  EXPECT_EQ(s.report.shift[5].rhs[0].residual, 0);
  left.limits.iterations = 3;
  EXPECT_FALSE(solve(positive, b, left).report.converged());
}

TEST(MultiShift, WhatCannotBeIsRefused)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refuses = [](const std::vector<Vector> &b, const ShiftedSolve &how, const char *words) {
    expect_refused(ErrorKind::bad_argument, {words}, [&] { solve(positive, b, how); });
  };
  ShiftedSolve how = ten_shifts();
  how.shifts[4] = -0.5;
  refuses(sources(1), how, "shift 4 is -0.5");
  how.shifts[4] = nan;
  refuses(sources(1), how, "shift 4 is nan");
  how = ten_shifts();
  how.tolerances.pop_back();
  refuses(sources(1), how, "10 shifts, 9 tolerances");
  how.shifts.clear();
  refuses(sources(1), how, "0 shifts");
  std::vector<Vector> b = sources(3);
  b[2][5] = nan;
  refuses(b, ten_shifts(), "right-hand side 2 is not finite");
}

TEST(MultiShift, HeavyQuarkResidual)
{
  ShiftedSolve how = ten_shifts();
  for (Tolerance &one : how.tolerances) one = {.relative = 1e-6, .heavy_quark = 1e-8};
  how.tolerances[9] = {.heavy_quark = 1e-9};
  const Solution s = solve(positive, sources(2), how);
  EXPECT_TRUE(s.report.converged());
  for (const SolveReport &one : s.report.shift)
    for (const RhsReport &rhs : one.rhs) {
      EXPECT_GT(rhs.heavy_quark, 0);
      EXPECT_LT(rhs.heavy_quark, 1e-8);
    }
}
