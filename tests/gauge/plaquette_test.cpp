/// The plaquette against the plain reference.

#include <gtest/gtest.h>

#include "ops/gauge/plaquette.h"
#include "reference/gauge/links.h"
#include "reference/gauge/plaquette.h"
#include "reference/random.h"
#include "support/native_fields.h"

using namespace quda;

TEST(Plaquette, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}, {8, 8, 8, 16}})
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          const reference::Lattice lattice(shape);
          const support::Place place(lattice, make_single_communicator());
          reference::GaugeField gauge = reference::random_gauge(lattice, 7);
          reference::set_up_links(gauge, 2.464, -1);
          if (precision == Precision::single) gauge = reference::rounded_to_single(gauge);
          const GaugeField links = support::native_links(place, gauge, {precision, reconstruct, 2.464, -1});
          const auto expected = reference::plaquette(
              reconstruct == Reconstruct::r12 ? reference::reconstructed_12(gauge, 2.464, -1) : gauge);
          const PlaquetteAverage average = plaquette(links);
          const double bar = precision == Precision::double_ ? 1e-13 : 5e-7;
          EXPECT_NEAR(average.mean(), expected[0], bar);
          EXPECT_NEAR(average.spatial, expected[1], bar);
          EXPECT_NEAR(average.temporal, expected[2], bar);
        }
  });
}

TEST(Plaquette, OfUnitLinksIsOne)
{
  support::on_targets([] {
    const reference::Lattice lattice({6, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
        const PlaquetteAverage average =
            plaquette(support::native_links(place, reference::GaugeField(lattice), {precision, reconstruct, 1, 1}));
        EXPECT_EQ(average.spatial, 1.0);
        EXPECT_EQ(average.temporal, 1.0);
      }
  });
}
