/// contractQuda on several ranks: the bits of one process for every grid, and a rank may call it alone.

#include "on_grids.h"

namespace
{

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
  test::on_grids(global, [](const reference::Part &part) {
    // contractions do not communicate: a rank may contract the whole lattice while others do not
    std::vector<double> whole(32 * global.volume());
    if (test::rank() == 0) whole = contracted(reference::Part(global));
    MPI_Bcast(whole.data(), static_cast<int>(whole.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    EXPECT_TRUE(test::same_bits(contracted(part), support::part_of(whole, global, part)));
  });
}

} // namespace
