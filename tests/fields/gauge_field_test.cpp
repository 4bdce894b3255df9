/// Gauge fields: sizes, addresses, ownership, tags, errors.
#include "fields/gauge_field.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "core/environment_support.h"
#include "fields/pretend_grid.h"
#include "support/refused.h"
#include "targets/target.h"

using namespace quda;

namespace
{

const int X[4] = {2, 4, 6, 8};
constexpr long long volume = 2 * 4 * 6 * 8;

GaugeFieldParam param_of(GaugeOrder order = GaugeOrder::native)
{
  GaugeFieldParam p;
  p.lattice = Lattice::create(X, make_single_communicator());
  p.order = order;
  if (order != GaugeOrder::native) p.location = Location::host;
  return p;
}

template <class Change> std::string message(ErrorKind kind, Change &&change, GaugeOrder order = GaugeOrder::native)
{
  GaugeFieldParam p = param_of(order);
  change(p);
  return refused(kind, [&] { GaugeField field(p); });
}

long long live_blocks() { return device_pool().counts().live_blocks + pinned_pool().counts().live_blocks; }

} // namespace

TEST(GaugeField, NativeSizeFollowsPrecisionReconstructAndPadding)
{
  for (Precision precision : {Precision::single, Precision::double_})
    for (Reconstruct recon : {Reconstruct::none, Reconstruct::r12, Reconstruct::r13, Reconstruct::r9}) {
      GaugeFieldParam p = param_of();
      p.precision = precision;
      p.reconstruct = recon;
      if (over_their_unit(recon)) p.link_type = LinkType::three;
      const GaugeField field(p);
      const GaugeView v = field.view();
      const LatticeView &l = v.field.lattice;
      const int W = target().width(precision), lanes = p.lattice->lanes();
      const long long rows = volume / lanes * (lanes > W ? lanes / W : 1);
      EXPECT_EQ(static_cast<long long>(field.bytes()), rows * W * 4 * static_cast<int>(recon) * bytes_of(precision));
      EXPECT_EQ(v.field.inner, 4);
      EXPECT_EQ(v.field.reals, static_cast<int>(recon));
      EXPECT_EQ(v.reconstruct, static_cast<int>(recon));
      EXPECT_EQ(v.field.data, field.data());
      EXPECT_EQ(l.width, W);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(field.data()) % 64, 0u);
    }
}

TEST(GaugeField, PaddingLanesStartAtZero)
{
  if (target().lanes() == 1) GTEST_SKIP() << "no lanes, no padding";
  if (device_pool().poisons()) GTEST_SKIP() << "poisoned memory shows that nothing depends on it";
  const Variable split("QUDA_LANE_SPLIT", "1 1 1 2");
  static constexpr int extents[4] = {8, 8, 8, 8};
  GaugeFieldParam p = param_of();
  p.lattice = Lattice::create(extents, make_single_communicator());
  std::size_t bytes = 0;
  {
    const GaugeField first(p);
    bytes = first.bytes();
    std::memset(first.data(), 0xff, bytes); // the block the pool hands out next
  }
  const GaugeField second(p);
  ASSERT_EQ(second.bytes(), bytes);
  const LatticeView l = second.view().field.lattice;
  ASSERT_LT(l.lanes, l.parts * l.width);
  const char *data = static_cast<const char *>(second.data());
  EXPECT_EQ(std::count(data, data + bytes, 0), static_cast<std::ptrdiff_t>(bytes));
}

TEST(GaugeField, ForeignOrdersHoldAllReals)
{
  GaugeFieldParam p = param_of(GaugeOrder::milc);
  const GaugeField milc(p);
  EXPECT_EQ(milc.bytes(), volume * 4u * 18 * 8);
  EXPECT_EQ(milc.reals(), 18);

  p = param_of(GaugeOrder::qdp);
  p.precision = Precision::single;
  const GaugeField qdp(p);
  EXPECT_EQ(qdp.bytes(), volume * 4u * 18 * 4);
  for (int mu = 1; mu < 4; mu++)
    EXPECT_EQ(static_cast<char *>(qdp.data(mu)) - static_cast<char *>(qdp.data(mu - 1)), volume * 18 * 4);

  refused(ErrorKind::internal, [&] { qdp.view(); });
}

TEST(GaugeField, ExtendedFieldsStoreTheirBorder)
{
  GaugeFieldParam p = param_of();
  p.lattice = Lattice::create(X, PretendGrid::create(1, 1, 2, 1));
  EXPECT_FALSE(GaugeField(p).extended());
  const std::size_t plain = GaugeField(p).bytes();
  p.R[2] = 2;
  const GaugeField field(p);
  EXPECT_TRUE(field.extended());
  const LatticeView &l = field.view().field.lattice;
  EXPECT_EQ(field.bytes(), plain / l.O[2] * (l.O[2] + 4));
}

TEST(GaugeField, ReferencesWhatIsTheCallers)
{
  std::vector<double> links[4];
  GaugeFieldParam p = param_of(GaugeOrder::qdp);
  p.create = Create::reference;
  for (int mu = 0; mu < 4; mu++) {
    links[mu].resize(volume * 18);
    p.data[mu] = links[mu].data();
  }
  const long long before = live_blocks();
  {
    const GaugeField field(p);
    EXPECT_FALSE(field.owns_memory());
    for (int mu = 0; mu < 4; mu++) EXPECT_EQ(field.data(mu), links[mu].data());
    EXPECT_EQ(live_blocks(), before);
  }
  p.data[2] = nullptr;
  expect_refused(ErrorKind::bad_argument, {"data[2] is null"}, [&] { GaugeField field(p); });
  p.data[2] = reinterpret_cast<char *>(links[2].data()) + 4;
  expect_refused(ErrorKind::bad_argument, {"data[2]"}, [&] { GaugeField field(p); });
}

TEST(GaugeField, GivesItsMemoryBack)
{
  const long long before = live_blocks();
  {
    const GaugeField a(param_of()), b(param_of(GaugeOrder::milc));
    EXPECT_EQ(live_blocks(), before + 2);
    const std::string leaks = device_pool().leak_report();
    EXPECT_TRUE(contains(leaks, "gauge_field_test.cpp")) << leaks;
  }
  EXPECT_EQ(live_blocks(), before);
}

TEST(GaugeField, MovesButNeverRebinds)
{
  static_assert(!std::is_copy_constructible_v<GaugeField>);
  static_assert(std::is_nothrow_move_constructible_v<GaugeField>);
  const long long before = live_blocks();
  {
    GaugeField a(param_of());
    void *const memory = a.data();
    const std::uint64_t tag = a.tag();
    GaugeField b(std::move(a));
    EXPECT_EQ(b.data(), memory);
    EXPECT_EQ(b.view().field.data, memory);
    EXPECT_EQ(b.tag(), tag);

    GaugeField c(param_of());
    void *const other = c.data();
    swap(b, c);
    EXPECT_EQ(c.data(), memory);
    EXPECT_EQ(b.data(), other);
    EXPECT_EQ(b.view().field.data, other);
    EXPECT_EQ(c.tag(), tag);
  }
  EXPECT_EQ(live_blocks(), before);
}

TEST(GaugeField, AssignmentKeepsTheMemory)
{
  GaugeFieldParam p = param_of();
  p.create = Create::zero;
  GaugeField a(p);
  void *const memory = a.data();
  const std::uint64_t tag = a.tag();
  a = GaugeField(p);
  EXPECT_EQ(a.data(), memory);
  EXPECT_NE(a.tag(), tag);
}

TEST(GaugeField, ZeroIsZero)
{
  if (target().kind() == Target::cuda) GTEST_SKIP() << "reads the field's memory";
  for (GaugeOrder order : {GaugeOrder::native, GaugeOrder::milc}) {
    GaugeFieldParam p = param_of(order);
    {
      const GaugeField dirty(p);
      for (std::size_t i = 0; i < dirty.bytes() / 8; i++) static_cast<double *>(dirty.data())[i] = 1;
    }
    p.create = Create::zero;
    const GaugeField field(p);
    for (std::size_t i = 0; i < field.bytes() / 8; i++) ASSERT_EQ(static_cast<double *>(field.data())[i], 0);
  }
}

TEST(GaugeField, TagsNeverRepeat)
{
  std::set<std::uint64_t> tags;
  std::uint64_t last = 0;
  GaugeField a(param_of());
  for (int i = 0; i < 100; i++) {
    a.mark_written();
    EXPECT_TRUE(tags.insert(a.tag()).second);
    EXPECT_GT(a.tag(), last);
    last = a.tag();
    EXPECT_TRUE(tags.insert(GaugeField(param_of(GaugeOrder::milc)).tag()).second);
  }
}

TEST(GaugeField, ParamMakesAnotherLikeIt)
{
  GaugeFieldParam p = param_of();
  p.reconstruct = Reconstruct::r12;
  p.precision = Precision::single;
  p.t_boundary = TBoundary::antiperiodic;
  p.anisotropy = 2.464;
  const GaugeField a(p), b(a.param());
  EXPECT_EQ(a.bytes(), b.bytes());
  EXPECT_NE(a.data(), b.data());
  EXPECT_EQ(b.view().t_boundary, -1);
  EXPECT_EQ(b.view().anisotropy, 2.464);
  EXPECT_NO_THROW(check_same_links("f", a, b));
}

TEST(GaugeField, RefusesBadParametersByName)
{
  using P = GaugeFieldParam;
  const auto bad = ErrorKind::bad_argument, unsupported = ErrorKind::unsupported;
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.lattice.reset(); }), "lattice"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.precision = Precision(3); }), "precision = 3"));
  EXPECT_TRUE(contains(message(unsupported, [](P &p) { p.precision = Precision::quarter; }), "quarter"));
  EXPECT_TRUE(contains(message(
                           bad, [](P &p) { p.precision = Precision::half; }, GaugeOrder::milc),
                       "precision = 2"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.order = GaugeOrder(9); }), "order = 9"));
  EXPECT_TRUE(contains(message(
                           bad, [](P &) {}, GaugeOrder::milc_site),
                       "MILC site"));
  EXPECT_TRUE(contains(message(unsupported,
                               [](P &p) {
                                 p.order = GaugeOrder::bqcd;
                                 p.link_type = LinkType::momentum;
                                 p.reconstruct = Reconstruct::r10;
                               }),
                       "order = 6 with link_type = momentum"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.location = Location::host; }), "location = host"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.location = Location(7); }), "location = 7"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.create = Create(5); }), "create = 5"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.reconstruct = Reconstruct(11); }), "reconstruct = 11"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.reconstruct = Reconstruct::r13; }), "link_type = su3"));
  EXPECT_TRUE(contains(message(
                           bad, [](P &p) { p.reconstruct = Reconstruct::r12; }, GaugeOrder::milc),
                       "reconstruct = 12"));
  EXPECT_TRUE(contains(message(bad,
                               [](P &p) {
                                 p.reconstruct = Reconstruct::r12;
                                 p.link_type = LinkType::general;
                               }),
                       "link_type = general"));
  EXPECT_TRUE(contains(message(unsupported, [](P &p) { p.link_type = LinkType::coarse; }), "coarse"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.link_type = LinkType::momentum; }), "reconstruct = 18"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.reconstruct = Reconstruct::r10; }), "reconstruct = 10"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.link_type = LinkType(12); }), "link_type = 12"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.t_boundary = TBoundary(0); }), "t_boundary = 0"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.anisotropy = 0; }), "anisotropy = 0"));
  EXPECT_TRUE(contains(message(bad,
                               [](P &p) {
                                 p.anisotropy = 2;
                                 p.link_type = LinkType::three;
                               }),
                       "anisotropy = 2"));
  EXPECT_TRUE(contains(message(bad,
                               [](P &p) {
                                 p.gauge_fix = true;
                                 p.link_type = LinkType::smeared;
                               }),
                       "gauge_fix"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.R[2] = 2; }), "R[2] = 2"));
  EXPECT_TRUE(contains(message(
                           bad, [](P &p) { p.R[2] = 2; }, GaugeOrder::qdp),
                       "R = 0 0 2 0"));
  const int other_lanes = target().lanes() == 1 ? 16 : 1;
  EXPECT_TRUE(contains(
      message(bad, [&](P &p) { p.lattice = Lattice::create(X, make_single_communicator(), other_lanes); }), "lanes"));
  EXPECT_EQ(live_blocks(), 0);
}

TEST(GaugeField, CopiesNeedEqualLinks)
{
  using P = GaugeFieldParam;
  const GaugeField a(param_of());
  const auto difference = [&](auto &&change) {
    P p = param_of(GaugeOrder::milc);
    change(p);
    const GaugeField b(p);
    return refused(ErrorKind::bad_argument, [&] { check_same_links("f", a, b); });
  };
  EXPECT_TRUE(contains(difference([](P &p) {
                         const int Y[4] = {2, 4, 8, 6};
                         p.lattice = Lattice::create(Y, make_single_communicator());
                       }),
                       "X[2]: 6 (to) and 8 (from)"));
  EXPECT_TRUE(contains(difference([](P &p) { p.lattice = Lattice::create(X, PretendGrid::create(1, 2, 1, 1)); }),
                       "place among the ranks"));
  EXPECT_TRUE(contains(difference([](P &p) { p.link_type = LinkType::general; }), "link_type: su3"));
  EXPECT_TRUE(contains(difference([](P &p) { p.gauge_fix = true; }), "gauge_fix: no"));
  EXPECT_TRUE(contains(difference([](P &p) { p.t_boundary = TBoundary::antiperiodic; }), "t_boundary: 1"));
  EXPECT_TRUE(contains(difference([](P &p) { p.anisotropy = 1.5; }), "anisotropy: 1 (to) and 1.5"));
  EXPECT_TRUE(contains(difference([](P &p) { p.tadpole = 0.9; }), "tadpole: 1"));
  P p = param_of(GaugeOrder::qdp);
  p.precision = Precision::single;
  p.scale = 2;
  EXPECT_NO_THROW(check_same_links("f", a, GaugeField(p)));
}
