/// Low modes taken from linear systems: what is left of them, in every precision and from vectors of any quality, and
/// how many iterations it saves, of every method.

#include <cmath>

#include <gtest/gtest.h>

#include "solvers/dense_solves.h"
#include "solvers/dirac_solver.h"
#include "solvers/light_quarks.h"
#include "support/untuned.h"

using namespace quda;
using namespace solver_tests;

namespace
{

EigenOptions lowest(int n, double tol, int restarts = 100, int degree = 12)
{
  return {.pairs = n, .search = n + 4, .space = 3 * n + 12, .tol = tol, .restarts = restarts, .degree = degree};
}

/// The largest |v^dag s| / |s| of the modes in use.
double left_in(const DeflationSpace &space, const ColorSpinorField &s)
{
  ColorSpinorParam shape = s.param();
  shape.rhs = space.used();
  ColorSpinorField V(shape);
  blas::block::convert(V, space.vectors().columns(0, space.used()));
  const blas::Matrix h = blas::block::gram_rhs(V, s);
  const std::vector<double> norms = blas::block::norm2(s);
  double most = 0;
  for (int j = 0; j < s.rhs(); j++)
    for (int i = 0; i < h.rows(); i++)
      most = std::max(most, std::abs(h(i, j)) / std::sqrt(norms[static_cast<std::size_t>(j)]));
  return most;
}

} // namespace

TEST(LowModes, AreTakenToRoundingWhateverTheyAreKeptIn)
{
  const World world;
  const auto H = world.system(true), M = world.system(false);
  for (const bool good : {true, false})
    for (const Precision kept : {Precision::double_, Precision::single, Precision::half}) {
      DeflationSpace space;
      const EigenReport report = space.find(*H, *H, good ? lowest(20, 1e-8) : lowest(20, 1e-8, 0, 0), kept, "H");
      EXPECT_EQ(report.converged, good);
      EXPECT_EQ(space.vectors().precision(), kept);
      for (const LinearOperator *A : {static_cast<LinearOperator *>(H.get()), static_cast<LinearOperator *>(M.get())})
        for (const int used : {20, 7}) {
          SCOPED_TRACE(testing::Message() << "good " << good << ", kept in " << bytes_of(kept) << " bytes, "
                                          << (A == H.get() ? "normal" : "itself") << ", " << used << " of 20");
          space.use(used);
          const ColorSpinorField b = random_field(A->shape(5), 3);
          ColorSpinorField x(A->shape(5)), r(A->shape(5)), s(A->shape(5));
          blas::zero(x);
          double before = 0;
          for (const bool after : {false, true}) {
            (*A)(r, x);
            blas::xpay(b, -1.0, r);
            if (A == M.get()) (*A)(s, r, true);
            if (after) break;
            before = left_in(space, A == M.get() ? s : r);
            space.correct(x, A == M.get() ? s : r);
          }
          EXPECT_GT(before, 1e-3);
          EXPECT_LE(left_in(space, A == M.get() ? s : r), 10 * unit_roundoff(kept));
        }
    }
}

TEST(LowModes, TheSpaceKnowsWhatItIsOf)
{
  const DenseOperator A(small_lattice(), Precision::double_, spread(1e3), Symmetry::positive);
  DeflationSpace space;
  EXPECT_FALSE(space.holds("A", 1));
  space.find(A, A, {.pairs = 4, .search = 6, .space = 40, .tol = 1e-6}, Precision::double_, "A");
  EXPECT_EQ(space.used(), 4);
  EXPECT_TRUE(space.holds("A", 4));
  EXPECT_FALSE(space.holds("A", 5));
  EXPECT_FALSE(space.holds("B", 4));
  for (const int n : {0, 5, -1}) EXPECT_THROW(space.use(n), Error) << n;
  space.use(2);
  space.project(A);
  EXPECT_EQ(space.used(), 2) << "of V^dag A V that is computed anew";
  space.clear();
  EXPECT_FALSE(space.holds("A", 1));
}

/// Iterations follow the square root of the condition number of the modes that are left, of 12 sources at once. Without
/// any taken CG finds the lowest one by itself, and needs fewer than its condition number says.
TEST(LowModes, IterationsFallAsTheConditionNumberSays)
{
  const World world;
  const auto dirac = world.dirac(WilsonFermions {light});
  DiracSolve how;
  how.prepared = MatPC::even_even;
  how.equations = Equations::normal_operator;
  how.method = Method::cg;
  how.tolerance.relative = 1e-10;
  how.limits.iterations = 5000;
  const auto H = low_mode_system(*dirac, how, dirac->storage());
  EXPECT_EQ(form_of_method(how).matpc, MatPC::even_even);
  const ColorSpinorField b = random_field(dirac->shape(-1, 12), 7);
  ColorSpinorField x(b.param());
  const SolveReport plain = solve(*dirac, how, x, b);
  EXPECT_TRUE(plain.converged());
  const int n = 48;
  DeflationSpace space;
  const EigenReport found = space.find(*H, *H, lowest(n, 1e-7), Precision::double_, "H");
  ASSERT_TRUE(found.converged);
  how.low_modes = &space;
  how.deflate_again = 5e-5;
  double least = 1e300, most = 0;
  for (const int used : {8, 16, 30, n - 1}) {
    space.use(used);
    const SolveReport deflated = solve(*dirac, how, x, b);
    EXPECT_TRUE(deflated.converged());
    const double next = found.values[static_cast<std::size_t>(used)].real();
    const double constant = deflated.iterations * std::sqrt(next);
    std::printf("  %d modes: %d iterations of %d, %.2f / sqrt(%.4f)\n", used, deflated.iterations, plain.iterations,
                constant, next);
    least = std::min(least, constant);
    most = std::max(most, constant);
    EXPECT_LT(deflated.iterations, 0.6 * plain.iterations);
  }
  EXPECT_LT(most, 1.2 * least);
}

/// Modes that are not good come back, and are taken again; in half precision, too.
TEST(LowModes, AreTakenAgain)
{
  const World world;
  const auto dirac = world.dirac(WilsonFermions {light});
  DiracSolve how {.system = {.matpc = MatPC::even_even, .normal = true}};
  how.equations = Equations::normal_operator;
  how.method = Method::cg;
  how.tolerance.relative = 1e-12;
  how.limits.iterations = 5000;
  const auto H = low_mode_system(*dirac, how, dirac->storage());
  const ColorSpinorField b = random_field(H->shape(3), 9);
  ColorSpinorField x(b.param());
  const auto iterations = [&](DeflationSpace *space, double again) {
    how.low_modes = space;
    how.deflate_again = again;
    const SolveReport report = solve(*dirac, how, x, b);
    EXPECT_TRUE(report.converged());
    return report.iterations;
  };
  DeflationSpace rough;
  rough.find(*H, *H, lowest(48, 1e-2, 3), Precision::half, "H");
  for (const Precision sloppy : {Precision::double_, Precision::half}) {
    how.sloppy = LinkStorage {sloppy, Reconstruct::none};
    const int plain = iterations(nullptr, 0), once = iterations(&rough, 0), often = iterations(&rough, 1e-2);
    std::printf("  in %d bytes: %d iterations, %d with rough modes once, %d with them again\n", bytes_of(sloppy), plain,
                once, often);
    EXPECT_LT(once, plain);
    EXPECT_LT(often, once);
  }
}

/// Of every method, in two precisions: what is solved is the system that was asked for, and in no more iterations, but
/// for what a new beginning costs where no mode is low.
TEST(LowModes, EveryMethodWithThem)
{
  const std::vector<Vector> b = sources(2);
  const Problem tame {spread(30)};
  struct Space {
    const Problem *problem;
    DeflationSpace modes {};
  };
  Space spaces[] = {{&positive}, {&skewed}, {&tame}};
  for (Space &one : spaces) {
    const DenseOperator A(small_lattice(), Precision::double_, one.problem->matrix, one.problem->symmetry);
    const Normal N(A);
    const LinearOperator &H = A.symmetry() == Symmetry::positive ? static_cast<const LinearOperator &>(A) : N;
    one.modes.find(H, H, {.pairs = 12, .search = 14, .space = 60, .tol = 1e-3}, Precision::single, "H");
  }
  for (const MethodRow &row : methods()) {
    Space &on = spaces[row.system != System::direct ? 2 : row.positive ? 0 : 1];
    for (const Precision sloppy : {Precision::double_, Precision::half}) {
      How how {row.method, sloppy};
      const Solution plain = solve(*on.problem, b, how);
      how.low_modes = &on.modes;
      how.deflate_again = 1e-3;
      const Solution s = solve(*on.problem, b, how);
      std::printf("  %s, sloppy %d: %d iterations, %d where low modes are taken\n", row.name, bytes_of(sloppy),
                  plain.report.iterations, s.report.iterations);
      SCOPED_TRACE(testing::Message() << row.name << ", sloppy " << bytes_of(sloppy));
      check_honest(*on.problem, b, how, s);
      if (!plain.report.converged()) continue;
      expect_all_converged(s);
      EXPECT_LE(s.report.iterations, 1.05 * plain.report.iterations + 1);
    }
  }
}
