/// Low modes as by-products of conjugate gradients: what they are, that they cost nothing, and what a sequence of
/// right-hand sides gains by them.

#include <cmath>

#include <gtest/gtest.h>

#include "solvers/dense_solves.h"
#include "solvers/incremental.h"
#include "solvers/lanczos_window.h"
#include "solvers/light_quarks.h"
#include "support/untuned.h"

using namespace quda;
using namespace solver_tests;

namespace
{

/// |A v - lambda v| of each Ritz vector, and the largest difference between lambda and v^dag A v.
struct Quality {
  std::vector<double> residuals;
  double off = 0, off_orthonormal = 0;
};

Quality quality(const LinearOperator &A, const ColorSpinorField &v, const std::vector<double> &values)
{
  ColorSpinorField wide(A.shape(v.rhs())), product(A.shape(v.rhs()));
  blas::block::convert(wide, v);
  A(product, wide);
  const blas::Matrix H = blas::block::gram_rhs(wide, product), G = blas::block::gram_rhs(wide, wide);
  Quality q;
  for (int i = 0; i < v.rhs(); i++)
    for (int j = 0; j < v.rhs(); j++) {
      const double value = i == j ? values[static_cast<std::size_t>(i)] : 0;
      q.off = std::max(q.off, std::abs(H(i, j) - value));
      q.off_orthonormal = std::max(q.off_orthonormal, std::abs(G(i, j) - (i == j ? 1.0 : 0.0)));
    }
  const std::vector<double> pp = blas::block::norm2(product);
  for (int i = 0; i < v.rhs(); i++) {
    const auto at = static_cast<std::size_t>(i);
    q.residuals.push_back(std::sqrt(std::max(0.0, pp[at] - values[at] * values[at])));
  }
  return q;
}

DiracSolve by_eigcg(int space)
{
  DiracSolve how;
  how.prepared = MatPC::even_even;
  how.equations = Equations::normal_operator;
  how.method = Method::inc_eigcg;
  how.options.space = space;
  how.tolerance.relative = 1e-10;
  how.limits.iterations = 5000;
  return how;
}

} // namespace

/// The same numbers to the bit and as many products: the window only looks on.
TEST(EigCG, IsConjugateGradientsToTheBit)
{
  const std::vector<Vector> b = sources(1);
  for (const Precision sloppy : {Precision::double_, Precision::single}) {
    int products = 0;
    const Problem counted {[&](const Vector &in, bool dagger) {
                             products++;
                             return positive.matrix(in, dagger);
                           },
                           Symmetry::positive};
    const Solution plain = solve(counted, b, {.method = Method::cg, .sloppy = sloppy});
    const int of_plain = std::exchange(products, 0);
    LanczosWindow window(20, 6);
    How how {.method = Method::eigcg, .sloppy = sloppy};
    how.options.window = &window;
    const Solution s = solve(counted, b, how);
    expect_all_converged(s);
    EXPECT_EQ(s.x, plain.x);
    EXPECT_EQ(s.report.iterations, plain.report.iterations);
    EXPECT_EQ(products, of_plain);
    EXPECT_GT(window.restarts(), 5);
  }
}

/// T is what the vectors make of the matrix, without a restart to rounding, after many with the lowest pairs far better
/// than a space of that size by itself would have them.
TEST(EigCG, RitzPairsAreThoseOfTheMatrix)
{
  const DenseOperator A(small_lattice(), Precision::double_, positive.matrix, positive.symmetry);
  std::vector<double> exact;
  for (std::size_t i = 0; i < length; i++)
    exact.push_back(std::pow(1e3, -static_cast<double>(length - 1 - i) / (length - 1)));
  const auto gathered = [&](int m, int n, int steps, std::vector<double> &values) {
    LanczosWindow window(m, n);
    How how {.method = Method::eigcg, .limits = {.iterations = steps}};
    how.options.window = &window;
    solve(positive, sources(1), how);
    EXPECT_EQ(window.restarts() > 0, steps > m);
    return window.ritz(&values);
  };
  std::vector<double> values;
  const auto once = gathered(40, 6, 39, values);
  Quality q = quality(A, *once, values);
  EXPECT_LT(q.off, 1e-12);
  EXPECT_LT(q.off_orthonormal, 1e-12);
  EXPECT_GT(q.residuals[0], 1e-4);
  const double before = q.residuals[0];
  const auto often = gathered(24, 6, 180, values);
  q = quality(A, *often, values);
  std::printf("  residual of the lowest %.1e after 39 steps, %.1e after 180 with a window of 24\n", before,
              q.residuals[0]);
  EXPECT_LT(q.off_orthonormal, 1e-10);
  EXPECT_LT(q.off, 1e-7);
  EXPECT_LT(q.residuals[0], 0.2 * before);
  for (std::size_t i = 0; i < 2; i++) EXPECT_NEAR(values[i], exact[i], 0.1 * exact[i]) << i;
  // fewer steps than vectors are wanted
  const auto few = gathered(24, 6, 3, values);
  EXPECT_EQ(few->rhs(), 3);
}

/// A recursion that begins anew leaves a window alone that was full once, and begins any other anew.
TEST(EigCG, WindowsThatWereFullStayAsTheyAre)
{
  for (const int steps : {60, 10}) {
    LanczosWindow window(20, 6);
    std::vector<double> values[2];
    for (int time = 0; time < 2; time++) {
      How how {.method = Method::eigcg, .limits = {.iterations = time == 0 ? steps : 12}};
      how.options.window = &window;
      solve(positive, sources(1, static_cast<unsigned>(1 + time)), how);
      window.ritz(&values[time]);
    }
    EXPECT_EQ(values[0] == values[1], steps == 60);
  }
}

TEST(EigCG, WindowsThatCannotBe)
{
  for (const auto &[m, n] :
       {std::pair(12, 6), std::pair(5, 0), std::pair(1, 1), std::pair(blas::VectorSet::most_rotated() + 1, 6)})
    EXPECT_THROW(LanczosWindow(m, n), Error) << m << ", " << n;
  const std::vector<Vector> b = sources(2);
  LanczosWindow window(20, 6);
  How how {.method = Method::eigcg};
  how.options.window = &window;
  EXPECT_THROW(solve(positive, b, how), Error);
}

/// Vectors come a few at a time: the space is orthonormal, knows V^dag A V as if all had come at once, and leaves out
/// what it has already.
TEST(LowModes, ComeAFewAtATime)
{
  const DenseOperator A(small_lattice(), Precision::double_, positive.matrix, positive.symmetry);
  for (const Precision kept : {Precision::double_, Precision::single}) {
    DeflationSpace space;
    ColorSpinorField first = random_field(A.shape(5), 3), more = random_field(A.shape(4), 5);
    EXPECT_EQ(space.append(A, first, 8, kept, "A"), 5);
    EXPECT_EQ(space.append(A, first, 8, kept, "A"), 0) << "all of them are there";
    EXPECT_EQ(space.append(A, more, 8, kept, "A"), 3) << "the room that is left";
    EXPECT_EQ(space.size(), 8);
    EXPECT_EQ(space.used(), 8);
    EXPECT_TRUE(space.holds("A", 8) && !space.holds("B", 1));
    EXPECT_LT(space.off_orthonormal(), 20 * unit_roundoff(kept));
    EXPECT_THROW(space.append(A, more, 9, kept, "A"), Error);
    EXPECT_THROW(space.append(A, more, 8, kept, "B"), Error);
    // of the same right-hand side the same solution, with V^dag A V computed anew
    const ColorSpinorField b = random_field(A.shape(2), 7);
    ColorSpinorField x(A.shape(2)), again(A.shape(2));
    blas::zero(x);
    blas::zero(again);
    space.correct(x, b);
    space.project(A);
    space.correct(again, b);
    blas::axpy(-1.0, x, again);
    EXPECT_LT(blas::norm2(again), 1e-20 * blas::norm2(x));
    // as Ritz vectors
    const std::vector<double> residuals = space.turn(A), values = space.values();
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    const Quality q = quality(A, space.vectors().columns(0, 8), values);
    EXPECT_LT(q.off, 20 * unit_roundoff(kept));
    for (std::size_t i = 0; i < 8; i++) EXPECT_NEAR(residuals[i], q.residuals[i], 1e-5);
  }
}

/// Later right-hand sides need fewer iterations, and those that follow the full space the fewest; its Ritz values are
/// the lowest eigenvalues as Lanczos finds them.
TEST(IncrementalEigCG, LaterRightHandSidesNeedFewer)
{
  const World world;
  const auto dirac = world.dirac(WilsonFermions {light});
  constexpr int each = 8, most = 48, space = 48;
  const auto H = low_mode_system(*dirac, by_eigcg(space), dirac->storage());
  EigenSolver lanczos(*H, *H, {.pairs = 12, .search = 16, .space = 60, .tol = 1e-8, .degree = 12});
  const EigenReport exact = lanczos.solve();
  ASSERT_TRUE(exact.converged);
  const ColorSpinorField b = random_field(dirac->shape(-1, 12), 7);
  ColorSpinorField x(b.param());
  for (const Precision sloppy : {Precision::double_, Precision::single, Precision::half}) {
    SCOPED_TRACE(bytes_of(sloppy));
    DiracSolve how = by_eigcg(space);
    how.sloppy = LinkStorage {sloppy, Reconstruct::none};
    IncrementalSpace modes(each, most, sloppy == Precision::double_ ? sloppy : Precision::single);
    const IncrementalOptions options {.again = {5e-5, 1e-2, 3}, .good_enough = 0.1};
    std::vector<int> iterations;
    for (int j = 0; j < 8 && !modes.full(); j++) {
      ColorSpinorField one = x.columns(j, 1);
      const SolveReport report = modes.solve(*dirac, how, options, one, b.columns(j, 1), "H");
      EXPECT_TRUE(report.converged());
      iterations.push_back(report.iterations);
    }
    ASSERT_TRUE(modes.full());
    // four more at once
    ColorSpinorField rest = x.columns(8, 4);
    const SolveReport report = modes.solve(*dirac, how, options, rest, b.columns(8, 4), "H");
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.rhs.size(), 4u);
    iterations.push_back(report.iterations);
    const std::vector<double> values = modes.modes().values();
    std::printf("  sloppy %d bytes: iterations", bytes_of(sloppy));
    for (const int one : iterations) std::printf(" %d", one);
    std::printf("; %d of %d modes in use, eigenvalues off by", modes.modes().used(), modes.most());
    for (const std::size_t i : {0, 3, 7, 11}) std::printf(" %.1e", values[i] / exact.values[i].real() - 1);
    std::printf("\n");
    EXPECT_LE(iterations.size(), 8u);
    for (std::size_t j = 1; j < iterations.size(); j++) EXPECT_LT(iterations[j], 0.56 * iterations[0]) << j;
    EXPECT_LT(iterations.back(), 0.37 * iterations[0]);
    for (std::size_t i = 0; i < 8; i++)
      EXPECT_NEAR(values[i], exact.values[i].real(), 1e-5 * exact.values[i].real()) << i;
  }
}

/// As many sources in one call as one after the other, to the bit.
TEST(IncrementalEigCG, SourcesOfOneCallFollowEachOther)
{
  const World world;
  const auto dirac = world.dirac(WilsonFermions {0.15});
  DiracSolve how = by_eigcg(30);
  how.sloppy = LinkStorage {Precision::single, Reconstruct::none};
  const ColorSpinorField b = random_field(dirac->shape(-1, 4), 9);
  ColorSpinorField together(b.param()), by_themselves(b.param());
  IncrementalSpace one(6, 12, Precision::single), other(6, 12, Precision::single);
  const IncrementalOptions options {.again = {1e-4, 1e-2, 2}};
  const SolveReport all = one.solve(*dirac, how, options, together, b, "H");
  int iterations = 0;
  for (const auto &[first, count] : {std::pair(0, 1), std::pair(1, 1), std::pair(2, 2)}) {
    ColorSpinorField x = by_themselves.columns(first, count);
    iterations += other.solve(*dirac, how, options, x, b.columns(first, count), "H").iterations;
  }
  EXPECT_TRUE(all.converged());
  EXPECT_EQ(all.rhs.size(), 4u);
  EXPECT_EQ(all.iterations, iterations);
  EXPECT_EQ(support::host_array(together), support::host_array(by_themselves));
}

/// Vectors of another matrix are left; eigCG by itself keeps what the last right-hand side gave, and takes nothing.
TEST(IncrementalEigCG, SpacesThatAreLeft)
{
  const World world;
  const auto dirac = world.dirac(WilsonFermions {0.15});
  const DiracSolve how = by_eigcg(30);
  const ColorSpinorField b = random_field(dirac->shape(-1, 1), 9);
  ColorSpinorField x(b.param());
  IncrementalSpace space(6, 18, Precision::double_);
  const auto iterations = [&](bool alone, const char *of) {
    const SolveReport report = space.solve(*dirac, how, {.alone = alone}, x, b, of);
    EXPECT_TRUE(report.converged());
    return report.iterations;
  };
  const int first = iterations(false, "H");
  EXPECT_EQ(space.modes().size(), 6);
  EXPECT_EQ(iterations(true, "H"), first);
  EXPECT_EQ(space.modes().size(), 6);
  EXPECT_LT(iterations(false, "H"), first);
  EXPECT_EQ(space.modes().size(), 12);
  EXPECT_EQ(iterations(false, "another"), first);
  EXPECT_EQ(space.modes().size(), 6);
  EXPECT_TRUE(space.modes().holds("another", 6));
}
