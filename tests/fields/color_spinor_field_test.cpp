/// Spinor fields: sizes, addresses, halves, ownership, tags, errors.
#include "fields/color_spinor_field.h"

#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "fields/pretend_grid.h"
#include "support/refused.h"
#include "targets/target.h"

using namespace quda;

namespace
{

const int X[4] = {2, 4, 6, 8};
constexpr long long volume = 2 * 4 * 6 * 8;

ColorSpinorParam param_of(DiracOrder order = DiracOrder::native, SiteSubset subset = SiteSubset::full)
{
  ColorSpinorParam p;
  p.lattice = Lattice::create(X, make_single_communicator());
  p.order = order;
  p.subset = subset;
  if (order != DiracOrder::native) p.location = Location::host;
  return p;
}

template <class Change> std::string message(ErrorKind kind, Change &&change)
{
  ColorSpinorParam p = param_of();
  change(p);
  return refused(kind, [&] { ColorSpinorField field(p); });
}

long long live_blocks() { return device_pool().counts().live_blocks + pinned_pool().counts().live_blocks; }

} // namespace

TEST(ColorSpinorField, SizesFollowTheShape)
{
  const int spins[] = {4, 1, 2}, colors[] = {3, 3, 24};
  for (int shape = 0; shape < 3; shape++)
    for (int inner : {1, 3})
      for (Precision precision : {Precision::single, Precision::double_})
        for (SiteSubset subset : {SiteSubset::full, SiteSubset::parity}) {
          ColorSpinorParam p = param_of(DiracOrder::dirac, subset);
          p.spins = spins[shape];
          p.colors = colors[shape];
          p.rhs = inner;
          p.precision = precision;
          const int parities = subset == SiteSubset::full ? 2 : 1, reals = 2 * spins[shape] * colors[shape];
          const ColorSpinorField host(p);
          const long long plain = volume / 2 * parities * inner * reals * bytes_of(precision);
          EXPECT_EQ(static_cast<long long>(host.bytes()), plain);
          EXPECT_EQ(host.sites(), volume / 2 * parities);

          p.order = DiracOrder::native;
          p.location = Location::device;
          const ColorSpinorField device(p);
          const int W = target().width(precision), lanes = p.lattice->lanes();
          EXPECT_EQ(static_cast<long long>(device.bytes()), lanes < W ? plain / lanes * W : plain);
          const SpinorView v = device.view();
          EXPECT_EQ(v.field.reals, reals);
          EXPECT_EQ(v.field.inner, inner);
          EXPECT_EQ(v.field.parity_stride == 0, parities == 1);
          EXPECT_EQ(v.spins, spins[shape]);
          EXPECT_EQ(v.colors, colors[shape]);
          for (int d = 0; d < 4; d++)
            for (int way = 0; way < 2; way++) EXPECT_EQ(v.halo.slot[d][way], nullptr);
        }
}

TEST(ColorSpinorField, HalvesLieInTheField)
{
  for (DiracOrder order : {DiracOrder::native, DiracOrder::dirac}) {
    ColorSpinorParam p = param_of(order);
    p.rhs = 3;
    const long long before = live_blocks();
    const ColorSpinorField full(p);
    const ColorSpinorField even = full.even(), odd = full.odd();
    EXPECT_EQ(live_blocks(), before + 1);
    EXPECT_FALSE(even.owns_memory());
    EXPECT_EQ(even.parity(), 0);
    EXPECT_EQ(odd.parity(), 1);
    EXPECT_EQ(odd.subset(), SiteSubset::parity);
    EXPECT_EQ(even.data(), full.data());
    EXPECT_EQ(even.bytes() + odd.bytes(), full.bytes());
    const auto distance = static_cast<char *>(odd.data()) - static_cast<char *>(full.data());
    EXPECT_EQ(static_cast<std::size_t>(distance), full.bytes() / 2);
    if (order == DiracOrder::native) {
      EXPECT_EQ(distance, full.view().field.parity_stride * 8);
      EXPECT_EQ(odd.view().field.parity_stride, 0);
      EXPECT_EQ(odd.view().field.data, odd.data());
    } else {
      EXPECT_EQ(distance, volume / 2 * 3 * 24 * 8);
    }
    expect_refused(ErrorKind::bad_argument, {"one parity"}, [&] { odd.even(); });
    expect_refused(ErrorKind::bad_argument, {"half(2)"}, [&] { full.half(2); });
  }
}

TEST(ColorSpinorField, MovesButNeverRebinds)
{
  static_assert(!std::is_copy_constructible_v<ColorSpinorField>);
  static_assert(std::is_nothrow_move_constructible_v<ColorSpinorField>);
  const long long before = live_blocks();
  {
    std::vector<ColorSpinorField> fields;
    for (int i = 0; i < 5; i++) fields.emplace_back(param_of());
    EXPECT_EQ(live_blocks(), before + 5);
    void *const first = fields[0].data(), *const second = fields[1].data();
    swap(fields[0], fields[1]);
    EXPECT_EQ(fields[0].view().field.data, second);
    EXPECT_EQ(fields[1].view().field.data, first);
  }
  EXPECT_EQ(live_blocks(), before);
}

TEST(ColorSpinorField, AssignmentWritesIntoTheHalf)
{
  if (target().kind() == Target::cuda) GTEST_SKIP() << "reads the field's memory";
  ColorSpinorParam p = param_of(DiracOrder::native);
  p.create = Create::zero;
  ColorSpinorField a(p);
  const ColorSpinorField b(p);
  for (std::size_t i = 0; i < b.bytes() / 8; i++) static_cast<double *>(b.data())[i] = 2;
  const std::uint64_t tag = a.tag();
  a = b;
  EXPECT_NE(a.tag(), tag);
  const long long at = real_offset(a.view().field, 1, 0, 0, 0, 5);
  EXPECT_EQ(static_cast<double *>(a.data())[at], 2);
  ColorSpinorField zero(p);
  a.odd() = zero.odd();
  EXPECT_EQ(static_cast<double *>(a.data())[at], 0);
  EXPECT_EQ(static_cast<double *>(a.data())[0], 2);
}

TEST(ColorSpinorField, ReferencesWhatIsTheCallers)
{
  std::vector<float> numbers(volume / 2 * 24);
  ColorSpinorParam p = param_of(DiracOrder::dirac, SiteSubset::parity);
  p.precision = Precision::single;
  p.create = Create::reference;
  p.parity = 1;
  p.basis = GammaBasis::ukqcd;
  p.data = numbers.data();
  const ColorSpinorField field(p);
  EXPECT_EQ(field.data(), numbers.data());
  EXPECT_EQ(field.parity(), 1);
  EXPECT_EQ(field.basis(), GammaBasis::ukqcd);
  EXPECT_FALSE(field.owns_memory());
  p.data = nullptr;
  expect_refused(ErrorKind::bad_argument, {"data is null"}, [&] { ColorSpinorField f(p); });
}

TEST(ColorSpinorField, RefusesBadParametersByName)
{
  using P = ColorSpinorParam;
  const auto bad = ErrorKind::bad_argument, unsupported = ErrorKind::unsupported;
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.lattice.reset(); }), "lattice"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.spins = 3; }), "spins = 3"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.colors = 0; }), "colors = 0"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.rhs = 0; }), "rhs = 0"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.fifth = 0; }), "fifth = 0"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.flavours = -1; }), "flavours = -1"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.rhs = p.fifth = 2000; }), "rhs = 2000, fifth = 2000"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.precision = Precision(5); }), "precision = 5"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.order = DiracOrder(11); }), "order = 11"));
  EXPECT_TRUE(contains(message(unsupported, [](P &p) { p.order = DiracOrder::qdpjit; }), "QDPJIT"));
  EXPECT_TRUE(contains(message(unsupported, [](P &p) { p.order = DiracOrder::tifr_padded; }), "TIFR_PADDED"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.basis = GammaBasis(4); }), "basis = 4"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.basis = GammaBasis::ukqcd; }), "basis = 1"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.location = Location::host; }), "location = host"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.subset = SiteSubset(3); }), "subset = 3"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.parity = 2; }), "parity = 2"));
  EXPECT_TRUE(contains(message(bad, [](P &p) { p.create = Create(-1); }), "create = -1"));
  P staggered = param_of();
  staggered.spins = 1;
  staggered.basis = GammaBasis::ukqcd; // no meaning for one spin
  EXPECT_NO_THROW(ColorSpinorField {staggered});
  EXPECT_EQ(live_blocks(), 0);
}

TEST(ColorSpinorField, CopiesNeedOneShape)
{
  using P = ColorSpinorParam;
  const ColorSpinorField a(param_of());
  const auto difference = [&](auto &&change) {
    P p = param_of(DiracOrder::dirac);
    change(p);
    const ColorSpinorField b(p);
    return refused(ErrorKind::bad_argument, [&] { check_same_spinors("f", a, b); });
  };
  EXPECT_TRUE(contains(difference([](P &p) {
                         const int Y[4] = {4, 4, 6, 8};
                         p.lattice = Lattice::create(Y, make_single_communicator());
                       }),
                       "X[0]: 2 (to) and 4 (from)"));
  EXPECT_TRUE(contains(difference([](P &p) { p.lattice = Lattice::create(X, PretendGrid::create(1, 1, 1, 2, 1)); }),
                       "place among the ranks"));
  EXPECT_TRUE(contains(difference([](P &p) { p.spins = 1; }), "spins: 4"));
  EXPECT_TRUE(contains(difference([](P &p) { p.colors = 24; }), "colors: 3"));
  EXPECT_TRUE(contains(difference([](P &p) { p.rhs = 2; }), "rhs: 1"));
  EXPECT_TRUE(contains(difference([](P &p) { p.fifth = 2; }), "fifth: 1"));
  EXPECT_TRUE(contains(difference([](P &p) { p.flavours = 2; }), "flavours: 1"));
  EXPECT_TRUE(contains(difference([](P &p) { p.subset = SiteSubset::parity; }), "subset: 2"));
  expect_refused(ErrorKind::bad_argument, {"parity: 0"}, [&] { check_same_spinors("f", a.even(), a.odd()); });
  P p = param_of(DiracOrder::dirac);
  p.precision = Precision::single;
  p.basis = GammaBasis::chiral;
  EXPECT_NO_THROW(check_same_spinors("f", a, ColorSpinorField(p)));
}
