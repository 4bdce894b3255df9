/// Charge and energy against the plain reference, their symmetries, and the density against the charge.

#include <gtest/gtest.h>

#include <cmath>

#include "core/exact_sum.h"
#include "ops/gauge/field_strength.h"
#include "reference/gauge/field_strength.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "support/native_fields.h"

using namespace quda;

namespace
{

/// The field reflected in direction d: charge changes sign, energies stay.
reference::GaugeField reflected(const reference::GaugeField &gauge, int d)
{
  const reference::Lattice &lattice = gauge.lattice;
  reference::GaugeField out(lattice);
  for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
    const reference::Coords x = lattice.coords(slot);
    reference::Coords y = x;
    y[d] = (lattice.X[d] - x[d]) % lattice.X[d];
    for (int mu = 0; mu < 4; mu++)
      out.U[mu][slot] = mu == d ? reference::Link(gauge.at(d, lattice.shifted(y, d, -1)).adjoint()) : gauge.at(mu, y);
  }
  return out;
}

template <class T> void agrees_with_the_reference(Precision precision, double bar)
{
  for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}}) {
    const reference::Lattice lattice(shape);
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField links = reference::random_gauge(lattice, 31);
    const reference::GaugeField gauge = precision == Precision::single ? reference::rounded_to_single(links) : links;
    const auto expected = reference::charge(gauge);
    for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
      std::vector<T> density(lattice.volume(), T(-7));
      const ChargeAndEnergy found =
          charge_and_energy(support::native_links(place, gauge, {precision, reconstruct, 1, 1}), density.data());
      EXPECT_NEAR(found.charge, expected.charge, bar * std::sqrt(static_cast<double>(lattice.volume())));
      EXPECT_NEAR(found.spatial_energy, expected.spatial_energy, bar * expected.spatial_energy);
      EXPECT_NEAR(found.temporal_energy, expected.temporal_energy, bar * expected.temporal_energy);
      EXPECT_EQ(found.energy(), found.spatial_energy + found.temporal_energy);
      for (std::size_t slot = 0; slot < density.size(); slot++)
        ASSERT_NEAR(density[slot], expected.density[slot], bar) << slot;
      ExactLimbs sum {};
      for (const T q : density) exact_add(sum, q);
      EXPECT_EQ(exact_value(sum), found.charge);
    }
  }
}

} // namespace

TEST(FieldStrength, AgreesWithTheReference)
{
  support::on_targets([] {
    agrees_with_the_reference<double>(Precision::double_, 1e-13);
    agrees_with_the_reference<float>(Precision::single, 5e-6);
  });
}

TEST(FieldStrength, OfUnitLinksVanishes)
{
  support::on_targets([] {
    const reference::Lattice lattice({6, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    const ChargeAndEnergy found = charge_and_energy(support::native_links(place, reference::GaugeField(lattice), {}));
    EXPECT_EQ(found.charge, 0);
    EXPECT_EQ(found.energy(), 0);
  });
}

TEST(FieldStrength, GaugeInvariantAndOddUnderReflection)
{
  choose_target();
  const reference::Lattice lattice({4, 4, 6, 8});
  const support::Place place(lattice, make_single_communicator());
  const reference::GaugeField gauge = reference::random_gauge(lattice, 32, reference::Kind::weak);
  const auto measured = [&](const reference::GaugeField &links) {
    return charge_and_energy(support::native_links(place, links, {}));
  };
  const ChargeAndEnergy found = measured(gauge);
  EXPECT_GT(std::abs(found.charge), 1e-4);
  const ChargeAndEnergy turned = measured(reference::transformed(gauge, reference::random_rotation(lattice, 33)));
  EXPECT_NEAR(turned.charge, found.charge, 1e-12);
  EXPECT_NEAR(turned.energy(), found.energy(), 1e-12);
  for (int d = 0; d < 4; d++) {
    const ChargeAndEnergy mirrored = measured(reflected(gauge, d));
    EXPECT_NEAR(mirrored.charge, -found.charge, 1e-12);
    EXPECT_NEAR(mirrored.spatial_energy, found.spatial_energy, 1e-12);
    EXPECT_NEAR(mirrored.temporal_energy, found.temporal_energy, 1e-12);
  }
}
