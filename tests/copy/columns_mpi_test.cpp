/// Copies into and out of right-hand sides on several ranks: each rank its part of one global field.

#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include "reference/random.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

/// The rank's part of right-hand sides first, first + 1, ... of one global field: numbers by global site and entry.
std::vector<double> numbers_of(const support::Place &place, int layers, int first, int count)
{
  const std::size_t half = place.part.local.half();
  std::vector<double> numbers;
  for (int p = 0; p < 2; p++)
    for (int i = first * layers; i < (first + count) * layers; i++)
      for (std::size_t x = 0; x < half; x++) {
        const std::size_t site = place.global.lexicographic(place.part.global_coords(p * half + x));
        reference::SiteRandom random(5, site, i);
        for (int k = 0; k < 24; k++) numbers.push_back(static_cast<float>(random.uniform() - 0.5));
      }
  return numbers;
}

} // namespace

TEST(ColumnsOnRanks, EachFromAnArrayOfItsOwnAndToOtherPlaces)
{
  support::on_targets([&] {
    support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &) {
      const support::Place place(reference::Lattice({4, 8, 4, 16}), std::move(comm));
      for (const Precision precision : {Precision::double_, Precision::single}) {
        ColorSpinorParam param;
        param.lattice = place.lattice;
        param.precision = precision;
        param.rhs = 3;
        param.fifth = 2;
        ColorSpinorField field(param), turned(param);
        for (int j = 0; j < 3; j++) {
          ColorSpinorField one = field.columns(j, 1);
          support::set_from_host(one, numbers_of(place, 2, j, 1));
        }
        ASSERT_EQ(support::host_array(field), numbers_of(place, 2, 0, 3));
        turned.columns(0, 2) = field.columns(1, 2);
        turned.columns(2, 1) = field.columns(0, 1);
        ASSERT_EQ(support::host_array(turned.columns(0, 2)), numbers_of(place, 2, 1, 2));
        ASSERT_EQ(support::host_array(turned.columns(2, 1)), numbers_of(place, 2, 0, 1));
      }
    });
  });
}
