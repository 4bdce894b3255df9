/// Eigenvalues of operators on small lattices against those of the dense matrix, by every method, of every kind of
/// operator: values, the spaces of the vectors, multiplicities, residuals.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "dirac/clover_case.h"
#include "dirac/dirac_system.h"
#include "dirac/sliced.h"
#include "ops/copy/slices.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "solvers/dense_matrix.h"
#include "solvers/eigen_solver.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace solver_tests;

namespace
{

using blas::Complex;
using Eigen::Index;

constexpr double kappa = 0.12;

struct Case {
  const char *name;
  DiracParam dirac;
  DiracSystemForm form;
  bool twice = false; // each eigenvalue comes twice
};

/// Links, a clover term, and Hermitian operators on them.
struct World {
  explicit World(const reference::GaugeField &gauge)
      : on(gauge, 0.1)
  {
  }
  std::unique_ptr<DiracSystem> make(const Case &one, Precision precision = Precision::double_) const
  {
    return std::make_unique<DiracSystem>(make_dirac(one.dirac, on.links, {precision, Reconstruct::none}), one.form);
  }
  std::vector<Case> hermitian() const
  {
    const MatPC even = MatPC::even_even, odd = MatPC::odd_odd_asymmetric;
    const TwistParam twist {.mu = 0.1}, doublet {.mu = 0.1, .epsilon = 0.05, .flavours = 2};
    return {
        {"Wilson, normal", WilsonFermions {kappa}, {.normal = true}},
        {"Wilson, even, normal", WilsonFermions {kappa}, {.matpc = even, .normal = true}},
        {"Wilson, gamma5", WilsonFermions {kappa}, {.gamma5 = Symmetry::hermitian}},
        {"Wilson, M M^dag", WilsonFermions {kappa}, {.dagger = true, .normal = true}},
        {"clover, odd, normal", CloverFermions {kappa, &on.clover}, {.matpc = odd, .normal = true}},
        {"clover, odd, gamma5", CloverFermions {kappa, &on.clover}, {.matpc = odd, .gamma5 = Symmetry::hermitian}},
        {"twisted, normal", TwistedFermions {kappa, twist}, {.normal = true}},
        {"twisted doublet, even, normal", TwistedFermions {kappa, doublet}, {.matpc = even, .normal = true}},
        {"staggered, normal", StaggeredFermions {0.05}, {.normal = true}, true},
        {"staggered, even", StaggeredFermions {0.05}, {.matpc = even}},
        {"Laplace, four directions", LaplaceVectors {0.125, -1}, {}},
        {"Laplace, three directions", LaplaceVectors {1.0 / 6, 3}, {}},
        {"Laplace, odd", LaplaceVectors {0.125, -1}, {.matpc = MatPC::odd_odd}},
    };
  }

  dirac_test::CloverCase on;
};

reference::GaugeField links_on(const reference::Coords &X)
{
  reference::GaugeField gauge = reference::random_gauge(reference::Lattice(X), 5);
  reference::set_up_links(gauge, 1, -1);
  return gauge;
}

/// |(1 - P) v|, P projecting onto the columns of V, which are orthonormal.
double outside(const Eigen::MatrixXcd &V, const Eigen::VectorXcd &v) { return (v - V * (V.adjoint() * v)).norm(); }

/// Columns of the dense vectors whose eigenvalue is near one of these.
Eigen::MatrixXcd near(const Eigen::VectorXd &all, const Eigen::MatrixXcd &vectors, double value, double gap)
{
  std::vector<Index> list;
  for (Index i = 0; i < all.size(); i++)
    if (std::abs(all[i] - value) < gap) list.push_back(i);
  Eigen::MatrixXcd V(vectors.rows(), static_cast<Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); i++) V.col(static_cast<Index>(i)) = vectors.col(list[i]);
  return V;
}

/// An operator and its dense matrix with eigenvalues and vectors.
struct Hermitian {
  explicit Hermitian(std::unique_ptr<LinearOperator> op)
      : A(std::move(op))
      , M(matrix_of(*A))
  {
    EXPECT_LE((M - M.adjoint()).norm(), 1e-13 * M.norm());
    dense.compute((M + M.adjoint()) / 2);
  }
  std::unique_ptr<LinearOperator> A;
  Eigen::MatrixXcd M;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> dense;
};

/// The wanted pairs are those of the dense matrix.
EigenReport check(const Hermitian &of, const EigenOptions &options)
{
  std::vector<double> all(of.dense.eigenvalues().begin(), of.dense.eigenvalues().end());
  std::stable_sort(all.begin(), all.end(), [&](double a, double b) { return comes_before(options.wanted, a, b); });
  EigenSolver solver(*of.A, *of.A, options);
  const EigenReport report = solver.solve();
  EXPECT_TRUE(report.converged) << report.good << " of " << options.pairs << " after " << report.restarts;
  Eigen::MatrixXcd V(of.M.rows(), options.pairs);
  for (int i = 0; i < options.pairs; i++) {
    const double value = report.values[static_cast<std::size_t>(i)].real();
    EXPECT_NEAR(value, all[static_cast<std::size_t>(i)], 1e-10) << "eigenvalue " << i;
    const Eigen::VectorXcd v = vector_of(solver.vector(i));
    EXPECT_NEAR((of.M * v - value * v).norm(), report.residuals[static_cast<std::size_t>(i)], 1e-13 * of.M.norm());
    EXPECT_LE(outside(near(of.dense.eigenvalues(), of.dense.eigenvectors(), value, 1e-6), v), 1e-8) << "vector " << i;
    V.col(i) = v;
  }
  EXPECT_LE((V.adjoint() * V - Eigen::MatrixXcd::Identity(options.pairs, options.pairs)).norm(), 1e-12);
  return report;
}

} // namespace

TEST(DenseEigen, SchurFormsAreOrderedAndGiveEigenvectors)
{
  const int n = 24;
  const Eigen::MatrixXcd A = Eigen::MatrixXcd::Random(n, n);
  blas::Matrix H(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) H(i, j) = A(i, j);
  for (const Wanted wanted : {Wanted::largest_modulus, Wanted::smallest_modulus, Wanted::largest_real,
                              Wanted::smallest_real, Wanted::largest_imaginary, Wanted::smallest_imaginary}) {
    SchurForm schur = schur_form(H);
    schur.sort([=](Complex a, Complex b) { return comes_before(wanted, a, b); });
    const blas::Matrix X = schur.eigenvectors(), Y = schur.Q * X, HY = H * Y, back = schur.Q * schur.T,
                       HQ = H * schur.Q;
    double worst = 0;
    for (int j = 0; j < n; j++) {
      EXPECT_FALSE(j > 0 && comes_before(wanted, schur.T(j, j), schur.T(std::max(j - 1, 0), std::max(j - 1, 0)))) << j;
      for (int i = 0; i < n; i++) {
        worst = std::max(worst, std::abs(back(i, j) - HQ(i, j)));
        worst = std::max(worst, std::abs(HY(i, j) - schur.T(j, j) * Y(i, j)));
        EXPECT_TRUE(i <= j || schur.T(i, j) == 0.0);
      }
    }
    EXPECT_LE(worst, 1e-12);
  }
}

TEST(Chebyshev, IsThePolynomialOfTheMatrix)
{
  const World world(links_on({2, 2, 2, 2}));
  const auto A = world.make(world.hermitian()[0]);
  const Eigen::MatrixXcd M = matrix_of(*A), one = Eigen::MatrixXcd::Identity(M.rows(), M.cols());
  for (const SpectralWindow &window : {SpectralWindow {0.5, 5}, SpectralWindow {-1, 5}, SpectralWindow {0, 2, true}})
    for (const int degree : {1, 2, 3, 10}) {
      const double c = (window.least + window.most) / 2, h = (window.most - window.least) / 2;
      const Eigen::MatrixXcd x = (window.above ? 1 : -1) * (M - c * one) / h;
      const double x0 = (window.above ? -1 : 1) * c / h;
      Eigen::MatrixXcd before = one, now = x;
      double before0 = 1, now0 = x0;
      for (int k = 2; k <= degree; k++) {
        Eigen::MatrixXcd next = 2 * x * now - before;
        const double next0 = 2 * x0 * now0 - before0;
        before = now, now = next, before0 = now0, now0 = next0;
      }
      if (x0 > 1) now /= now0;
      const Chebyshev p(*A, degree, window);
      EXPECT_LE((matrix_of(p) - now).norm(), 1e-13 * now.norm() * degree) << "degree " << degree;
      EXPECT_NEAR(p.at(window.above ? window.least : window.most), (degree % 2 ? -1 : 1) / (x0 > 1 ? now0 : 1), 1e-12);
    }
}

TEST(Eigen, HermitianOperatorsHaveTheEigenvaluesOfTheirMatrices)
{
  for (const reference::Coords &X : {reference::Coords {2, 2, 2, 2}, reference::Coords {2, 2, 2, 4}}) {
    const World world(links_on(X));
    for (const Case &one : world.hermitian()) {
      SCOPED_TRACE(testing::Message() << one.name << ", " << X[3] << " slices");
      auto A = world.make(one);
      const long long dimension = KrylovSpace::dimension(*A);
      if (X[3] == 4 && dimension > 192) continue; // dense ones take long
      const Hermitian of(std::move(A));
      const int pairs = dimension < 30 ? 4 : 8;
      for (const Wanted wanted : {Wanted::smallest_real, Wanted::largest_real})
        check(of, {.method = one.twice ? EigenMethod::block_tr_lanczos : EigenMethod::tr_lanczos,
                   .wanted = wanted,
                   .pairs = pairs,
                   .search = pairs + 2,
                   .space = 2 * pairs + 6,
                   .block = 2});
    }
  }
}

TEST(Eigen, TheSizeOfTheSpaceDoesNotMatter)
{
  const World world(links_on({2, 2, 2, 4}));
  const Hermitian of(world.make(world.hermitian()[1]));
  for (const int space : {16, 40, 100}) check(of, {.pairs = 6, .search = 8, .space = space, .restarts = 400});
}

TEST(Eigen, PolynomialsFindTheSame)
{
  const World world(links_on({2, 2, 2, 4}));
  const std::vector<Case> cases = world.hermitian();
  for (const int which : {1, 5, 9, 10}) {
    SCOPED_TRACE(cases[static_cast<std::size_t>(which)].name);
    const Hermitian of(world.make(cases[static_cast<std::size_t>(which)]));
    const EigenOptions plain {.pairs = 4, .search = 6, .space = 20};
    const EigenReport without = check(of, plain);
    for (const Wanted wanted : {Wanted::smallest_real, Wanted::largest_real})
      for (const int degree : {1, 7, 12}) {
        SCOPED_TRACE(testing::Message() << "degree " << degree);
        EigenOptions with = plain;
        with.wanted = wanted;
        with.degree = degree;
        const EigenReport found = check(of, with);
        EXPECT_LT(found.window.least, found.window.most);
        if (degree == 12) {
          EXPECT_LT(found.restarts, without.restarts + 2);
        }
      }
    EigenOptions given = plain; // a window that is wrong at both ends is put right
    given.degree = 10;
    given.most = of.dense.eigenvalues()[8];
    given.least = given.most - 3;
    EXPECT_GT(check(of, given).window.most, of.dense.eigenvalues()[of.M.rows() - 1]);
  }
}

TEST(Eigen, BlocksFindMultiplicities)
{
  const World unit(reference::GaugeField(reference::Lattice({2, 2, 2, 4})));
  const std::vector<Case> cases = unit.hermitian();
  for (const int which : {1, 9, 10}) {
    SCOPED_TRACE(cases[static_cast<std::size_t>(which)].name);
    check(Hermitian(unit.make(cases[static_cast<std::size_t>(which)])),
          {.method = EigenMethod::block_tr_lanczos, .pairs = 12, .search = 12, .space = 36, .block = 12});
  }
  const World rough(links_on({2, 2, 2, 4}));
  const Hermitian of(rough.make(rough.hermitian()[1]));
  for (const int block : {1, 2, 3, 6})
    check(of, {.method = EigenMethod::block_tr_lanczos, .pairs = 6, .search = 7, .space = 36, .block = block});
}

TEST(Eigen, SpacesThatTheMatrixLeavesAsTheyAreDoNotEndTheSearch)
{
  // unit links: few eigenvalues, so that the Krylov space of one vector is soon complete
  const World world(reference::GaugeField(reference::Lattice({2, 2, 2, 2})));
  const std::vector<Case> cases = world.hermitian();
  for (const int which : {0, 10}) {
    SCOPED_TRACE(cases[static_cast<std::size_t>(which)].name);
    const auto A = world.make(cases[static_cast<std::size_t>(which)]);
    const EigenOptions options {.pairs = 8, .search = 10, .space = 40, .restarts = 20};
    // the same everywhere: an eigenvector, of which products leave nothing, or next to nothing
    ColorSpinorField constant(A->shape(1));
    set_vector(constant, Eigen::VectorXcd::Ones(static_cast<Index>(KrylovSpace::dimension(*A))));
    for (const bool started : {false, true}) {
      EigenSolver solver(*A, *A, options);
      const EigenReport report = solver.solve(started ? &constant : nullptr);
      EXPECT_TRUE(report.converged);
      for (const double residual : report.residuals) EXPECT_LE(residual, 1e-12);
      for (int i = 0; i < 8; i++) EXPECT_NEAR(vector_of(solver.vector(i)).norm(), 1, 1e-12);
    }
  }
}

TEST(Eigen, ArnoldiFindsComplexEigenvalues)
{
  const World world(links_on({2, 2, 2, 2}));
  const Case cases[] = {{"Wilson", WilsonFermions {kappa}, {}},
                        {"Wilson, even", WilsonFermions {kappa}, {.matpc = MatPC::even_even}},
                        {"clover, dagger", CloverFermions {kappa, &world.on.clover}, {.dagger = true}},
                        {"staggered", StaggeredFermions {0.05}, {}}};
  for (const Case &one : cases) {
    const auto A = world.make(one);
    const Eigen::MatrixXcd M = matrix_of(*A);
    const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> dense(M, false);
    std::vector<Complex> all(dense.eigenvalues().begin(), dense.eigenvalues().end());
    const int pairs = KrylovSpace::dimension(*A) < 60 ? 4 : 8;
    for (const Wanted wanted : {Wanted::largest_modulus, Wanted::smallest_modulus, Wanted::largest_real,
                                Wanted::smallest_real, Wanted::largest_imaginary, Wanted::smallest_imaginary})
      for (const int block : {0, 2}) {
        if (block && wanted != Wanted::smallest_modulus) continue;
        SCOPED_TRACE(testing::Message() << one.name << ", spectrum " << static_cast<int>(wanted) << ", block "
                                        << block);
        std::stable_sort(all.begin(), all.end(), [&](Complex a, Complex b) { return comes_before(wanted, a, b); });
        EigenSolver solver(*A, *A,
                           {.method = block ? EigenMethod::block_ir_arnoldi : EigenMethod::ir_arnoldi,
                            .wanted = wanted,
                            .pairs = pairs,
                            .search = pairs + 4,
                            .space = pairs + 24,
                            .block = block,
                            .tol = 1e-12,
                            .restarts = 300});
        const EigenReport report = solver.solve();
        EXPECT_TRUE(report.converged) << report.good << " after " << report.restarts;
        for (int i = 0; i < pairs; i++) {
          const Complex value = report.values[static_cast<std::size_t>(i)], place = all[static_cast<std::size_t>(i)];
          double nearest = 1e9; // those that the order has together may change places
          for (const Complex &other : all) nearest = std::min(nearest, std::abs(other - value));
          EXPECT_LE(nearest, 1e-10) << value;
          const auto key = [&](Complex z) {
            if (wanted == Wanted::largest_modulus || wanted == Wanted::smallest_modulus) return std::abs(z);
            return wanted == Wanted::largest_real || wanted == Wanted::smallest_real ? z.real() : z.imag();
          };
          EXPECT_NEAR(key(value), key(place), 1e-10) << "eigenvalue " << i;
          const Eigen::VectorXcd v = vector_of(solver.vector(i));
          EXPECT_NEAR(v.norm(), 1, 1e-12);
          EXPECT_LE((M * v - value * v).norm(), 1e-10);
        }
      }
  }
}

TEST(Eigen, SlicesAreProblemsOfTheirOwn)
{
  const World world(links_on({2, 4, 2, 4}));
  const auto whole = world.make({"", LaplaceVectors {1.0 / 6, 3}, {}});
  const Eigen::MatrixXcd M = matrix_of(*whole);
  const Sliced A(*whole);
  // the copies are each other's inverse
  ColorSpinorField field(whole->shape(1)), back(whole->shape(1)), slices(A.shape(4));
  const Eigen::VectorXcd numbers = Eigen::VectorXcd::Random(M.rows());
  set_vector(field, numbers);
  to_slices(slices, field);
  from_slices(back, slices);
  EXPECT_EQ((vector_of(back) - numbers).norm(), 0);
  const reference::Lattice lattice({2, 4, 2, 4}), of_slices({2, 4, 2, 2});
  const Eigen::VectorXcd moved = vector_of(slices);
  for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
    reference::Coords x = lattice.coords(slot);
    const int t = x[3];
    x[3] = (x[0] + x[1] + x[2]) % 2;
    const std::size_t there = static_cast<std::size_t>(t) * of_slices.half() + of_slices.slot(x);
    for (std::size_t c = 0; c < 3; c++)
      EXPECT_EQ(moved[static_cast<Index>(3 * there + c)], numbers[static_cast<Index>(3 * slot + c)]);
  }
  for (const int degree : {0, 8})
    for (const Wanted wanted : {Wanted::smallest_real, Wanted::largest_real}) {
      SCOPED_TRACE(testing::Message() << "degree " << degree << ", spectrum " << static_cast<int>(wanted));
      EigenSolver solver(A, A,
                         {.method = EigenMethod::tr_lanczos_3d,
                          .wanted = wanted,
                          .pairs = 4,
                          .search = 6,
                          .space = 18,
                          .degree = degree,
                          .problems = {4, 0, 4}});
      const EigenReport report = solver.solve();
      EXPECT_TRUE(report.converged);
      // sites of a slice, of either parity, in the order of the host
      const int sites = 2 * 4 * 2 * 4, of_slice = 2 * 4 * 2;
      for (int t = 0; t < 4; t++) {
        std::vector<Index> mine;
        for (int parity = 0; parity < 2; parity++)
          for (int i = 0; i < of_slice / 2 * 3; i++) mine.push_back((parity * sites / 2 + t * of_slice / 2) * 3 + i);
        const auto n = static_cast<Index>(mine.size());
        Eigen::MatrixXcd slice(n, n);
        for (Index i = 0; i < n; i++)
          for (Index j = 0; j < n; j++)
            slice(i, j) = M(mine[static_cast<std::size_t>(i)], mine[static_cast<std::size_t>(j)]);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> dense(slice);
        std::vector<double> all(dense.eigenvalues().begin(), dense.eigenvalues().end());
        std::stable_sort(all.begin(), all.end(), [&](double a, double b) { return comes_before(wanted, a, b); });
        for (int i = 0; i < 4; i++)
          EXPECT_NEAR(report.values[static_cast<std::size_t>(4 * t + i)].real(), all[static_cast<std::size_t>(i)],
                      1e-10)
              << "slice " << t << ", eigenvalue " << i;
      }
      for (int i = 0; i < 4; i++) {
        from_slices(field, solver.vector(i));
        const Eigen::VectorXcd v = vector_of(field);
        EXPECT_NEAR(v.norm(), 2, 1e-12); // of four slices
        Eigen::VectorXcd rest = M * v;
        for (int t = 0; t < 4; t++)
          for (int parity = 0; parity < 2; parity++)
            for (int k = 0; k < of_slice / 2 * 3; k++) {
              const Index at = (parity * sites / 2 + t * of_slice / 2) * 3 + k;
              rest[at] -= report.values[static_cast<std::size_t>(4 * t + i)] * v[at];
            }
        EXPECT_LE(rest.norm(), 1e-9);
      }
    }
}

TEST(Eigen, SinglePrecisionSpacesAreJudgedInDouble)
{
  const World world(links_on({2, 2, 2, 4}));
  const Case one = world.hermitian()[1];
  const auto A = world.make(one), lower = world.make(one, Precision::single);
  EigenSolver solver(*A, *lower, {.pairs = 4, .search = 6, .space = 20, .tol = 1e-5});
  const EigenReport report = solver.solve();
  EXPECT_TRUE(report.converged);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> dense(matrix_of(*A));
  for (int i = 0; i < 4; i++) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_NEAR(report.values[at].real(), dense.eigenvalues()[i], 1e-9);
    EXPECT_LE(report.residuals[at], 2e-5);
  }
  EigenSolver too_much(*A, *lower, {.pairs = 4, .search = 6, .space = 20, .tol = 1e-12, .restarts = 60});
  const EigenReport told = too_much.solve();
  for (const double residual : told.residuals) EXPECT_GT(residual, 1e-9);
}

TEST(Eigen, AStartInTheWantedSpaceIsUsed)
{
  const World world(links_on({2, 2, 2, 4}));
  const auto A = world.make(world.hermitian()[0]);
  const EigenOptions options {.pairs = 1, .search = 4, .space = 20};
  EigenSolver first(*A, *A, options);
  const EigenReport cold = first.solve();
  ColorSpinorField start(A->shape(1));
  start = first.vector(0);
  const EigenReport warm = EigenSolver(*A, *A, options).solve(&start);
  EXPECT_LT(warm.restarts, cold.restarts);
  EXPECT_NEAR(warm.values[0].real(), cold.values[0].real(), 1e-12);
}

TEST(Eigen, WhatDoesNotFitIsRefused)
{
  const World world(links_on({2, 2, 2, 2}));
  const auto normal = world.make(world.hermitian()[0]), itself = world.make({"", WilsonFermions {kappa}, {}});
  const auto refuses = [](const LinearOperator &A, const EigenOptions &options, const std::string &word) {
    expect_refused(ErrorKind::bad_argument, {word}, [&] { EigenSolver(A, A, options); });
  };
  refuses(*normal, {.pairs = 5, .search = 4, .space = 20}, "5 pairs");
  refuses(*normal, {.pairs = 4, .search = 20, .space = 20}, "space of 20");
  refuses(*normal, {.pairs = 4, .search = 8, .space = 192}, "192 numbers");
  refuses(*normal, {.method = EigenMethod::block_tr_lanczos, .pairs = 4, .search = 8, .space = 20, .block = 3},
          "a multiple");
  refuses(*itself, {.pairs = 4, .search = 8, .space = 20}, "not Hermitian");
  refuses(*itself, {.method = EigenMethod::ir_arnoldi, .pairs = 4, .search = 8, .space = 20, .degree = 3},
          "with a polynomial");
  refuses(*normal, {.wanted = Wanted::largest_imaginary, .pairs = 4, .search = 8, .space = 20}, "imaginary");
}
