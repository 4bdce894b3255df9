/// Lattices on real grids of ranks: places, borders, several communicators at once.
#include "fields/lattice.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "comms/communicator.h"
#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"

using namespace quda;

namespace
{

/// All ranks along one direction.
std::shared_ptr<Communicator> line(int d)
{
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int extent[4] = {1, 1, 1, 1};
  extent[d] = size;
  return make_communicator(extent);
}

} // namespace

TEST(LatticeOnRanks, TilesTheGlobalLattice)
{
  const int X[4] = {2, 4, 6, 8};
  for (int d = 0; d < 4; d++) {
    const auto grid = line(d);
    const auto lattice = Lattice::create(X, grid, 16);
    long long sites = lattice->volume(), from = lattice->origin()[d];
    grid->sum(&sites, 1);
    grid->sum(&from, 1);
    const int n = grid->size();
    EXPECT_EQ(sites, lattice->global_volume());
    EXPECT_EQ(from, static_cast<long long>(X[d]) * n * (n - 1) / 2);
    const LatticeView v = lattice->view(16);
    for (int e = 0; e < 4; e++) {
      EXPECT_EQ(v.cut[e] != 0, e == d && n > 1);
      long long ends[2] = {v.first[e] != 0, v.last[e] != 0};
      grid->sum(ends, 2);
      EXPECT_EQ(ends[0], e == d ? 1 : n);
      EXPECT_EQ(ends[1], e == d ? 1 : n);
    }
    int R[4] = {0, 0, 0, 0};
    R[d] = 2;
    if (n > 1)
      EXPECT_EQ(lattice->view(16, R).E[d], v.O[d] + 4);
    else
      EXPECT_THROW(lattice->view(16, R), Error);
  }
}

TEST(LatticeOnRanks, LatticesOnHalfOfTheRanksLiveBesideThoseOnAll)
{
  const int fine[4] = {8, 8, 8, 16}, odd_fit[4] = {6, 6, 6, 6}, coarse[4] = {4, 4, 4, 4};
  const auto all = line(3);
  const int n = all->size(), half_size = n > 1 ? n / 2 : 1;
  const int extent[4] = {1, half_size, 1, 1};
  const auto half = all->split(all->rank() / half_size, all->rank(), extent);

  const auto a = Lattice::create(fine, all), b = Lattice::create(odd_fit, all), c = Lattice::create(coarse, half);
  EXPECT_EQ(a->cut(3), n > 1);
  EXPECT_EQ(c->cut(1), half_size > 1);
  EXPECT_FALSE(c->cut(3));

  std::vector<ColorSpinorField> spinors;
  std::vector<GaugeField> links;
  for (const auto &lattice : {a, b, c}) {
    ColorSpinorParam s;
    s.lattice = lattice;
    spinors.emplace_back(s);
    GaugeFieldParam g;
    g.lattice = lattice;
    for (int d = 0; d < 4; d++) g.R[d] = lattice->cut(d) ? 2 : 0;
    links.emplace_back(g);
  }
  for (std::size_t i = 0; i < spinors.size(); i++) {
    long long sites = spinors[i].sites();
    const Lattice &lattice = spinors[i].lattice();
    lattice.communicator().sum(&sites, 1);
    EXPECT_EQ(sites, lattice.global_volume());
    const LatticeView &v = links[i].view().field.lattice;
    for (int d = 0; d < 4; d++) EXPECT_EQ(v.E[d], v.O[d] + (lattice.cut(d) ? 4 : 0));
  }
}
