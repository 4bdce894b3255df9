/// Hard cases of linear systems on several ranks: none hangs, each ends as on one rank, to the bit.

#include "hard_solves.h"
#include "on_grids.h"

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
  const Coords grid = grid_of(false), coord = place_in(grid);
  const std::vector<HardSolve> all = hard_solves();
  std::vector<End> alone;
  {
    const Alone session;
    for (const HardSolve &hard : all) alone.push_back(end_of(hard, Alone::grid, Alone::place));
  }
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
