/// Guesses from earlier solutions: what they span is found, and none is worse than nothing.

#include "solvers/chronology.h"

#include <gtest/gtest.h>

#include "ops/blas/block.h"
#include "solvers/dense_solves.h"

using namespace quda;
using namespace solver_tests;

namespace
{

/// The residual |b - A x| / |b| of the guess for b that one stored solution gives.
double left_by(const Problem &problem, const Vector &stored, const Vector &b)
{
  const DenseOperator A(small_lattice(), Precision::double_, problem.matrix, problem.symmetry);
  ColorSpinorField solution(A.shape(1)), source(A.shape(1)), x(A.shape(1));
  set(solution, {stored});
  set(source, {b});
  Chronology history;
  history.remember(solution, Precision::double_, 1, false);
  history.extrapolate(x, source, A);
  return residual(problem.matrix, vectors_of(x)[0], b);
}

} // namespace

TEST(Chronology, GuessesAreNeverWorseThanNone)
{
  for (const Problem &problem : {positive, skewed}) {
    const Vector x = random_vector(1);
    EXPECT_LT(left_by(problem, x, problem.matrix(x, false)), 1e-13) << "the solution itself";
  }
  // what is best in the norm of A may leave more of the source than there was
  const Problem stretched {diagonal([](std::size_t i) { return i == 0 ? 1.0 : 1000.0; }), Symmetry::positive};
  Vector stored(length), b(length);
  stored[0] = b[0] = 1;
  stored[1] = 0.1;
  EXPECT_EQ(left_by(stretched, stored, b), 1);
}
