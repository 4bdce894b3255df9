/// Sweeps against the plain reference; what over-relaxation keeps; sweeps in one call and in several.

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "heatbath/fields.h"
#include "heatbath/physics.h"
#include "reference/gauge/links.h"
#include "reference/gauge/plaquette.h"
#include "reference/heatbath/heatbath.h"
#include "reference/random.h"
#include "tune/tune_cache.h"

using namespace quda;
using heatbath_tests::action_density;
using heatbath_tests::links_of;
using heatbath_tests::same_bits;

namespace
{

constexpr unsigned long long seed = 0xfedcba9876543210u;

HeatbathSweeps sweeps_of(const reference::GaugeAction &action, int heatbath, int relax, int sweeps, unsigned first = 0)
{
  return {action.beta, heatbath, relax, sweeps, first, seed, action.rectangle, action.anisotropy};
}
HeatbathSweeps sweeps_of(double beta, int heatbath, int relax, int sweeps, unsigned first = 0)
{
  return sweeps_of(reference::GaugeAction {beta}, heatbath, relax, sweeps, first);
}

/// Sites, spins up to a large lattice number: nothing may depend on how the links were made.
reference::GaugeField start(const reference::Lattice &lattice, Precision precision)
{
  const auto gauge = reference::random_gauge(lattice, 5, reference::Kind::weak);
  return precision == Precision::double_ ? gauge : reference::rounded_to_single(gauge);
}

} // namespace

TEST(Heatbath, AgreesWithTheReference)
{
  for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}})
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const reference::Lattice lattice(shape);
      reference::GaugeField expected = start(lattice, precision);
      reference::sweep(expected, 5.7, 1, 1, seed, 3000000000u);
      support::on_targets([&] {
        const support::Place place(lattice, make_single_communicator());
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
          for (const int t_boundary : {1, -1}) {
            auto gauge = start(lattice, precision), right = expected;
            reference::set_up_links(gauge, 1, t_boundary);
            reference::set_up_links(right, 1, t_boundary);
            GaugeField links = support::native_links(place, gauge, {precision, reconstruct, 1, t_boundary});
            heatbath(links, sweeps_of(5.7, 1, 1, 1, 3000000000u));
            EXPECT_LE(reference::deviation(links_of(links, place), right),
                      precision == Precision::double_ ? 1e-12 : 1e-4);
          }
      });
    }
}

/// Plaquettes and rectangles, of planes that differ. The reference goes link by link: links that are updated together
/// must know nothing of each other, however 4, 6, 10 and 14 are colored.
TEST(Heatbath, OfImprovedActions)
{
  const struct {
    reference::Coords shape;
    reference::GaugeAction action;
  } cases[] = {{{4, 6, 8, 4}, {4.5, -1.0 / 12}},
               {{6, 4, 4, 10}, {2.6, -0.331, 1.7}},
               {{4, 4, 14, 4}, {0.8, -1.4088}},
               {{2, 4, 6, 8}, {5.7, 0, 2.5}}};
  for (const auto &[shape, action] : cases) {
    const reference::Lattice lattice(shape);
    for (const Precision precision : {Precision::double_, Precision::single}) {
      reference::GaugeField expected = start(lattice, precision);
      reference::sweep(expected, action, 1, 1, seed, 7);
      support::on_targets([&] {
        const support::Place place(lattice, make_single_communicator());
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          auto gauge = start(lattice, precision), right = expected;
          reference::set_up_links(gauge, 1, -1);
          reference::set_up_links(right, 1, -1);
          GaugeField links = support::native_links(place, gauge, {precision, reconstruct, 1, -1});
          heatbath(links, sweeps_of(action, 1, 1, 1, 7));
          EXPECT_LE(reference::deviation(links_of(links, place), right),
                    precision == Precision::double_ ? 1e-12 : 1e-4);
        }
      });
    }
  }
}

/// Weak coupling, strong coupling and none: both ways to draw, and lanes that wait.
TEST(Heatbath, AtAnyBeta)
{
  const reference::Lattice lattice({4, 4, 6, 8});
  for (const double beta : {0.0, 0.05, 0.3, 1.0, 30.0, 1e4}) {
    reference::GaugeField expected = start(lattice, Precision::double_);
    reference::sweep(expected, beta, 2, 0, seed, 0);
    support::on_targets([&] {
      const support::Place place(lattice, make_single_communicator());
      GaugeField links = support::native_links(place, start(lattice, Precision::double_), {});
      heatbath(links, sweeps_of(beta, 2, 0, 1));
      EXPECT_LE(reference::deviation(links_of(links, place), expected), 1e-11) << beta;
    });
  }
}

/// Targets, lane splits and threads give one field.
TEST(Heatbath, TheSameBitsOnAllTargets)
{
  for (const double rectangle : {0.0, -0.331}) {
    const reference::Lattice lattice({4, 8, 4, 16});
    reference::GaugeField first(lattice);
    bool any = false;
    support::on_targets([&] {
      for (const char *split : {"", "1 1 1 4", "2 4 2 1", "1 2 1 8", "1 8 2 1"}) {
        if (split[0])
          setenv("QUDA_LANE_SPLIT", split, 1);
        else
          unsetenv("QUDA_LANE_SPLIT");
        const support::Place place(lattice, make_single_communicator());
        unsetenv("QUDA_LANE_SPLIT");
        GaugeField links = support::native_links(place, start(lattice, Precision::double_), {});
        heatbath(links, sweeps_of({6, rectangle}, 1, 1, rectangle != 0 ? 1 : 2));
        if (!any) first = links_of(links, place);
        any = true;
        EXPECT_TRUE(same_bits(links_of(links, place), first)) << split;
      }
    });
  }
}

TEST(Heatbath, ContinuesWhereItStopped)
{
  choose_target();
  const reference::Lattice lattice({4, 4, 4, 8});
  const support::Place place(lattice, make_single_communicator());
  for (const Precision precision : {Precision::double_, Precision::single})
    for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
      const support::LinkForm form {precision, reconstruct, 1, 1};
      GaugeField whole = support::native_links(place, start(lattice, precision), form);
      GaugeField parts = support::native_links(place, start(lattice, precision), form);
      heatbath(whole, sweeps_of(6, 2, 3, 5, 40));
      heatbath(parts, sweeps_of(6, 2, 3, 2, 40));
      // as if saved and loaded
      GaugeField loaded = support::native_links(place, links_of(parts, place), form);
      heatbath(loaded, sweeps_of(6, 2, 3, 3, 42));
      EXPECT_TRUE(same_bits(links_of(whole, place), links_of(loaded, place)));
      GaugeField other = support::native_links(place, links_of(parts, place), form);
      heatbath(other, sweeps_of(6, 2, 3, 3, 43));
      EXPECT_FALSE(same_bits(links_of(whole, place), links_of(other, place)));
    }
}

TEST(Heatbath, LinksStaySpecialUnitary)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 6});
    const support::Place place(lattice, make_single_communicator());
    for (const Precision precision : {Precision::double_, Precision::single}) {
      GaugeField links = support::native_links(place, reference::GaugeField(lattice), {precision});
      heatbath(links, sweeps_of(5.5, 2, 3, 10));
      const auto gauge = links_of(links, place);
      double worst = 0;
      for (const auto &direction : gauge.U)
        for (const reference::Link &u : direction) {
          worst = std::max(worst, (u * u.adjoint() - reference::Link::Identity()).cwiseAbs().maxCoeff());
          worst = std::max(worst, std::abs(u.determinant() - 1.0));
        }
      EXPECT_LE(worst, precision == Precision::double_ ? 2e-15 : 1e-6);
    }
  });
}

TEST(OverRelaxation, KeepsTheAction)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 6, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    for (const reference::GaugeAction action : {reference::GaugeAction {5.7}, {2.6, -0.331, 1.5}})
      for (const Precision precision : {Precision::double_, Precision::single}) {
        GaugeField links = support::native_links(place, reference::GaugeField(lattice), {precision});
        heatbath(links, sweeps_of(action, 1, 0, 5));
        const double before = action_density(links, sweeps_of(action, 0, 0, 0));
        const auto was = links_of(links, place);
        heatbath(links, sweeps_of(action, 0, 10, 1));
        const double after = action_density(links, sweeps_of(action, 0, 0, 0));
        EXPECT_NEAR(after, before, (precision == Precision::double_ ? 1e-14 : 1e-6) * std::abs(before));
        // and moves the links far
        EXPECT_GE(reference::deviation(links_of(links, place), was), 1);
      }
  });
}

/// Launches repeated on the links themselves to be timed leave no trace.
TEST(Heatbath, TuningChangesNothing)
{
  const reference::Lattice lattice({4, 6, 4, 4});
  support::on_targets([&] {
    const support::Place place(lattice, make_single_communicator());
    for (const double rectangle : {0.0, -1.0 / 12}) {
      GaugeField untuned = support::native_links(place, start(lattice, Precision::double_), {});
      GaugeField tuned = support::native_links(place, start(lattice, Precision::double_), {});
      heatbath(untuned, sweeps_of({6, rectangle}, 1, 1, 1));
      setenv("QUDA_ENABLE_TUNING", "1", 1);
      load_tune_cache(place.lattice->communicator());
      heatbath(tuned, sweeps_of({6, rectangle}, 1, 1, 1));
      setenv("QUDA_ENABLE_TUNING", "0", 1);
      load_tune_cache(place.lattice->communicator());
      EXPECT_TRUE(same_bits(links_of(tuned, place), links_of(untuned, place)));
    }
  });
}

/// Links without the sign that their description has: theirs is kept, so that they stay special.
TEST(Heatbath, TheSignIsTheLinks)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 6});
    const support::Place place(lattice, make_single_communicator());
    const auto gauge = start(lattice, Precision::double_);
    GaugeField periodic = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, 1});
    GaugeField declared = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1});
    heatbath(periodic, sweeps_of(6, 1, 1, 2));
    heatbath(declared, sweeps_of(6, 1, 1, 2));
    EXPECT_TRUE(same_bits(links_of(periodic, place), links_of(declared, place)));
  });
}
