#pragma once
/// Solves of operators of any spectrum by any method, and what must be true of their ends.

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "solvers/deflation.h"
#include "solvers/dense_operator.h"
#include "solvers/method.h"

namespace solver_tests
{

using namespace quda;

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
  MethodOptions options = {.krylov = method == Method::gcr ? 10 : 4};
  const std::vector<Vector> *guess = nullptr;
  DeflationSpace *low_modes = nullptr;
  double deflate_again = 0;
};

inline Solution solve(const Problem &problem, const std::vector<Vector> &b, const How &how)
{
  const auto lattice = small_lattice();
  const DenseOperator outer(lattice, Precision::double_, problem.matrix, problem.symmetry);
  OperatorByPrecision operators(outer, [&](Precision precision) {
    const Matrix &matrix = problem.sloppy && precision == how.sloppy ? problem.sloppy : problem.matrix;
    return std::make_unique<DenseOperator>(lattice, precision, matrix, problem.symmetry);
  });
  const ColorSpinorParam param = outer.shape(static_cast<int>(b.size()));
  ColorSpinorField source(param), x(param);
  set(source, b);
  if (how.guess) set(x, *how.guess);
  const MethodRow &row = row_of(how.method);
  KrylovSolver solver(
      operators, [&](const LinearOperator &A) { return row.make(A, how.options); }, how.sloppy, row.system);
  if (how.low_modes) solver.deflate(*how.low_modes, how.deflate_again);
  Solution s;
  s.report = solver.solve(x, source, how.tolerance, how.limits, how.guess != nullptr);
  s.x = vectors_of(x);
  return s;
}

/// Nothing is called converged that is not, and what is reported is true.
inline void check_honest(const Problem &problem, const std::vector<Vector> &b, const How &how, const Solution &s)
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

/// Those that form no normal equations.
inline std::vector<MethodRow> direct_methods()
{
  std::vector<MethodRow> rows;
  for (const MethodRow &row : methods())
    if (row.system == System::direct) rows.push_back(row);
  return rows;
}

inline std::vector<Vector> sources(int n, unsigned seed = 1)
{
  std::vector<Vector> b;
  for (int j = 0; j < n; j++) b.push_back(random_vector(seed + static_cast<unsigned>(j)));
  return b;
}

inline const Problem positive {spread(1e3), Symmetry::positive}, skewed {bidiagonal()};

/// What a method is made for.
inline const Problem &ordinary(const MethodRow &row) { return row.positive ? positive : skewed; }

inline void expect_all_converged(const Solution &s)
{
  for (std::size_t j = 0; j < s.report.rhs.size(); j++)
    EXPECT_EQ(s.report.rhs[j].outcome, Outcome::converged)
        << "right-hand side " << j << ": " << outcome_text(s.report.rhs[j].outcome) << ", residual "
        << s.report.rhs[j].residual;
}

/// |r| after each of a method's steps, of one right-hand side in double precision.
inline std::vector<double> residuals_of(const Problem &problem, const MethodRow &row, const MethodOptions &options,
                                        int steps)
{
  const DenseOperator A(small_lattice(), Precision::double_, problem.matrix, problem.symmetry);
  ColorSpinorField b(A.shape(1));
  set(b, sources(1));
  const auto iteration = row.make(A, options);
  iteration->start(b);
  std::vector<double> all;
  iteration->run({.norm = {0}, .steps = steps, .progress = [&](int, std::span<const double> rr) {
                    all.push_back(std::sqrt(rr[0]));
                  }});
  return all;
}

} // namespace solver_tests
