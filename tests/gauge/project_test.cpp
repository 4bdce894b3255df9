/// Projection onto SU(3) against a singular value decomposition, its invariances, and links that have no projection.

#include <gtest/gtest.h>

#include <cmath>

#include "ops/gauge/project.h"
#include "reference/gauge/links.h"
#include "reference/gauge/project.h"
#include "reference/random.h"
#include "support/host_links.h"

using namespace quda;

namespace
{

/// SU(3) links with noise of this size.
reference::GaugeField noisy(const reference::Lattice &lattice, double size)
{
  reference::GaugeField gauge = reference::random_gauge(lattice, 51);
  const reference::GaugeField noise = reference::random_gauge(lattice, 52, reference::Kind::general);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) gauge.U[mu][slot] += size * noise.U[mu][slot];
  return gauge;
}

} // namespace

TEST(Project, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}})
      for (const Precision precision : {Precision::double_, Precision::single}) {
        const reference::Lattice lattice(shape);
        const support::Place place(lattice, make_single_communicator());
        reference::GaugeField gauge = noisy(lattice, 0.1);
        if (precision == Precision::single) gauge = reference::rounded_to_single(gauge);
        const GaugeField links = support::native_links(place, gauge, {precision});
        GaugeField out(links.param());
        EXPECT_EQ(project_su3(out, links, projection_tolerance(precision)), 0);
        EXPECT_LT(reference::deviation(support::reference_links(out), reference::projected(gauge)),
                  precision == Precision::double_ ? 2e-14 : 1e-5);
      }
  });
}

TEST(Project, WorksInPlaceAndOnTwoRows)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = noisy(lattice, 0.01);
    GaugeField links = support::native_links(place, gauge, {});
    GaugeField out(links.param());
    EXPECT_EQ(project_su3(out, links, 2e-15), 0);
    EXPECT_EQ(project_su3(links, links, 2e-15), 0);
    EXPECT_EQ(reference::deviation(support::reference_links(links), support::reference_links(out)), 0);

    GaugeField rows = support::native_links(place, gauge, {Precision::double_, Reconstruct::r12, 1, 1});
    EXPECT_EQ(project_su3(rows, rows, 2e-15), 0);
    EXPECT_LT(
        reference::deviation(support::reference_links(rows), reference::projected(reference::reconstructed_12(gauge))),
        2e-14);
  });
}

/// Matrices far from unitary, in some lanes only: the others' bits do not know.
TEST(Project, LanesDoNotDependOnEachOther)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField near = noisy(lattice, 0.01);
    const reference::GaugeField wild = reference::random_gauge(lattice, 53, reference::Kind::general);
    reference::GaugeField mixed = near;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot += 3) mixed.U[mu][slot] = wild.U[mu][slot];
    const auto projected = [&](const reference::GaugeField &gauge) {
      GaugeField links = support::native_links(place, gauge, {});
      EXPECT_EQ(project_su3(links, links, 2e-15), 0);
      return support::reference_links(links);
    };
    const reference::GaugeField a = projected(near), b = projected(mixed);
    int differing = 0;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot++)
        differing += slot % 3 != 0 && a.U[mu][slot] != b.U[mu][slot];
    EXPECT_EQ(differing, 0);
    EXPECT_LT(reference::deviation(b, reference::projected(mixed)), 1e-12);
  });
}

/// U D V with U, V of SU(3): the projection is U V, whatever the singular values D are. Small ones lose what the
/// rounding of the matrix itself loses, largest by smallest, also where two are small and cofactors cancel twice.
TEST(Project, SmallAndEqualSingularValues)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField U = reference::random_gauge(lattice, 57), V = reference::random_gauge(lattice, 58);
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const double small : {0.1, 1e-2, 1e-3, 1e-5})
        for (const auto &[second, third] : {std::pair(1.0, small), {small, small}, {1.5 * small, small}}) {
          if (precision == Precision::single && small < 1e-3) continue;
          const Eigen::Vector3d D {1, second, third};
          reference::GaugeField gauge = U, product = U;
          for (int mu = 0; mu < 4; mu++)
            for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
              gauge.U[mu][slot] = U.U[mu][slot] * D.asDiagonal() * V.U[mu][slot];
              product.U[mu][slot] = U.U[mu][slot] * V.U[mu][slot];
            }
          GaugeField links = support::native_links(place, gauge, {precision});
          EXPECT_EQ(project_su3(links, links, projection_tolerance(precision)), 0);
          const double rounding = precision == Precision::double_ ? 0x1p-53 : 0x1p-24;
          EXPECT_LT(reference::deviation(support::reference_links(links), product), 8 * rounding / small)
              << "singular values 1, " << second << ", " << third << ", precision " << bytes_of(precision);
        }
  });
}

TEST(Project, DeterminantsOnAllOfTheUnitCircle)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    reference::GaugeField gauge = reference::random_gauge(lattice, 54);
    const double n = static_cast<double>(4 * lattice.volume());
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
        const double turn = (4.0 * static_cast<double>(slot) + mu + 0.5) / n; // of the determinant
        gauge.U[mu][slot] *= std::polar(1.0, 2 * M_PI * (turn - 0.5) / 3);
      }
    GaugeField links = support::native_links(place, gauge, {});
    EXPECT_EQ(project_su3(links, links, 2e-15), 0);
    EXPECT_LT(reference::deviation(support::reference_links(links), reference::projected(gauge)), 2e-14);
  });
}

/// The last step before convergence leaves least to rounding where links are this near.
TEST(Project, LinksAlmostThere)
{
  support::on_targets([] {
    const reference::Lattice lattice({8, 8, 8, 8});
    const support::Place place(lattice, make_single_communicator());
    for (const double size : {282 * 1e-10, 333 * 1e-10, 1.0}) {
      GaugeField links = support::native_links(place, noisy(lattice, size), {});
      EXPECT_EQ(project_su3(links, links, 2e-15), 0) << size;
    }
  });
}

TEST(Project, CountsLinksWithoutAProjection)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    reference::GaugeField gauge = reference::random_gauge(lattice, 55);
    gauge.U[0][3].setZero();
    gauge.U[2][100](1, 1) = INFINITY;
    gauge.U[3][7](1, 2) = std::nan("");
    GaugeField links = support::native_links(place, gauge, {});
    EXPECT_EQ(project_su3(links, links, 2e-15), 3);
  });
}

/// Links of an antiperiodic boundary: the projection is that of the links without the sign, times the sign.
TEST(Project, KeepsBoundarySigns)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {4, 4, 4, 2}, {4, 4, 4, 10}}) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
        reference::GaugeField gauge = noisy(lattice, 0.01);
        if (reconstruct == Reconstruct::r12) gauge = reference::reconstructed_12(gauge);
        reference::GaugeField expected = reference::projected(gauge);
        reference::set_up_links(gauge, 1, -1);
        reference::set_up_links(expected, 1, -1);
        GaugeField links = support::native_links(place, gauge, {Precision::double_, reconstruct, 1, -1});
        EXPECT_EQ(project_su3(links, links, 2e-15), 0);
        EXPECT_LT(reference::deviation(support::reference_links(links), expected), 2e-14);
      }
    }
  });
}

/// Links that have no sign get none, whatever boundary the field says.
TEST(Project, PutsNoSignsOn)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 6});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = noisy(lattice, 0.01);
    GaugeField links = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1});
    EXPECT_EQ(project_su3(links, links, 2e-15), 0);
    EXPECT_LT(reference::deviation(support::reference_links(links), reference::projected(gauge)), 2e-14);
  });
}

TEST(Project, TwoRowsWithAnAnisotropyAreRefused)
{
  choose_target();
  const reference::Lattice lattice({4, 4, 4, 4});
  const support::Place place(lattice, make_single_communicator());
  reference::GaugeField gauge = reference::random_gauge(lattice, 56);
  reference::set_up_links(gauge, 2, 1);
  GaugeField links = support::native_links(place, gauge, {Precision::double_, Reconstruct::r12, 2, 1});
  EXPECT_THROW(project_su3(links, links, 2e-15), Error);

  GaugeField bare = support::native_links(place, gauge, {Precision::double_, Reconstruct::r12, 1, -1});
  bare.set_phases({StaggeredPhase::milc, false, 0});
  EXPECT_THROW(project_su3(bare, bare, 2e-15), Error);
}
