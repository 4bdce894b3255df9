/// eigensolveQuda on several ranks: values and vectors of one process, to the bit, of slices of all ranks, too.

#include "on_grids.h"
#include "solves.h"

#include <complex>

#include "core/environment_support.h"

namespace
{

using namespace test;
using reference::Coords;

struct Found {
  std::vector<double> values, vector;
};

/// The last of three pairs here: of the square on odd sites, or of all slices.
Found found(const Coords &grid, const Coords &coord, bool slices)
{
  const reference::Lattice lattice({4, 4, 4, 8});
  const Case on(reference::random_gauge(lattice, 31), grid, coord);
  QudaInvertParam invert = wilson_param(QUDA_DOUBLE_PRECISION, kappa);
  invert.verbosity = QUDA_SILENT;
  invert.matpc_type = QUDA_MATPC_ODD_ODD;
  QudaEigParam param = newQudaEigParam();
  param.invert_param = &invert;
  param.n_conv = 3;
  param.n_ev = 5;
  param.n_kr = 16;
  param.tol = 1e-3;
  param.max_restarts = 40;
  param.spectrum = QUDA_SPECTRUM_LR_EIG;
  if (slices) {
    invert.dslash_type = QUDA_LAPLACE_DSLASH;
    invert.laplace3D = 3;
    param.eig_type = QUDA_EIG_TR_LANCZOS_3D;
    param.ortho_dim = 3;
  } else {
    param.use_norm_op = param.use_pc = QUDA_BOOLEAN_TRUE;
  }
  Found here;
  here.values.resize(slices ? 2 * 3 * 8 : 2 * 3);
  here.vector.resize(slices ? 6 * on.part.local.volume() : 24 * on.part.local.half());
  void *vectors[3] = {nullptr, nullptr, here.vector.data()};
  eigensolveQuda(vectors, reinterpret_cast<double _Complex *>(here.values.data()), &param);
  return here;
}

TEST(EigensolveOnRanks, GivesTheBitsOfOne)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const Coords grid = grid_of(false), coord = place_in(grid);
  Found alone[2];
  {
    const Alone session;
    for (const bool slices : {false, true}) alone[slices] = found(Alone::grid, Alone::place, slices);
  }
  Session session(grid.data());
  const reference::Lattice lattice({4, 4, 4, 8});
  const reference::Part part(lattice, grid, coord);
  for (const bool slices : {false, true}) {
    SCOPED_TRACE(slices ? "slices" : "odd sites");
    const Found here = found(grid, coord, slices);
    EXPECT_TRUE(same_bits(here.values, alone[slices].values));
    EXPECT_TRUE(same_bits(here.vector, support::part_of(alone[slices].vector, lattice, part, slices ? -1 : 1)));
  }
}

} // namespace
