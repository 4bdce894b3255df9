/// The Wilson hop on several ranks: the bits of one process, whatever the grid.

#include <gtest/gtest.h>

#include "dirac/make_dirac.h"
#include "ops/dirac/wilson.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;
using reference::Spinors;

namespace
{

constexpr double xi = 2.464;
constexpr double kappa = 0.135;

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

/// Results of this place: both one-parity hops, the full matrix, three right-hand sides, dagger and not.
support::Results results(const support::Place &place, const Case &on, const support::LinkForm &form)
{
  const GaugeField links = support::native_links(place, on.gauge, form);
  const LinkSet set(links);
  const auto dirac = make_dirac(WilsonFermions {kappa}, set, {form.precision, form.reconstruct});
  support::Results all;
  for (const bool dagger : {false, true}) {
    for (int parity = 0; parity < 2; parity++) {
      ColorSpinorField in = support::native_spinors(place, form.precision, 1 - parity);
      ColorSpinorField out = support::native_spinors(place, form.precision, parity);
      support::set_from(in, place, on.psi);
      dirac->dslash(out, in, dagger);
      all.add(out);
    }
    ColorSpinorField in = support::native_spinors(place, form.precision, -1);
    ColorSpinorField out = support::native_spinors(place, form.precision, -1);
    support::set_from(in, place, on.psi);
    (*dirac->full())(out, in, dagger);
    all.add(out);
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
  all.add(out);
  return all;
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
          SCOPED_TRACE(testing::Message()
                       << "recon " << static_cast<int>(reconstruct) << " bytes " << bytes_of(precision));
          support::expect_bits_of_one_process(global,
                                              [&](const support::Place &place) { return results(place, on, form); });
        }
      if (slow) break;
    }
  });
}

/// Two lattices on halves of the ranks and one on all of them, alive at once and used in turn.
TEST(WilsonOnRanks, SeveralCommunicatorsLiveAtOnce)
{
  if (support::ranks() != 4) GTEST_SKIP() << "needs 4 ranks";
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
    results(place_all, wide, form).expect_part_of(alone_all, place_all);
    results(place_half, narrow, form).expect_part_of(alone_half, place_half);
  }
}
