/// Transfers between coarse grids on several ranks: to the bit those of one process.
#include "coarse_case.h"

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
  choose_target();
  support::expect_bits_of_one_process(reference::Lattice({8, 8, 4, 16}), [&](const support::Place &place) {
    return support::of_rows(projected(place.lattice->shared_communicator(), place.part.local.X.data()));
  });
}
