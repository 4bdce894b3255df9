/// Fields of numbers a site and of clover terms: sizes, halves, columns, errors; where columns of spinors lie.
#include "fields/site_field.h"

#include <utility>

#include <gtest/gtest.h>

#include "fields/clover_field.h"
#include "fields/color_spinor_field.h"
#include "support/refused.h"
#include "targets/target.h"

using namespace quda;

namespace
{

const int X[4] = {2, 4, 6, 8};
constexpr long long volume = 2 * 4 * 6 * 8;

template <class Param> Param param_of(bool native)
{
  Param p;
  p.lattice = Lattice::create(X, make_single_communicator());
  p.native = native;
  if (!native) p.location = Location::host;
  return p;
}

/// Bytes of a native field of so many numbers of the host's, padding lanes included.
long long padded(const Field &field, long long bytes)
{
  const LatticeView &l = field.layout().lattice;
  return l.lanes < l.width ? bytes / l.lanes * l.width : bytes;
}

} // namespace

TEST(SiteField, SizesFollowTheShape)
{
  for (const int reals : {1, 3, 32})
    for (const SiteSubset subset : {SiteSubset::full, SiteSubset::parity}) {
      SiteFieldParam p = param_of<SiteFieldParam>(false);
      p.reals = reals;
      p.subset = subset;
      p.rhs = 2;
      p.flavours = 2;
      const SiteField host(p);
      const long long plain = volume * (subset == SiteSubset::full ? 2 : 1) / 2 * 4 * reals * 8;
      EXPECT_EQ(static_cast<long long>(host.bytes()), plain);
      EXPECT_THROW(host.view(), Error);
      p = param_of<SiteFieldParam>(true);
      p.reals = reals;
      p.subset = subset;
      p.rhs = 2;
      p.flavours = 2;
      const SiteField native(p), again(native.param());
      EXPECT_EQ(static_cast<long long>(native.bytes()), padded(native, plain));
      EXPECT_EQ(again.bytes(), native.bytes());
      EXPECT_EQ(native.view().reals, reals);
      EXPECT_EQ(native.view().inner, 4);
      EXPECT_NO_THROW(check_same_numbers("f", native, host));
    }
}

TEST(SiteField, RefusesByName)
{
  SiteFieldParam p = param_of<SiteFieldParam>(true);
  const SiteField a(p);
  p.reals = 0;
  expect_refused(ErrorKind::bad_argument, {"SiteField: reals = 0"}, [&] { SiteField f(p); });
  p.reals = 2;
  const SiteField b(p);
  expect_refused(ErrorKind::bad_argument, {"copied: fields differ in reals: 1 (to) and 2 (from)"},
                 [&] { check_same_numbers("copied", a, b); });
  p.flavours = 0;
  expect_refused(ErrorKind::bad_argument, {"flavours = 0"}, [&] { SiteField f(p); });
}

TEST(CloverField, TwoBlocksASite)
{
  for (const Precision precision : {Precision::double_, Precision::single, Precision::half, Precision::quarter}) {
    CloverParam p = param_of<CloverParam>(true);
    p.precision = precision;
    const CloverField native(p);
    const int scale = bytes_of(precision) < 4 ? 4 : 0;
    EXPECT_EQ(static_cast<long long>(native.bytes()), padded(native, volume * 2 * (36 * bytes_of(precision) + scale)));
    EXPECT_EQ(native.inner(), 2);
    EXPECT_EQ(native.reals(), 36);
    const CloverField odd = native.half(1);
    EXPECT_EQ(odd.parity(), 1);
    EXPECT_EQ(2 * odd.bytes(), native.bytes());
    EXPECT_NE(odd.tag(), native.tag());
    EXPECT_EQ(CloverField(odd.param()).bytes(), odd.bytes());
  }
  const CloverField packed(param_of<CloverParam>(false));
  EXPECT_EQ(static_cast<long long>(packed.bytes()), volume * 72 * 8);
  EXPECT_EQ(packed.layout().inner_stride, 36);
  EXPECT_EQ(packed.layout().record_stride, 72);
}

TEST(Columns, LieInTheField)
{
  for (const bool native : {true, false})
    for (const SiteSubset subset : {SiteSubset::full, SiteSubset::parity}) {
      ColorSpinorParam p;
      p.lattice = Lattice::create(X, make_single_communicator());
      p.rhs = 5;
      p.fifth = 3;
      p.subset = subset;
      if (!native) {
        p.location = Location::host;
        p.order = DiracOrder::dirac;
      }
      const ColorSpinorField field(p);
      const ColorSpinorField two = field.columns(1, 2);
      EXPECT_FALSE(two.owns_memory());
      EXPECT_EQ(two.rhs(), 2);
      EXPECT_EQ(two.layers(), 3);
      EXPECT_EQ(two.inner(), 6);
      EXPECT_EQ(two.layout().inner, 6);
      EXPECT_NE(two.tag(), field.tag());
      const long long entry = native ? 24 * two.layout().lattice.width : 24 * volume / 2; // reals
      const bool lanes = native && target().lanes() > 1;
      if (native) {
        EXPECT_EQ(two.view().field.data, two.data());
        EXPECT_EQ(two.layout().record_stride, field.layout().record_stride);
      }
      if (!native || lanes) {
        EXPECT_EQ(static_cast<double *>(two.data()) - static_cast<double *>(field.data()), 3 * entry);
      }
      EXPECT_LE(static_cast<char *>(two.data()) + two.bytes(), static_cast<char *>(field.data()) + field.bytes());
      EXPECT_EQ(two.whole(), subset == SiteSubset::parity && !lanes);
      EXPECT_TRUE(field.columns(0, 5).whole());
      EXPECT_EQ(field.columns(0, 5).bytes(), field.bytes());
      const ColorSpinorField last = two.columns(1, 1);
      EXPECT_EQ(last.data(), field.columns(2, 1).data());
      EXPECT_EQ(last.bytes(), field.columns(2, 1).bytes());
      if (subset == SiteSubset::full) {
        const ColorSpinorField odd = two.odd();
        EXPECT_EQ(odd.data(), field.odd().columns(1, 2).data());
        EXPECT_EQ(odd.bytes(), field.odd().columns(1, 2).bytes());
        EXPECT_EQ(odd.whole(), !lanes);
      }
      for (const auto &[first, count] : {std::pair {-1, 1}, {0, 0}, {4, 2}, {0, 6}, {5, 1}})
        expect_refused(ErrorKind::bad_argument, {text("columns(%d, %d) of a field of 5", first, count)},
                       [&] { field.columns(first, count); });
    }
}
