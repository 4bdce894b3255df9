/// Copies of a gauge field in other forms: current whatever happened to the links meanwhile, made once while nothing
/// did, and on every grid of ranks.

#include "ops/links/link_set.h"

#include "ops/gauge/plaquette.h"
#include "ops/halo/gauge_border.h"
#include "reference/gauge/plaquette.h"
#include "reference/random.h"
#include "support/grids.h"

#include <functional>

namespace
{

using namespace quda;

const reference::Lattice global({4, 4, 8, 8});

reference::GaugeField gauge(std::uint64_t seed) { return reference::random_gauge(global, seed); }

GaugeField links_of(const support::Place &place, std::uint64_t seed)
{
  return support::native_links(place, gauge(seed), {});
}

/// A form of the links, asked of a set, and made afresh.
struct Form {
  const char *name;
  std::function<const GaugeField &(const LinkSet &)> asked;
  std::function<GaugeField(const GaugeField &)> fresh;
};

GaugeField stored(const GaugeField &links, LinkStorage storage)
{
  GaugeFieldParam param = links.param();
  param.precision = storage.precision;
  param.reconstruct = storage.reconstruct;
  GaugeField copy(param);
  copy = links;
  return copy;
}

Form copy_in(const char *name, LinkStorage storage)
{
  return {name, [=](const LinkSet &set) -> const GaugeField & { return set.copy(storage); },
          [=](const GaugeField &links) { return stored(links, storage); }};
}

/// Of domains of 2^4 sites.
const GaugeField &inside(const LinkSet &set)
{
  Domains domains;
  std::fill_n(domains.block, 4, 2);
  return set.inside(domains, 1).precise();
}

const std::vector<Form> forms = {
    copy_in("double 12", {Precision::double_, Reconstruct::r12}),
    copy_in("single 18", {Precision::single, Reconstruct::none}),
    copy_in("single 12", {Precision::single, Reconstruct::r12}),
    copy_in("half 12", {Precision::half, Reconstruct::r12}),
    copy_in("half 8", {Precision::half, Reconstruct::r8}),
    {"border", [](const LinkSet &set) -> const GaugeField & { return set.with_border(2); },
     [](const GaugeField &links) { return extended(links, 2); }},
    {"inside of domains", [](const LinkSet &set) -> const GaugeField & { return inside(set); },
     [](const GaugeField &links) {
       const LinkSet set(links);
       return stored(inside(set), {links.precision(), links.reconstruct()});
     }},
};

/// What can happen to links between two uses of a copy.
struct Change {
  const char *name;
  std::function<void(LinkSet &, const support::Place &)> made;
};

const std::vector<Change> changes = {
    {"assigned in place", [](LinkSet &set, const support::Place &place) { set.precise() = links_of(place, 2); }},
    {"exchanged",
     [](LinkSet &set, const support::Place &place) {
       GaugeField other = links_of(place, 3);
       swap(set.precise(), other);
     }},
    {"written by a kernel",
     [](LinkSet &set, const support::Place &place) {
       const GaugeField other = links_of(place, 4);
       target().copy(set.precise().data(), other.data(), other.bytes());
       set.precise().mark_written();
     }},
    {"loaded",
     [](LinkSet &set, const support::Place &place) { set.load(std::make_unique<GaugeField>(links_of(place, 5))); }},
    {"released and loaded",
     [](LinkSet &set, const support::Place &place) {
       auto links = set.release();
       *links = links_of(place, 6);
       set.load(std::move(links));
     }},
    {"cleared and loaded",
     [](LinkSet &set, const support::Place &place) {
       set.clear();
       set.load(std::make_unique<GaugeField>(links_of(place, 7)));
     }},
};

void expect_same(const GaugeField &a, const GaugeField &b, const std::string &what)
{
  EXPECT_EQ(a.precision(), b.precision()) << what;
  EXPECT_EQ(a.reconstruct(), b.reconstruct()) << what;
  EXPECT_EQ(a.extended(), b.extended()) << what;
  EXPECT_EQ(support::host_links(a), support::host_links(b)) << what;
  if (!a.extended()) return;
  const PlaquetteAverage here = plaquette(a), there = plaquette(b); // over the border
  EXPECT_EQ(here.spatial, there.spatial) << what;
  EXPECT_EQ(here.temporal, there.temporal) << what;
}

TEST(LinkSet, CopiesAreNeverStale)
{
  support::on_grids([&](const auto &communicator, const support::Grid &) {
    const support::Place place(global, communicator);
    for (const Form &form : forms)
      for (const Change &change : changes) {
        LinkSet set;
        set.load(std::make_unique<GaugeField>(links_of(place, 1)));
        const bool border = form.asked(set).extended();
        if (std::string(form.name) == "border" && !border) continue; // nothing is cut
        const std::uint64_t tag = form.asked(set).tag();
        EXPECT_EQ(form.asked(set).tag(), tag) << form.name << ": made once";
        change.made(set, place);
        expect_same(form.asked(set), form.fresh(set.precise()), std::string(form.name) + ", links " + change.name);
        const auto again = form.asked(set).tag();
        EXPECT_EQ(form.asked(set).tag(), again) << form.name << ": made once more";
      }
  });
}

TEST(LinkSet, TheFieldItselfWhereThatServes)
{
  const support::Grid grid = support::grids_of(support::ranks()).front();
  const support::Place place(global, make_communicator(grid.data()));
  const GaugeField links = links_of(place, 1);
  LinkSet set(links);
  EXPECT_EQ(set.precise().data(), links.data());
  EXPECT_EQ(&set.copy({Precision::double_, Reconstruct::none}), &set.precise());
  const int none[4] = {0, 0, 0, 0};
  EXPECT_EQ(&set.with_border(none), &set.precise());
  EXPECT_EQ(&set.with_border(2) == &set.precise(), support::ranks() == 1);
  EXPECT_NEAR(plaquette(set.with_border(2)).mean(), reference::plaquette(gauge(1))[0], 1e-13);
}

/// Depths by direction; what was deeper stays.
TEST(LinkSet, Depths)
{
  if (support::ranks() == 1) GTEST_SKIP() << "one rank cuts nothing";
  const support::Grid grid = {1, 1, 1, support::ranks()};
  const support::Place place(global, make_communicator(grid.data()));
  LinkSet set;
  set.load(std::make_unique<GaugeField>(links_of(place, 1)));
  const int far[4] = {4, 4, 4, 2}, shallow[4] = {0, 0, 0, 2};
  EXPECT_EQ(set.with_border(far).R()[3], 2);
  EXPECT_EQ(set.with_border(far).R()[0], 0); // not cut
  const GaugeField *before = &set.with_border(far);
  EXPECT_EQ(&set.with_border(shallow), before);
  if (place.lattice->X(3) >= 4) {
    EXPECT_EQ(set.with_border(4).R()[3], 4);
    EXPECT_EQ(set.with_border(2).R()[3], 4);
    EXPECT_NEAR(plaquette(set.with_border(2)).mean(), reference::plaquette(gauge(1))[0], 1e-13);
  }
}

TEST(LinkSet, KeepsWhatIsWanted)
{
  const support::Grid grid = support::grids_of(support::ranks()).front();
  const support::Place place(global, make_communicator(grid.data()));
  LinkSet set;
  EXPECT_THROW(set.precise(), Error);
  EXPECT_THROW(set.copy({Precision::single, Reconstruct::none}), Error);
  set.load(std::make_unique<GaugeField>(links_of(place, 1)));
  const void *memory = set.copy({Precision::single, Reconstruct::r12}).data();
  const std::size_t live = device_pool().counts().live_blocks;
  set.copy({Precision::single, Reconstruct::none});
  EXPECT_EQ(device_pool().counts().live_blocks, live + 1);
  const LinkStorage wanted[] = {{Precision::single, Reconstruct::r12}};
  set.keep(wanted);
  EXPECT_EQ(device_pool().counts().live_blocks, live);
  EXPECT_EQ(set.copy(wanted[0]).data(), memory);
  set.clear();
  EXPECT_FALSE(set.loaded());
  EXPECT_THROW(set.precise(), Error);
}

} // namespace
