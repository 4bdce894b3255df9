/// Stout smearing on several ranks: the bits of one process in double precision, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include <cstring>

#include "ops/halo/gauge_border.h"
#include "ops/smear/stout.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/host_links.h"

using namespace quda;

namespace
{

constexpr int steps = 2;

GaugeField smeared(const GaugeField &links, const StoutSmearing &smearing)
{
  StoutChain chain(extended(links, stout_border), smearing);
  for (int i = 0; i < steps; i++) chain.step();
  GaugeField result(links.param());
  result = chain.links();
  return result;
}

/// Links of the rank that differ, in some bit, from those of the whole lattice.
int differing(const GaugeField &links, const support::Place &place, const reference::QdpLinks<double> &whole)
{
  const auto mine = support::host_links(links);
  int n = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < place.part.local.volume(); slot++)
      n += std::memcmp(&mine[mu][18 * slot], &whole[mu][18 * place.global.slot(place.part.global_coords(slot))],
                       18 * sizeof(double)) != 0;
  return n;
}

} // namespace

TEST(StoutOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  reference::QdpLinks<double> first; // of the first target, in double
  const reference::Lattice global({4, 8, 4, 8});
  const reference::GaugeField gauge = reference::random_gauge(global, 71);
  for (const StoutSmearing &smearing :
       {StoutSmearing::stout(0.1, -1), StoutSmearing::stout(0.12, 3), StoutSmearing::stout(0.12, 0),
        StoutSmearing::over_improved_stout(0.06, -0.25, -1), StoutSmearing::over_improved_stout(0.06, 0.3, 2)}) {
    first = {};
    support::on_targets([&] {
      for (const support::LinkForm &form :
           {support::LinkForm {}, support::LinkForm {Precision::double_, Reconstruct::r12, 1, 1},
            support::LinkForm {Precision::single, Reconstruct::none, 1, 1}}) {
        const support::Place alone(global, make_single_communicator());
        const auto whole = support::host_links(smeared(support::native_links(alone, gauge, form), smearing));
        if (form.precision == Precision::double_ && form.reconstruct == Reconstruct::none) {
          if (first[0].empty()) first = whole;
          for (int mu = 0; mu < 4; mu++) EXPECT_EQ(whole[mu], first[mu]) << "another target's bits";
        }
        support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
          SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
          const support::Place place(global, comm);
          EXPECT_EQ(differing(smeared(support::native_links(place, gauge, form), smearing), place, whole), 0);
        });
      }
    });
  }
}
