/// The Polyakov loop against the plain reference, for lattices whose time direction lies in one or more lanes.

#include <gtest/gtest.h>

#include <cstdlib>

#include "ops/gauge/polyakov.h"
#include "reference/gauge/links.h"
#include "reference/gauge/polyakov.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"
#include "support/native_fields.h"

using namespace quda;

TEST(Polyakov, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {2, 2, 2, 16}, {4, 4, 4, 10}})
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          const reference::Lattice lattice(shape);
          const support::Place place(lattice, make_single_communicator());
          reference::GaugeField gauge = reference::random_gauge(lattice, 41);
          reference::set_up_links(gauge, 2.464, -1);
          if (precision == Precision::single) gauge = reference::rounded_to_single(gauge);
          const auto expected = reference::polyakov_loop(gauge);
          const auto found = polyakov_loop(support::native_links(place, gauge, {precision, reconstruct, 2.464, -1}));
          EXPECT_LT(std::abs(found - expected), precision == Precision::double_ ? 1e-14 : 5e-7);
        }
  });
}

TEST(Polyakov, OfUnitLinksIsThreeTimesTheBoundarySign)
{
  support::on_targets([] {
    const reference::Lattice lattice({6, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    for (const int t_boundary : {1, -1}) {
      reference::GaugeField gauge(lattice);
      reference::set_up_links(gauge, 1, t_boundary);
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
        EXPECT_EQ(polyakov_loop(support::native_links(place, gauge, {Precision::double_, reconstruct, 1, t_boundary})),
                  std::complex<double>(3 * t_boundary));
    }
  });
}

TEST(Polyakov, GaugeInvariant)
{
  choose_target();
  const reference::Lattice lattice({4, 4, 6, 8});
  const support::Place place(lattice, make_single_communicator());
  const reference::GaugeField gauge = reference::random_gauge(lattice, 42);
  const auto turned = reference::transformed(gauge, reference::random_rotation(lattice, 43));
  EXPECT_LT(std::abs(polyakov_loop(support::native_links(place, turned, {})) -
                     polyakov_loop(support::native_links(place, gauge, {}))),
            1e-13);
}
