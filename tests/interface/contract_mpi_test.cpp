/// contractQuda on several ranks: the bits of one process for every grid, and a rank may call it alone.

#include "session.h"

#include "support/grids.h"

#include <gtest/gtest.h>
#include <mpi.h>

namespace
{

using reference::Coords;

const reference::Lattice global({4, 8, 4, 16});

std::vector<double> contracted(const reference::Part &part)
{
  const auto x = reference::to_host<double>(reference::random_spinors(global, 61), global, part);
  const auto y = reference::to_host<double>(reference::random_spinors(global, 62), global, part);
  QudaInvertParam param = newQudaInvertParam();
  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  param.dirac_order = QUDA_DIRAC_ORDER;
  param.gamma_basis = QUDA_DIRAC_PAULI_GAMMA_BASIS;
  param.dslash_type = QUDA_WILSON_DSLASH;
  std::vector<double> result(32 * part.local.volume(), NAN);
  contractQuda(x.data(), y.data(), result.data(), QUDA_CONTRACT_TYPE_DR, &param, part.local.X.data());
  return result;
}

TEST(ContractOnRanks, TheSameBitsOnEveryGrid)
{
  test::Handler handler;
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const support::Grid &grid : support::grids_of(ranks)) {
    initCommsGridQuda(4, grid.data(), nullptr, nullptr);
    initQuda(-1);
    // contractions do not communicate: a rank may contract the whole lattice while others do not
    std::vector<double> whole(32 * global.volume());
    if (rank == 0) whole = contracted(reference::Part(global));
    MPI_Bcast(whole.data(), static_cast<int>(whole.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);

    Coords extents, coord;
    int rest = rank; // t fastest
    for (int d = 3; d >= 0; d--) {
      extents[d] = grid[d];
      coord[d] = rest % grid[d];
      rest /= grid[d];
    }
    const reference::Part part(global, extents, coord);
    const std::vector<double> mine = contracted(part);
    endQuda();
    for (std::size_t slot = 0; slot < part.local.volume(); slot++) {
      const std::size_t there = global.slot(part.global_coords(slot));
      ASSERT_EQ(std::memcmp(&mine[32 * slot], &whole[32 * there], 32 * sizeof(double)), 0) << slot;
    }
  }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

} // namespace
