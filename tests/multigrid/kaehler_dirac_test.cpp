/// Hypercubes of staggered quarks, and their operator preconditioned by its blocks, against dense matrices.

#include "multigrid/kaehler_dirac.h"

#include <Eigen/Dense>

#include "coarse_case.h"
#include "fields/aggregates.h"
#include "ops/multigrid/hypercubes.h"
#include "staggered_case.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace coarse_case;
using namespace staggered_case;

namespace
{

constexpr double mass = 0.06;
constexpr int n = hypercube_rows;

using Matrix = Eigen::MatrixXcd;

/// Where a site stands among the hypercubes of a lattice.
struct Name {
  reference::Coords hypercube;
  int row; // of colour 0
};
Name name_of(const reference::Coords &x)
{
  Name name {{x[0] / 2, x[1] / 2, x[2] / 2, x[3] / 2}, 0};
  const int parity = (x[0] + x[1] + x[2] + x[3]) % 2;
  name.row = 24 * parity + 3 * (x[1] % 2 + 2 * (x[2] % 2) + 4 * (x[3] % 2));
  return name;
}

ColorSpinorField native(const support::Place &place, const ColorSpinorParam &shape, const reference::ColorVectors &psi)
{
  ColorSpinorField field(shape);
  support::set_from_host(field, reference::to_host<double, 1>(psi, place.global, place.part,
                                                              shape.subset == SiteSubset::full ? -1 : shape.parity));
  return field;
}

reference::ColorVectors random_colors(const reference::Lattice &lattice, std::uint64_t seed)
{
  return reference::spins_of<1>(reference::random_spinors(lattice, seed));
}

std::shared_ptr<const Lattice> hypercubes_of(const Lattice &fine)
{
  int X[4];
  coarse_extents(fine.X(), hypercube, X);
  return Lattice::rows(X, fine.shared_communicator());
}

/// M on the sites of one hypercube, the rest cut away.
Matrix block(const reference::Staggered &plain, const reference::Lattice &lattice, const reference::Coords &at)
{
  Matrix X(n, n);
  const auto of_hypercube = [&](auto &&work) {
    for (int b = 0; b < 16; b++) {
      const reference::Coords x = {2 * at[0] + b % 2, 2 * at[1] + b / 2 % 2, 2 * at[2] + b / 4 % 2, 2 * at[3] + b / 8};
      for (int c = 0; c < 3; c++) work(lattice.slot(x), name_of(x).row + c, c);
    }
  };
  // the neighbours beyond belong to other hypercubes as long as extents are 4 and more
  of_hypercube([&](std::size_t from, int column, int c) {
    reference::ColorVectors unit(lattice.volume());
    for (auto &v : unit) v.setZero();
    unit[from](0, c) = 1;
    const reference::ColorVectors out = plain.matrix(unit, mass);
    of_hypercube([&](std::size_t to, int row, int d) { X(row, column) = out[to](0, d); });
  });
  return X;
}

} // namespace

/// Each number keeps its value and takes the name that is written down here; what is not there is zero, or stays.
TEST(Hypercubes, AreAChangeOfNames)
{
  const reference::Lattice global({4, 8, 4, 8});
  const reference::ColorVectors psi = random_colors(global, 5);
  support::on_targets([&] {
    const support::Place place(global, make_single_communicator());
    const auto coarse = hypercubes_of(*place.lattice);
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const int parity : {-1, 0, 1})
        for (const int coarse_parity : {-1, 0, 1})
          for (const bool add : {false, true}) {
            SCOPED_TRACE(testing::Message() << bytes_of(precision) << " bytes, parities " << parity << " and "
                                            << coarse_parity << ", add " << add);
            const HypercubeTransfer P(place.lattice, coarse, precision);
            const ColorSpinorField fine = native(place, P.fine_shape(1, parity), psi);
            ColorSpinorField rows = random_rows(coarse, n, precision, 1, coarse_parity, 3);
            const RowArray before = to_host(rows, n);
            const int lo[4] = {0, 0, 1, 0}, hi[4] = {2, 2, 2, 1};
            P.restrict_box(rows, fine, lo, hi, add);
            const RowArray found = to_host(rows, n);
            std::size_t at = 0;
            for_sites(rows, [&](std::size_t, const int a[4]) {
              std::vector<Complex> expected(n, 0);
              for (int b = 0; b < 16; b++) {
                const reference::Coords x = {2 * a[0] + b % 2, 2 * a[1] + b / 2 % 2, 2 * a[2] + b / 4 % 2,
                                             2 * a[3] + b / 8};
                const bool in =
                    b / 4 % 2 == 1 && b / 8 == 0 && (parity < 0 || parity == (x[0] + x[1] + x[2] + x[3]) % 2);
                for (int c = 0; c < 3 && in; c++)
                  expected[static_cast<std::size_t>(name_of(x).row + c)] = psi[global.slot(x)](0, c);
              }
              for (std::size_t r = 0; r < n; r++, at++)
                ASSERT_LE(std::abs(found[at] - expected[r] - (add ? before[at] : 0)),
                          4 * row_fields::epsilon(precision));
            });
            ColorSpinorField back = native(place, P.fine_shape(1, parity), psi);
            const std::vector<double> was = support::host_array(back);
            P.restrict(rows, fine);
            P.prolong(back, rows, add);
            const std::vector<double> is = support::host_array(back);
            for (std::size_t k = 0; k < is.size(); k++) {
              const std::size_t slot = k / 6 + (parity == 1 ? global.half() : 0);
              const Name name = name_of(global.coords(slot));
              const int of = (name.hypercube[0] + name.hypercube[1] + name.hypercube[2] + name.hypercube[3]) % 2;
              const bool there = coarse_parity < 0 || coarse_parity == of;
              ASSERT_LE(std::abs(is[k] - (add ? was[k] : 0) - (there ? was[k] : 0)),
                        4 * row_fields::epsilon(precision));
            }
          }
  });
}

/// X X^-1 = 1 on every hypercube, X taken from the plain operator and inverted here.
TEST(KaehlerDirac, HasTheInverseOfEveryBlock)
{
  const reference::Lattice global({4, 4, 4, 4});
  const reference::GaugeField fat = reference::random_fat_links(global, 11);
  const reference::Staggered plain {fat};
  const Case on(fat, nullptr);
  const auto coarse = hypercubes_of(*on.place.lattice);
  const KaehlerDirac made = kaehler_dirac(mass, on.links, coarse, Precision::double_);
  ColorSpinorField units(made.P->fine_shape(n)), inverse(made.P->coarse_shape(n));
  made.P->columns(units, 0);
  made.P->restrict(inverse, units);
  const RowArray numbers = to_host(inverse, n);
  for_sites(inverse, [&](std::size_t site, const int a[4]) {
    const Matrix X = block(plain, global, {a[0], a[1], a[2], a[3]});
    Matrix found(n, n);
    for (int column = 0; column < n; column++)
      for (int row = 0; row < n; row++)
        found(row, column) = numbers[(site * n + static_cast<std::size_t>(column)) * n + static_cast<std::size_t>(row)];
    EXPECT_LE((X * found - Matrix::Identity(n, n)).norm(), 1e-11);
    EXPECT_LE((found - X.inverse()).norm(), 1e-11 * found.norm());
  });
}

/// K c = X^-1 P^dag M P c; P^dag P = 1; the adjoints of all forms; even-odd forms.
TEST(KaehlerDirac, IsTheOperatorOnHypercubesTimesTheInverse)
{
  const reference::Lattice global({4, 8, 4, 8});
  const reference::GaugeField fat = reference::random_fat_links(global, 11);
  const Case on(fat, nullptr);
  for (const Precision precision : {Precision::double_, Precision::single}) {
    SCOPED_TRACE(bytes_of(precision));
    const auto coarse = hypercubes_of(*on.place.lattice);
    const KaehlerDirac made = kaehler_dirac(mass, on.links, coarse, precision);
    const ColorSpinorField c = random_vector(made.P->coarse_shape(2), n, 9);
    ColorSpinorField fine(made.P->fine_shape(2)), product(fine.param()), expected(c.param()), found(c.param());
    made.P->prolong(fine, c);
    made.P->HypercubeTransfer::restrict(found, fine);
    EXPECT_LE(deviation(found, c), rounding(precision));
    (*on.dirac(mass, precision)->full())(product, fine);
    made.P->restrict(expected, product);
    (*made.dirac->full())(found, c);
    EXPECT_LE(deviation(found, expected), rounding(precision));
    // M^dag = s3 M s3 on rows, of which K^dag is made
    expect_adjoint(*made.dirac->full(), n);
    for (const MatPC matpc : all_matpc) expect_adjoint(*made.dirac->schur(matpc), n);
    expect_even_odd(*made.dirac, n, 2);
    if (precision == Precision::double_)
      expect_adjoint(*made.dirac->clone({Precision::single, Reconstruct::none})->full(), n);
  }
}

/// Of free quarks D vanishes on what is the same on every hypercube: there K is 2 m X^-1.
TEST(KaehlerDirac, OfFreeQuarksOnConstants)
{
  const Case on(reference::staggered(free_links({4, 4, 8, 4}), reference::StaggeredPhases::milc, 1), nullptr);
  const KaehlerDirac made = kaehler_dirac(mass, on.links, hypercubes_of(*on.place.lattice), Precision::double_);
  ColorSpinorField constants(made.P->coarse_shape(3)), fine(made.P->fine_shape(3)), found(constants.param()),
      expected(constants.param());
  fill(constants, n, [](std::uint64_t, std::uint64_t k) { return random_number(4, 0, k); });
  made.P->prolong(fine, constants);
  made.P->restrict(expected, fine);
  blas::ax(2 * mass, expected);
  (*made.dirac->full())(found, constants);
  EXPECT_LE(deviation(found, expected), 1e-12);
}

/// What has no inverse is named.
TEST(KaehlerDirac, RefusesBlocksWithoutInverse)
{
  reference::GaugeField nothing = free_links({4, 4, 4, 4});
  for (auto &of_direction : nothing.U)
    for (reference::Link &link : of_direction) link.setZero();
  const Case on(nothing, nullptr);
  expect_refused(ErrorKind::bad_argument, {"site 0 0 0 0"},
                 [&] { kaehler_dirac(0, on.links, hypercubes_of(*on.place.lattice), Precision::double_); });
}
