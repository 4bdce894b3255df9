/// The Wilson hop on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "dirac/make_dirac.h"
#include "ops/dirac/wilson.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;
using reference::Spinors;

namespace
{

constexpr double xi = 2.464;
constexpr double kappa = 0.135;

int world_size()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

/// Links and sources on the whole lattice.
struct Case {
  explicit Case(const reference::Lattice &lattice, unsigned seed = 11)
      : gauge(reference::random_gauge(lattice, seed))
      , psi(reference::random_spinors(lattice, 5))
  {
    reference::set_up_links(gauge, xi, -1);
    for (int i = 0; i < 3; i++) columns.push_back(reference::random_spinors(lattice, 40 + i));
  }
  reference::GaugeField gauge;
  Spinors psi;
  std::vector<Spinors> columns;
};

/// Results of this place: both one-parity hops, the full matrix, three right-hand sides, dagger and not; the slots of
/// the place in order, so that places can be compared.
std::vector<std::vector<double>> results(const support::Place &place, const Case &on, const support::LinkForm &form)
{
  const GaugeField links = support::native_links(place, on.gauge, form);
  const LinkSet set(links);
  const auto dirac = make_dirac(WilsonFermions {kappa}, set, {form.precision, form.reconstruct});
  std::vector<std::vector<double>> all;
  for (const bool dagger : {false, true}) {
    for (int parity = 0; parity < 2; parity++) {
      ColorSpinorField in = support::native_spinors(place, form.precision, 1 - parity);
      ColorSpinorField out = support::native_spinors(place, form.precision, parity);
      support::set_from(in, place, on.psi);
      dirac->dslash(out, in, dagger);
      all.push_back(support::host_array(out));
    }
    ColorSpinorField in = support::native_spinors(place, form.precision, -1);
    ColorSpinorField out = support::native_spinors(place, form.precision, -1);
    support::set_from(in, place, on.psi);
    (*dirac->full())(out, in, dagger);
    all.push_back(support::host_array(out));
  }
  ColorSpinorField in = support::native_spinors(place, form.precision, 1, 3);
  ColorSpinorField out = support::native_spinors(place, form.precision, 0, 3);
  std::vector<double> together;
  for (int i = 0; i < 3; i++) {
    const auto one = reference::to_host<double>(on.columns[i], place.global, place.part, 1);
    together.insert(together.end(), one.begin(), one.end());
  }
  support::set_from_host(in, together);
  dirac->dslash(out, in, false);
  all.push_back(support::host_array(out));
  return all;
}

/// The numbers that `part` holds of a result on the whole lattice: sites in slots of one parity (0, 1) or both (-1).
std::vector<double> part_of(const std::vector<double> &whole, const support::Place &place, int parity, int inner)
{
  std::vector<double> mine;
  const auto &local = place.part.local;
  for (int i = 0; i < inner; i++)
    for (std::size_t slot = 0; slot < local.volume(); slot++) {
      if (parity >= 0 && (slot >= local.half()) != (parity == 1)) continue;
      std::size_t at = place.global.slot(place.part.global_coords(slot));
      if (parity >= 0) at = at % place.global.half() + i * place.global.half();
      mine.insert(mine.end(), whole.begin() + 24 * at, whole.begin() + 24 * (at + 1));
    }
  return mine;
}

} // namespace

TEST(WilsonOnRanks, GivesTheBitsOfOneProcess)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {8, 8, 8, 16}, {4, 8, 12, 16}, {4, 4, 4, 8}}) {
      // fibers are slow: a lattice that every grid still divides
      const bool slow = target().kind() == Target::fiber;
      const reference::Lattice global(slow ? reference::Coords {4, 4, 4, 8} : shape);
      const bool small = global.volume() <= 512;
      const Case on(global);
      for (const Precision precision : {Precision::double_, Precision::single, Precision::half})
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          // where there is an interior, which is long, each precision with one reconstruct
          if (!small && (reconstruct == Reconstruct::r12) != (precision == Precision::single)) continue;
          const support::LinkForm form {precision, reconstruct, xi, -1};
          const auto whole = results(support::Place(global, make_single_communicator()), on, form);
          support::on_grids(world_size(), [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
            SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3] << " recon "
                                            << static_cast<int>(reconstruct) << " bytes " << bytes_of(precision));
            const support::Place place(global, comm);
            const auto mine = results(place, on, form);
            ASSERT_EQ(mine.size(), whole.size());
            for (std::size_t k = 0; k < whole.size(); k++) {
              const bool last = k + 1 == whole.size();
              const int parity = last ? 0 : k % 3 == 2 ? -1 : static_cast<int>(k % 3);
              EXPECT_TRUE(mine[k] == part_of(whole[k], place, parity, last ? 3 : 1)) << "result " << k;
            }
          });
        }
      if (slow) break;
    }
  });
}

/// Two lattices on halves of the ranks and one on all of them, alive at once and used in turn.
TEST(WilsonOnRanks, SeveralCommunicatorsLiveAtOnce)
{
  if (world_size() != 4) GTEST_SKIP() << "needs 4 ranks";
  choose_target();
  const int whole_grid[4] = {1, 1, 2, 2}, half_grid[4] = {1, 2, 1, 1};
  const auto all = make_communicator(whole_grid);
  const int colour = all->rank() % 2;
  const auto half = all->split(colour, all->rank(), half_grid);
  const support::LinkForm form {Precision::double_, Reconstruct::r12, xi, -1};

  const reference::Lattice on_all({4, 4, 8, 8}),
      on_half(colour ? reference::Coords {6, 4, 4, 8} : reference::Coords {4, 8, 6, 4});
  const Case wide(on_all), narrow(on_half, 12);
  const support::Place place_all(on_all, all), place_half(on_half, half);
  const auto alone_all = results(support::Place(on_all, make_single_communicator()), wide, form);
  const auto alone_half = results(support::Place(on_half, make_single_communicator()), narrow, form);
  for (int turn = 0; turn < 2; turn++) {
    const auto mine_all = results(place_all, wide, form), mine_half = results(place_half, narrow, form);
    for (std::size_t k = 0; k < 6; k++) {
      const int parity = k % 3 == 2 ? -1 : static_cast<int>(k % 3);
      EXPECT_TRUE(mine_all[k] == part_of(alone_all[k], place_all, parity, 1)) << "result " << k;
      EXPECT_TRUE(mine_half[k] == part_of(alone_half[k], place_half, parity, 1)) << "result " << k;
    }
  }
}
