/// Low modes of the last level: against those of the dense matrix, and what they do for its systems.

#include <Eigen/Dense>

#include "coarse_case.h"
#include "multigrid/level.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace coarse_case;

namespace
{

constexpr int rows_of_site = 12;

using Dense = Eigen::MatrixXcd;

/// An operator with small singular values: random matrices whose part at a site is far from 1.
std::shared_ptr<const CoarseMatrices> light_matrices(const std::shared_ptr<const Lattice> &lattice, Precision precision,
                                                     double twist)
{
  const Numbers all = hermitian_matrices(lattice->global_X(), rows_of_site, 70);
  ColorSpinorField M(row_shape(lattice, rows_of_site, precision, 9 * rows_of_site));
  fill(M, rows_of_site, [&](std::uint64_t site, std::uint64_t k) {
    const int n = static_cast<int>(k), row = n % rows_of_site, column = n / rows_of_site % rows_of_site;
    return all(site, k) - (n / rows_of_site / rows_of_site == 8 && row == column ? 0.4 : 0.0);
  });
  auto matrices = std::make_shared<const CoarseMatrices>(std::move(M), rows_of_site);
  return twist == 0 ? matrices : twisted(matrices, twist);
}

/// Columns of an operator.
Dense dense_of(const LinearOperator &A)
{
  const int n = static_cast<int>(A.shape(1).lattice->volume_cb()) * rows_of_site;
  ColorSpinorField in(A.shape(n)), out(A.shape(n));
  RowArray numbers(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  const auto place = [n](int i, int j) { // number i of column j
    return (static_cast<std::size_t>(i / rows_of_site) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)) *
               rows_of_site +
           static_cast<std::size_t>(i % rows_of_site);
  };
  for (int j = 0; j < n; j++) numbers[place(j, j)] = 1;
  from_host(in, rows_of_site, numbers);
  A(out, in);
  numbers = to_host(out, rows_of_site);
  Dense dense(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) dense(i, j) = numbers[place(i, j)];
  return dense;
}

Eigen::VectorXcd dense_of(const ColorSpinorField &x)
{
  const RowArray numbers = to_host(x, rows_of_site);
  return Eigen::Map<const Eigen::VectorXcd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

MultigridForm form_with(Method method, Precision precision, int modes)
{
  MultigridForm form;
  form.levels.resize(2);
  form.precision = precision;
  form.levels[1].solve = {.method = method, .options = {.krylov = 8}, .tolerance = 1e-3, .steps = 64};
  if (modes == 0) return form;
  LowModeForm low;
  low.options.pairs = low.options.search = modes;
  low.options.space = modes + 16;
  low.options.tol = precision == Precision::double_ ? 1e-8 : 1e-3;
  low.required = true;
  low.kept = precision;
  form.levels[1].low_modes = low;
  return form;
}

std::shared_ptr<const Lattice> small_lattice()
{
  static constexpr int X[4] = {2, 2, 2, 4};
  return Lattice::rows(X, make_single_communicator());
}

void set(Level &level, const std::shared_ptr<const CoarseMatrices> &matrices)
{
  auto dirac = std::make_unique<DiracCoarse>(matrices);
  const LinkStorage storage = dirac->storage();
  const ColorSpinorField random = random_vector(dirac->shape(-1, 1), rows_of_site, 3);
  level.set_operator(std::move(dirac), storage, random);
}

} // namespace

TEST(CoarseLowModes, AreThoseOfTheDenseMatrix)
{
  constexpr int modes = 10;
  for (const Precision precision : {Precision::double_, Precision::single})
    for (const double twist : {0.0, 0.03})
      for (const EigenMethod method : {EigenMethod::tr_lanczos, EigenMethod::block_tr_lanczos}) {
        SCOPED_TRACE(testing::Message() << bytes_of(precision) << " bytes, twist " << twist << ", method "
                                        << static_cast<int>(method));
        const auto matrices = light_matrices(small_lattice(), precision, twist);
        MultigridForm form = form_with(Method::gcr, precision, modes);
        form.levels[1].low_modes->options.method = method;
        form.levels[1].low_modes->options.block = 2;
        Level level(form, 1);
        set(level, matrices);
        level.deflate(false);
        const Dense M = dense_of(*level.dirac().schur(form.matpc));
        const Eigen::VectorXd right = Eigen::SelfAdjointEigenSolver<Dense>(M.adjoint() * M).eigenvalues();
        const std::vector<double> values = level.report().low_modes;
        ASSERT_EQ(values.size(), static_cast<std::size_t>(modes));
        const double largest = right(right.size() - 1), epsilon = precision == Precision::double_ ? 1e-12 : 2e-6;
        for (int i = 0; i < modes; i++)
          EXPECT_NEAR(values[static_cast<std::size_t>(i)], right(i), epsilon * largest) << i;
      }
}

/// The solution of M x = b or M^dag x = b is right, and takes fewer steps the more modes there are.
TEST(CoarseLowModes, ShortenSolves)
{
  const auto matrices = light_matrices(small_lattice(), Precision::double_, 0.02);
  for (const Method method : {Method::gcr, Method::ca_gcr, Method::cgnr, Method::cgne, Method::bicgstab})
    for (const bool dagger : {false, true}) {
      SCOPED_TRACE(testing::Message() << row_of(method).name << ", dagger " << dagger);
      long long before = 0;
      for (const int modes : {0, 12, 40}) {
        MultigridForm form = form_with(method, Precision::double_, modes);
        form.levels[1].solve.tolerance = 1e-6;
        form.levels[1].solve.steps = 400;
        Level level(form, 1);
        set(level, matrices);
        level.deflate(false);
        const ColorSpinorField b = random_vector(level.shape(-1, 3), rows_of_site, 8);
        ColorSpinorField x(b.param()), Mx(b.param());
        level.solve(x, b, dagger);
        (*level.dirac().full())(Mx, x, dagger);
        EXPECT_LT(deviation(Mx, b), 2e-5);
        const long long steps = level.report().iterations;
        std::printf("  %d modes: %lld steps\n", modes, steps);
        if (modes == 12) {
          EXPECT_LT(static_cast<double>(steps), 0.75 * static_cast<double>(before));
        }
        if (modes == 40) {
          EXPECT_LE(steps, before);
        }
        before = steps;
      }
    }
}

/// All modes there are: no step is needed for what the tolerance asks.
TEST(CoarseLowModes, OfTheWholeSpaceSolveByThemselves)
{
  static constexpr int X[4] = {2, 2, 2, 2};
  const auto matrices = light_matrices(Lattice::rows(X, make_single_communicator()), Precision::double_, 0);
  MultigridForm form = form_with(Method::gcr, Precision::double_, 80); // of 96
  form.levels[1].low_modes->options.space = 94;
  form.levels[1].solve.tolerance = 1e-3;
  Level level(form, 1);
  set(level, matrices);
  level.deflate(false);
  const auto A = level.dirac().schur(form.matpc);
  const Dense M = dense_of(*A);
  const ColorSpinorField b = random_vector(level.shape(-1, 1), rows_of_site, 8);
  ColorSpinorField x(b.param());
  for (const bool dagger : {false, true}) {
    level.solve(x, b, dagger);
    // what is missing lies in the sixteen largest modes alone, and those have condition 1.3 or so
    ColorSpinorField c(A->shape(1));
    level.dirac().prepare(c, b, form.matpc, dagger);
    ColorSpinorField z = x.half(level.parity());
    if (dagger) level.dirac().prepare_guess(z, form.matpc, true);
    const Eigen::VectorXcd right =
        dagger ? Eigen::VectorXcd(M.adjoint().lu().solve(dense_of(c))) : Eigen::VectorXcd(M.lu().solve(dense_of(c)));
    EXPECT_LT((dense_of(z) - right).norm(), 1e-2 * right.norm());
  }
  EXPECT_LT(level.report().iterations, 12);
}

/// Kept over a change of the operator they serve the new one, whose system is solved as exactly.
TEST(CoarseLowModes, ServeAfterAnUpdate)
{
  const auto lattice = small_lattice();
  MultigridForm form = form_with(Method::gcr, Precision::double_, 24);
  form.levels[1].solve.tolerance = 1e-6;
  form.levels[1].solve.steps = 400;
  Level level(form, 1);
  set(level, light_matrices(lattice, Precision::double_, 0.02));
  level.deflate(false);
  const auto steps = [&] {
    const ColorSpinorField b = random_vector(level.shape(-1, 2), rows_of_site, 8);
    ColorSpinorField x(b.param()), Mx(b.param());
    const long long before = level.report().iterations;
    level.solve(x, b);
    (*level.dirac().full())(Mx, x);
    EXPECT_LT(deviation(Mx, b), 2e-5);
    return level.report().iterations - before;
  };
  const long long fresh = steps();
  const std::vector<double> values = level.report().low_modes;
  set(level, light_matrices(lattice, Precision::double_, 0.021));
  const long long without = steps();
  level.deflate(true);
  const long long kept = steps();
  EXPECT_NE(level.report().low_modes, values);
  EXPECT_LT(kept, 0.85 * static_cast<double>(without));
  EXPECT_LE(kept, fresh + 3);
}

TEST(CoarseLowModes, TooManyAreRefused)
{
  MultigridForm form = form_with(Method::gcr, Precision::double_, 8);
  form.levels[1].low_modes->options.space = 16 * rows_of_site;
  Level level(form, 1);
  set(level, light_matrices(small_lattice(), Precision::double_, 0));
  expect_refused(ErrorKind::bad_argument, {"192 rows"}, [&] { level.deflate(false); });
}
