/// Products with matrix fields on several ranks: to the bit those of one process.
#include "row_fields.h"

#include "support/grids.h"
#include "support/untuned.h"
#include "targets/target.h"

using namespace quda;
using namespace row_fields;

namespace
{

const std::vector<int> all_legs = {0, 1, 2, 3, 4, 5, 6, 7, 8};

/// From sites of `from` to sites of `to`, parities or -1.
RowArray product(const ColorSpinorField &M, const Legs &legs, int rows, int from, int to)
{
  const Precision vectors = M.precision() == Precision::double_ ? Precision::double_ : Precision::single;
  const auto &lattice = legs.out();
  const ColorSpinorField in = random_rows(lattice, rows, vectors, 3, from, 2);
  ColorSpinorField out(row_shape(lattice, rows, vectors, 3, to));
  row_product(out, in, {M, legs, all_legs, rows / 2, rows / 2});
  return to_host(out, rows);
}

} // namespace

TEST(RowProductOnRanks, BitsAreThoseOfOneProcess)
{
  choose_target();
  const reference::Lattice global({4, 4, 4, 8});
  const int rows = 12;
  for (const Precision precision : {Precision::double_, Precision::single, Precision::half}) {
    SCOPED_TRACE(bytes_of(precision));
    support::expect_bits_of_one_process(global, [&](const support::Place &place) {
      const auto lattice = Lattice::rows(place.part.local.X.data(), place.lattice->shared_communicator());
      const Legs legs = Legs::neighbours(lattice);
      const ColorSpinorField M = random_rows(lattice, rows, precision, 9 * rows, -1, 1);
      support::Results results;
      for (const auto &[from, to] : {std::pair {-1, -1}, {0, 1}, {1, 0}})
        results.add(support::of_rows(product(M, legs, rows, from, to), to));
      return results;
    });
  }
}
