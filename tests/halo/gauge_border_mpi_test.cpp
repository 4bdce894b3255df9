/// Borders of gauge fields: links stamped with their global site and direction arrive where they belong, corners
/// included, also where both neighbours are one rank and where the border is deeper than a block.

#include <gtest/gtest.h>

#include "ops/halo/gauge_border.h"
#include "support/grids.h"

using namespace quda;

namespace
{

reference::GaugeField stamped(const reference::Lattice &lattice)
{
  reference::GaugeField gauge(lattice);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++)
      for (int k = 0; k < 9; k++)
        gauge.U[mu][slot].data()[k] =
            reference::Complex(static_cast<double>((lattice.lexicographic(lattice.coords(slot)) * 4 + mu) * 9 + k), k);
  return gauge;
}

/// Every stored lane of an extended field against the global field; the number of those that differ.
int differing(const GaugeField &links, const support::Place &place, const reference::GaugeField &gauge)
{
  const FieldView view = links.view().field;
  const LatticeView &lattice = view.lattice;
  std::vector<double> raw(links.bytes() / sizeof(double));
  target().copy(raw.data(), links.data(), links.bytes());
  int wrong = 0;
  int o[4];
  for (o[3] = -lattice.R[3]; o[3] < lattice.O[3] + lattice.R[3]; o[3]++)
    for (o[2] = -lattice.R[2]; o[2] < lattice.O[2] + lattice.R[2]; o[2]++)
      for (o[1] = -lattice.R[1]; o[1] < lattice.O[1] + lattice.R[1]; o[1]++)
        for (o[0] = -lattice.R[0]; o[0] < lattice.O[0] + lattice.R[0]; o[0]++)
          for (int lane = 0; lane < lattice.lanes; lane++) {
            reference::Coords x;
            for (int d = 0; d < 4; d++) {
              const int X = place.global.X[d];
              const int ahead = d == lattice.skew && lattice.ahead >> lane & 1;
              x[d] = (place.part.origin[d] + o[d] + lattice.O[d] * lattice.block[d][lane] + ahead + 2 * X) % X;
            }
            const int parity = (o[0] + o[1] + o[2] + o[3]) & 1;
            for (int mu = 0; mu < 4; mu++)
              for (int k = 0; k < 18; k++) {
                const auto z = gauge.at(mu, x).data()[k / 2];
                const double expected = k % 2 ? z.imag() : z.real();
                wrong += raw[real_offset(view, parity, stored_index(lattice, o), lane, mu, k)] != expected;
              }
          }
  return wrong;
}

} // namespace

/// Deeper than a block, and than there are lanes; as deep as the rank's lattice.
TEST(GaugeBorder, AsDeepAsALongPathReaches)
{
  support::on_targets([&] {
    const reference::Lattice global({4, 4, 4, 20 * support::ranks()});
    const int grid[4] = {1, 1, 1, support::ranks()};
    const support::Place place(global, make_communicator(grid));
    const reference::GaugeField gauge = stamped(global);
    const GaugeField links = support::native_links(place, gauge, {});
    for (const int depth : {6, 16, 18, 20})
      EXPECT_EQ(differing(extended(links, depth), place, gauge), 0) << "depth " << depth;
  });
}

TEST(GaugeBorder, AroundSkewedBlocks)
{
  support::on_targets([&] {
    for (const int d : {0, 1, 3}) { // cut in two, skewed along x or y
      reference::Coords X = {4, 6, 6, 6};
      int grid[4] = {1, 1, 1, 1};
      grid[d] = support::ranks();
      X[d] *= support::ranks();
      const reference::Lattice global(X);
      const support::Place place(global, make_communicator(grid));
      const int skew = place.lattice->max_width() == 1 ? -1 : support::ranks() > 1 && d == 0;
      EXPECT_EQ(place.lattice->skew(), skew);
      const reference::GaugeField gauge = stamped(global);
      const GaugeField links = support::native_links(place, gauge, {});
      for (const int depth : {2, 4})
        EXPECT_EQ(differing(extended(links, depth), place, gauge), 0) << "direction " << d << " depth " << depth;
    }
  });
}

TEST(GaugeBorder, HoldsTheGlobalLinks)
{
  support::on_targets([&] {
    for (const reference::Coords shape : {reference::Coords {8, 8, 8, 16}, {8, 12, 8, 16}}) {
      const reference::Lattice global(shape);
      const reference::GaugeField gauge = stamped(global);
      support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &) {
        const support::Place place(global, comm);
        const GaugeField links = support::native_links(place, gauge, {});
        for (const int depth : {2, 4})
          EXPECT_EQ(differing(extended(links, depth), place, gauge), 0) << "depth " << depth;
      });
    }
  });
}
