/// Products summed over time slices, on several ranks: the bits of one process, on every rank and whatever the grid.

#include <gtest/gtest.h>

#include "ops/contract/slice_products.h"
#include "slices.h"
#include "support/grids.h"

using namespace quda;

TEST(SliceProductsOnRanks, GiveTheBitsOfOneProcess)
{
  const reference::Lattice global({4, 4, 4, 8});
  const auto vectors = contractions::random_propagator(global, 1, 3, 31),
             quarks = contractions::random_propagator(global, 1, 2, 51);
  for (const Precision precision : {Precision::double_, Precision::single})
    support::expect_bits_on_targets(global, [&](support::Place place) {
      const auto products = [&] {
        return slice_products(contractions::native(place, vectors, precision, 1),
                              contractions::native(place, quarks, precision, 4));
      };
      const auto whole = products();
      place.lattice = Lattice::sliced(place.part.local.X.data(), place.lattice->shared_communicator(), 3);
      EXPECT_EQ(products(), whole);
      return whole;
    });
}
