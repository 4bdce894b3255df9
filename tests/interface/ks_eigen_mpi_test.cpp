/// Eigenvectors of improved staggered quarks by the calls of MILC's ks_eigen (c_ks_eigen.c): all eigenvalues of the
/// plain reference's matrix on one process, residuals by its operator on several.

#include "c_ks_eigen.h"
#include "quark_links.h"

#include <Eigen/Eigenvalues>

#include "reference/dirac/staggered.h"
#include "reference/gauge/staggered_phase.h"

namespace
{

using namespace test;
using reference::ColorVectors;

constexpr int pairs = 8;

/// -D D of the sites of a parity, or of all.
class Matrix
{
public:
  explicit Matrix(const reference::Lattice &global)
      : lattice(global)
      , fat(reference::staggered(reference::random_gauge(global, 61, reference::Kind::weak),
                                 reference::StaggeredPhases::milc, -1))
      , longs(reference::random_unitary_long_links(global, 62))
  {
  }

  ColorVectors operator()(const ColorVectors &psi) const { return of_.square(psi, 0); }

  /// All eigenvalues, ascending.
  Eigen::VectorXd values(int parity) const
  {
    const std::size_t half = lattice.half(), first = parity == 1 ? half : 0, sites = parity == 2 ? 2 * half : half;
    Eigen::MatrixXcd dense(3 * sites, 3 * sites);
    for (std::size_t column = 0; column < 3 * sites; column++) {
      ColorVectors psi(lattice.volume(), ColorVectors::value_type::Zero());
      psi[first + column / 3](0, static_cast<Eigen::Index>(column % 3)) = 1;
      const ColorVectors image = (*this)(psi);
      for (std::size_t row = 0; row < 3 * sites; row++)
        dense(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
            image[first + row / 3](0, static_cast<Eigen::Index>(row % 3));
    }
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(dense, Eigen::EigenvaluesOnly).eigenvalues();
  }

  const reference::Lattice lattice;
  const reference::GaugeField fat, longs;

private:
  const reference::Staggered of_ {fat, &longs};
};

template <class real> struct Found {
  std::vector<std::vector<real>> vectors;
  std::vector<double> values = std::vector<double>(pairs, NAN);
};

/// fill: of the first vector, where the search may start.
template <class real>
Found<real> found_by(const ks_eigen_call &call, const Matrix &matrix, const reference::Part &part, real fill)
{
  Found<real> found;
  std::vector<void *> pointers;
  for (int i = 0; i < pairs; i++) found.vectors.emplace_back(6 * part.local.volume(), fill);
  for (auto &v : found.vectors) pointers.push_back(v.data());
  HostLinks<real> fat(matrix.fat, part, QUDA_MILC_GAUGE_ORDER), longs(matrix.longs, part, QUDA_MILC_GAUGE_ORDER);
  c_ks_eigen(&call, fat.pointer(), longs.pointer(), pointers.data(), found.values.data());
  return found;
}

template <class real>
void expect_pairs(const ks_eigen_call &call, const Matrix &matrix, const reference::Part &part, real fill)
{
  SCOPED_TRACE(testing::Message() << "parity " << call.parity << ", block " << call.block << ", bytes " << call.bytes);
  const Found<real> found = found_by<real>(call, matrix, part, fill);
  const double bar = call.bytes == 8 ? 1e-9 : 1e-4;
  for (int i = 0; i < pairs; i++) {
    std::vector<real> whole(6 * part.local.volume(), 0);
    const auto &from = found.vectors[static_cast<std::size_t>(i)]; // of one parity: its half in the first places
    const std::size_t half = 6 * part.local.half();
    std::copy_n(from.begin(), call.parity == 2 ? 2 * half : half, whole.begin() + (call.parity == 1 ? half : 0));
    if (call.parity != 2) {
      EXPECT_EQ(std::memcmp(&from.back(), &fill, sizeof fill), 0) << "written beyond one parity";
    }
    const ColorVectors v = gathered<1>(whole, matrix.lattice, part);
    EXPECT_NEAR(norm<1>(v), 1, bar);
    EXPECT_LE(norm<1>(reference::combined<1>(1, matrix(v), -found.values[static_cast<std::size_t>(i)], v)), 20 * bar);
    if (i > 0) {
      EXPECT_LE(found.values[static_cast<std::size_t>(i - 1)], found.values[static_cast<std::size_t>(i)]);
    }
  }
  if (ranks() > 1) return;
  const Eigen::VectorXd all = matrix.values(call.parity);
  for (int i = 0; i < pairs; i++) EXPECT_NEAR(found.values[static_cast<std::size_t>(i)], all[i], 10 * bar) << i;
}

} // namespace

TEST(KsEigen, PairsAsMilcAsksForThem)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const Handler handler;
  const int ranks = test::ranks();
  // hops of three links need extents of 4 where they are cut
  const Coords grid = {ranks > 1 ? 2 : 1, ranks > 2 ? 2 : 1, 1, 1}, X = {4 * grid[0], 4 * grid[1], 4, 4};
  const Matrix matrix {reference::Lattice(X)};
  const reference::Part part(matrix.lattice, grid, Here::place(grid, true));
  ks_eigen_call call {{4, 4, 4, 4}, {grid[0], grid[1], 1, 1}, 8, 0, pairs, 48, 100, 1, 10, 1e-11, 2, 30};
  expect_pairs<double>(call, matrix, part, NAN);
  call.parity = 1;
  call.block = 4; // values of both parities are degenerate in pairs
  expect_pairs<double>(call, matrix, part, 0.25);
  call.parity = 2;
  call.space = 64;
  expect_pairs<double>(call, matrix, part, 0);
  call.parity = 0;
  call.bytes = 4;
  call.block = 1;
  call.tol = 1e-5;
  expect_pairs<float>(call, matrix, part, NAN);
}
