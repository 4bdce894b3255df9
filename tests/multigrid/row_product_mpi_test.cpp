/// Products with matrix fields on several ranks: to the bit those of one process.
#include "row_fields.h"

#include <mpi.h>

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
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  choose_target();
  const int X[4] = {4, 4, 4, 8}, rows = 12;
  const auto whole = Lattice::rows(X, make_single_communicator());
  const Legs of_whole = Legs::neighbours(whole);
  for (const Precision precision : {Precision::double_, Precision::single, Precision::half}) {
    const ColorSpinorField all = random_rows(whole, rows, precision, 9 * rows, -1, 1);
    support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
      int local[4];
      for (int d = 0; d < 4; d++) local[d] = X[d] / grid[static_cast<std::size_t>(d)];
      const auto lattice = Lattice::rows(local, std::move(comm));
      const Legs legs = Legs::neighbours(lattice);
      const ColorSpinorField M = random_rows(lattice, rows, precision, 9 * rows, -1, 1);
      for (const auto &[from, to] : {std::pair {-1, -1}, {0, 1}, {1, 0}}) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3] << " from " << from
                                        << " precision " << bytes_of(precision));
        const RowArray found = product(M, legs, rows, from, to), expected = product(all, of_whole, rows, from, to);
        const ColorSpinorField shape(row_shape(lattice, rows, Precision::double_, 3, to));
        const int parity = to;
        std::size_t wrong = 0;
        for_sites(shape, [&](std::size_t n, const int x[4]) {
          int y[4];
          for (int d = 0; d < 4; d++) y[d] = x[d] + static_cast<int>(lattice->origin()[d]);
          const long long slot = parity < 0 ? whole->slot(y) : whole->slot(y) % whole->volume_cb();
          for (int k = 0; k < 3 * rows; k++)
            wrong += found[n * 3 * rows + k] != expected[static_cast<std::size_t>(slot) * 3 * rows + k];
        });
        EXPECT_EQ(wrong, 0u);
      }
    });
  }
}
