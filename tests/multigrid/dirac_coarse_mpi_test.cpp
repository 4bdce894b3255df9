/// Operators of coarse grids on several ranks: to the bit those of one process.
#include "coarse_case.h"

#include <mpi.h>

#include "support/grids.h"
#include "support/untuned.h"
#include "targets/target.h"

using namespace quda;
using namespace coarse_case;

TEST(DiracCoarseOnRanks, BitsAreThoseOfOneProcess)
{
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  choose_target();
  const int X[4] = {4, 4, 4, 8}, rows = 12;
  const auto whole = Lattice::rows(X, make_single_communicator());
  const DiracCoarse alone(matrices(whole, rows, Precision::single));
  support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
    int local[4];
    for (int d = 0; d < 4; d++) local[d] = X[d] / grid[static_cast<std::size_t>(d)];
    const auto lattice = Lattice::rows(local, std::move(comm));
    const DiracCoarse dirac(matrices(lattice, rows, Precision::single));
    for (const bool dagger : {false, true})
      for (const MatPC matpc : all_matpc) {
        const auto A = dirac.schur(matpc), B = alone.schur(matpc);
        ColorSpinorField out(A->shape(2)), expected(B->shape(2));
        (*A)(out, random_vector(A->shape(2), rows, 1), dagger);
        (*B)(expected, random_vector(B->shape(2), rows, 1), dagger);
        const RowArray found = to_host(out, rows), right = to_host(expected, rows);
        std::size_t wrong = 0;
        for_sites(out, [&](std::size_t n, const int x[4]) {
          int y[4];
          for (int d = 0; d < 4; d++) y[d] = x[d] + static_cast<int>(lattice->origin()[d]);
          const std::size_t at = static_cast<std::size_t>(whole->slot(y) % whole->volume_cb());
          for (std::size_t k = 0; k < 2 * rows; k++) wrong += found[n * 2 * rows + k] != right[at * 2 * rows + k];
        });
        EXPECT_EQ(wrong, 0u);
        expect_adjoint(*A, rows);
      }
    expect_even_odd(dirac, rows, 2);
  });
}
