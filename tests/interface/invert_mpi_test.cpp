/// Hard cases of linear systems on several ranks: none hangs, each ends as on one rank, to the bit.

#include "hard_solves.h"

#include <mpi.h>

namespace
{

using namespace test;
using reference::Coords;

/// How a system ends here.
struct End {
  QudaErrorKind kind;
  std::string said;
  int iterations;
  double residual;
  std::vector<double> x; // of this rank
};

End end_of(const HardSolve &hard, const Coords &grid, const Coords &coord)
{
  Problem p = ordinary_problem();
  hard.change(p);
  Handler handler;
  const Case on(p.links, grid, coord);
  End end {};
  if (hard.ending != Ending::load_refused) end.x = solved_here(on, p.b, p.param, p.guess ? &*p.guess : nullptr);
  end.kind = handler.kind();
  end.said = handler.text();
  end.iterations = p.param.iter;
  end.residual = p.param.true_res[0];
  return end;
}

TEST(HardSolvesOnRanks, EndAsOnOne)
{
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Coords grid = ranks == 4 ? Coords {1, 1, 2, 2} : Coords {1, 1, 1, ranks}, one {1, 1, 1, 1};
  const Coords coord = ranks == 4 ? Coords {0, 0, rank / 2, rank % 2} : Coords {0, 0, 0, rank};
  const std::vector<HardSolve> all = hard_solves();
  std::vector<End> alone;
  MPI_Comm self = MPI_COMM_SELF;
  setMPICommHandleQuda(&self);
  {
    Session session(one.data());
    for (const HardSolve &hard : all) alone.push_back(end_of(hard, one, {0, 0, 0, 0}));
  }
  setMPICommHandleQuda(nullptr);
  Session session(grid.data());
  const reference::Part part(reference::Lattice({4, 4, 4, 8}), grid, coord);
  for (std::size_t i = 0; i < all.size(); i++) {
    SCOPED_TRACE(all[i].name);
    const End here = end_of(all[i], grid, coord);
    EXPECT_EQ(here.kind, alone[i].kind) << here.said;
    const bool refused = all[i].ending == Ending::refused || all[i].ending == Ending::load_refused;
    EXPECT_EQ(here.kind, refused ? QUDA_ERROR_KIND_BAD_ARGUMENT : QUDA_ERROR_KIND_NONE) << here.said;
    if (refused) continue;
    EXPECT_EQ(here.iterations, alone[i].iterations);
    EXPECT_EQ(here.residual, alone[i].residual);
    const Spinors whole = reference::from_host<double>(alone[i].x, true);
    EXPECT_TRUE(same_bits(here.x, reference::to_host<double>(whole, reference::Lattice({4, 4, 4, 8}), part)));
  }
}

} // namespace
