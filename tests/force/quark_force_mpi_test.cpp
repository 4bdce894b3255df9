/// Outer products and forces of HISQ quarks on several ranks: the bits of one process, whatever the grid.

#include <gtest/gtest.h>

#include "force/quark_fields.h"
#include "support/grids.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace force_test;

TEST(QuarkForceOnRanks, GivesTheBitsOfOneProcess)
{
  for (const support::Grid &grid : support::grids_of(support::ranks())) {
    const auto extent = [&](int d, int least) { return grid[d] > 1 ? 4 * grid[d] : least; };
    const reference::Lattice global({extent(0, 2), extent(1, 4), extent(2, 2), extent(3, 2)});
    const reference::GaugeField thin = reference::random_gauge(global, 81, reference::Kind::weak);
    const QuarkTerms terms = quark_terms(global, 3, 82);
    for (const Precision precision : {Precision::double_, Precision::single})
      support::expect_bits_on_targets(
          global,
          [&](const support::Place &place) {
            const QuarkGradients products(place, terms, precision);
            return support::Results(numbers(place, native_hisq_force(place, thin, terms, reference::fat7_weights,
                                                                     reference::hisq_weights, precision)),
                                    products.of.fat, products.of.straight);
          },
          precision == Precision::double_, [&](const support::Grid &other) { return other == grid; });
  }
}

/// A hop of three links needs as many sites.
TEST(QuarkForceOnRanks, RefusesExtentsThatAreTooShort)
{
  if (support::ranks() != 2) return;
  const int grid[4] = {1, 1, 2, 1};
  const reference::Lattice global({4, 4, 4, 4});
  const support::Place place(global, make_communicator(grid));
  expect_refused(ErrorKind::unsupported, {"outer_products: a halo of depth 3 in direction 2"},
                 [&] { QuarkGradients(place, quark_terms(global, 1, 83), Precision::double_); });
}
