/// Random fields and sweeps on several ranks: the bits of one process, whatever the grid.

#include <gtest/gtest.h>

#include "heatbath/fields.h"
#include "ops/gauge/plaquette.h"
#include "ops/halo/gauge_border.h"
#include "ops/random/gaussian.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"

using namespace quda;

namespace
{

const reference::Lattice global({8, 4, 4, 16});

/// What `make` does to links on the grid, against what it does in one process.
template <class Make> void expect_the_same(const support::LinkForm &form, const Make &make)
{
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, form.t_boundary);
  support::expect_bits_of_one_process(global, [&](const support::Place &place) {
    GaugeField links = support::native_links(place, gauge, form);
    make(links);
    return links;
  });
}

} // namespace

TEST(HeatbathOnRanks, GivesTheBitsOfOneProcess)
{
  support::on_targets([] {
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
        expect_the_same({precision, reconstruct, 1, precision == Precision::double_ ? -1 : 1}, [](GaugeField &links) {
          heatbath(links, {5.7, 1, 1, 2, 4000000000u, 99});
        });
    for (const Precision precision : {Precision::double_, Precision::single})
      expect_the_same({precision, Reconstruct::r12, 1, -1}, [](GaugeField &links) {
        heatbath(links, {5.7, 1, 1, 1, 4000000000u, 99, -1.0 / 12, 1.5});
      });
  });
}

TEST(RandomFieldsOnRanks, GiveTheBitsOfOneProcess)
{
  support::on_targets([] {
    for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
      const support::LinkForm form {Precision::double_, reconstruct, 1, -1};
      expect_the_same(form, [](GaugeField &links) { gaussian_links(links, 5, 0.5); });
      expect_the_same(form, [](GaugeField &links) { hot_start(links, 5); });
      expect_the_same(form, [](GaugeField &links) { cold_start(links); });
    }
  });
}

/// A border filled part by part is the border filled at once.
TEST(Border, ByParityAndDirection)
{
  support::on_targets([] {
    support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &) {
      const support::Place place(global, comm);
      const auto before = support::native_links(place, reference::random_gauge(global, 1), {});
      const auto after = support::native_links(place, reference::random_gauge(global, 2), {});
      GaugeField links = extended(before, 2);
      links = after; // its border is of before
      for (int parity = 0; parity < 2; parity++)
        for (int mu = 0; mu < 4; mu++) exchange_border(links, parity, mu);
      const GaugeField right = extended(after, 2);
      EXPECT_EQ(plaquette(links).mean(), plaquette(right).mean());
      EXPECT_EQ(plaquette(links).spatial, plaquette(right).spatial);
    });
  });
}
