/// Staggered phases against the tables, and that they come off as they were put on.

#include <gtest/gtest.h>

#include "ops/gauge/staggered_phase.h"
#include "reference/gauge/links.h"
#include "reference/gauge/staggered_phase.h"
#include "reference/random.h"
#include "support/host_links.h"

using namespace quda;

namespace
{

constexpr struct {
  StaggeredPhase type;
  reference::StaggeredPhases plain;
} conventions[] = {{StaggeredPhase::milc, reference::StaggeredPhases::milc},
                   {StaggeredPhase::chroma, reference::StaggeredPhases::chroma},
                   {StaggeredPhase::tifr, reference::StaggeredPhases::tifr}};

} // namespace

TEST(StaggeredPhase, AgreesWithTheTablesAndComesOff)
{
  support::on_targets([] {
    for (const reference::Coords shape : {reference::Coords {2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}}) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const int t_boundary : {1, -1})
          for (const double i_mu : {0.0, 0.3})
            for (const auto &convention : conventions) {
              reference::GaugeField gauge = reference::random_gauge(lattice, 61);
              if (precision == Precision::single) gauge = reference::rounded_to_single(gauge);
              GaugeField links = support::native_links(place, gauge, {precision, Reconstruct::none, 1, t_boundary});
              links.set_phases({convention.type, false, i_mu});
              const GaugeField with = with_staggered_phases(links);
              EXPECT_TRUE(with.phases().applied);
              const auto right = reference::staggered(gauge, convention.plain, t_boundary, i_mu);
              const double most = i_mu == 0 ? 0 : precision == Precision::double_ ? 1e-15 : 1e-6;
              EXPECT_LE(reference::deviation(support::reference_links(with), right), most);
              const GaugeField without = without_staggered_phases(with);
              EXPECT_FALSE(without.phases().applied);
              EXPECT_LE(reference::deviation(support::reference_links(without), gauge), 2 * most);
            }
    }
  });
}

TEST(StaggeredPhase, CopiesKnowOfThemAndCompressedLinksCannot)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 8});
    const support::Place place(lattice, make_single_communicator());
    GaugeField links = support::native_links(place, reference::random_gauge(lattice, 62), {});
    EXPECT_THROW(with_staggered_phases(links), Error); // of no convention
    links.set_phases({StaggeredPhase::milc, false, 0});
    const GaugeField with = with_staggered_phases(links);
    GaugeField copy(links.param());
    copy = with;
    EXPECT_TRUE(copy.phases().applied);
    EXPECT_EQ(copy.phases().type, StaggeredPhase::milc);
    copy = links;
    EXPECT_FALSE(copy.phases().applied);
    GaugeFieldParam rows = links.param();
    rows.reconstruct = Reconstruct::r12;
    GaugeField compressed(rows);
    EXPECT_THROW(compressed = with, Error);
    EXPECT_NO_THROW(compressed = links);
    rows.phases.applied = true;
    EXPECT_THROW(GaugeField {rows}, Error);
  });
}
