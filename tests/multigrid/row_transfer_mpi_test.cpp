/// Transfers between coarse grids on several ranks: to the bit those of one process.
#include "coarse_case.h"

#include <mpi.h>

#include "multigrid/row_transfer.h"
#include "support/grids.h"
#include "support/untuned.h"
#include "targets/target.h"

using namespace quda;
using namespace coarse_case;

namespace
{

/// P R of a vector, which is on the rank's sites.
RowArray projected(const std::shared_ptr<Communicator> &comm, const int X[4])
{
  const int block[4] = {2, 2, 1, 2}, rows = 12, count = 3;
  int coarse[4];
  for (int d = 0; d < 4; d++) coarse[d] = X[d] / block[d];
  const auto fine = Lattice::rows(X, comm);
  const ColorSpinorField B = random_rows(fine, rows, Precision::double_, count, -1, 30);
  const RowTransfer transfer({fine, rows, count, to_host(B, rows)}, Lattice::rows(coarse, comm), block,
                             Precision::double_);
  const ColorSpinorField v = random_vector(transfer.fine_shape(1), rows, 1);
  ColorSpinorField down(transfer.coarse_shape(1)), up(v.param());
  transfer.restrict(down, v);
  transfer.prolong(up, down);
  return to_host(up, rows);
}

} // namespace

TEST(RowTransferOnRanks, BitsAreThoseOfOneProcess)
{
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  choose_target();
  const int X[4] = {8, 8, 4, 16}, rows = 12;
  const auto alone = make_single_communicator();
  const RowArray expected = projected(alone, X);
  const auto whole = Lattice::rows(X, alone);
  support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
    int local[4];
    for (int d = 0; d < 4; d++) local[d] = X[d] / grid[static_cast<std::size_t>(d)];
    const RowArray found = projected(comm, local);
    const ColorSpinorField shape(row_shape(Lattice::rows(local, comm), rows, Precision::double_, 1));
    std::size_t wrong = 0;
    for_sites(shape, [&](std::size_t n, const int x[4]) {
      int y[4];
      for (int d = 0; d < 4; d++) y[d] = x[d] + static_cast<int>(shape.lattice().origin()[d]);
      const auto at = static_cast<std::size_t>(whole->slot(y));
      for (std::size_t k = 0; k < rows; k++) wrong += found[n * rows + k] != expected[at * rows + k];
    });
    EXPECT_EQ(wrong, 0u);
  });
}
