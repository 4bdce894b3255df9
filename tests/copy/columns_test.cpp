/// Copies into and out of some of a field's right-hand sides, of every inner structure.

#include <algorithm>

#include <gtest/gtest.h>

#include "reference/random.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

using Numbers = std::vector<double>; // (parity, inner, x_cb, spin, color), complex

const reference::Coords shapes[] = {{2, 4, 6, 8}, {6, 6, 6, 6}};

struct Kind {
  int spins, colors, fifth, flavours;
};
const Kind kinds[] = {{4, 3, 1, 1}, {1, 3, 3, 2}, {2, 5, 1, 2}};

constexpr Precision precisions[] = {Precision::double_, Precision::single, Precision::half, Precision::quarter};

ColorSpinorParam param_of(const support::Place &place, const Kind &kind, int rhs, SiteSubset subset)
{
  ColorSpinorParam param;
  param.lattice = place.lattice;
  param.spins = kind.spins;
  param.colors = kind.colors;
  param.rhs = rhs;
  param.fifth = kind.fifth;
  param.flavours = kind.flavours;
  param.subset = subset;
  param.parity = subset == SiteSubset::parity;
  return param;
}

Numbers some_numbers(const ColorSpinorField &field, unsigned seed)
{
  reference::SiteRandom random(17, seed, 2);
  Numbers numbers(field.sites() * field.inner() * field.reals());
  for (double &x : numbers) x = static_cast<float>(random.uniform() - 0.5);
  return numbers;
}

/// The numbers of right-hand sides first, first + 1, ... of `whole`, replaced by those of `part`.
void set_columns(Numbers &whole, const ColorSpinorField &field, int first, const Numbers &part, int count)
{
  const std::size_t one = field.lattice().volume_cb() * field.layers() * field.reals();
  for (int p = 0; p < field.parities(); p++)
    std::copy_n(part.begin() + p * count * one, count * one, whole.begin() + (p * field.rhs() + first) * one);
}

Numbers columns_of(const Numbers &whole, const ColorSpinorField &field, int first, int count)
{
  const std::size_t one = field.lattice().volume_cb() * field.layers() * field.reals();
  Numbers part(field.parities() * count * one);
  for (int p = 0; p < field.parities(); p++)
    std::copy_n(whole.begin() + (p * field.rhs() + first) * one, count * one, part.begin() + p * count * one);
  return part;
}

/// What a field of that precision makes of the numbers.
Numbers as_kept(const ColorSpinorParam &like, const Numbers &numbers)
{
  ColorSpinorField field(like);
  support::set_from_host(field, numbers);
  return support::host_array(field);
}

template <class Body> void on_all(const Body &body)
{
  support::on_targets([&] {
    for (const auto &shape : shapes)
      for (const Kind &kind : kinds)
        for (const SiteSubset subset : {SiteSubset::full, SiteSubset::parity}) {
          SCOPED_TRACE(testing::Message()
                       << shape[0] << ' ' << shape[1] << ' ' << shape[2] << ' ' << shape[3] << " spins " << kind.spins
                       << " colors " << kind.colors << " fifth " << kind.fifth << " flavours " << kind.flavours
                       << " subset " << static_cast<int>(subset));
          const support::Place place(reference::Lattice(shape), make_single_communicator());
          body(param_of(place, kind, 3, subset));
        }
  });
}

} // namespace

TEST(Columns, EachFromAnArrayOfItsOwn)
{
  on_all([](ColorSpinorParam param) {
    for (const Precision precision : precisions) {
      param.precision = precision;
      ColorSpinorField field(param);
      support::set_from_host(field, some_numbers(field, 0));
      Numbers expected = support::host_array(field);
      for (const int j : {1, 2, 0}) {
        Numbers one = some_numbers(field.columns(j, 1), 1 + j);
        set_columns(expected, field, j, as_kept(field.columns(j, 1).param(), one), 1);
        field.columns(j, 1) = support::host_field(field.columns(j, 1), one.data());
        ASSERT_EQ(support::host_array(field), expected) << j;
      }
      for (const int j : {0, 1, 2})
        ASSERT_EQ(support::host_array(field.columns(j, 1)), columns_of(expected, field, j, 1));
      ASSERT_EQ(support::host_array(field.columns(1, 2)), columns_of(expected, field, 1, 2));
    }
  });
}

TEST(Columns, OfAHostArray)
{
  on_all([](const ColorSpinorParam &param) {
    const ColorSpinorField like(param);
    Numbers numbers = some_numbers(like, 0);
    const ColorSpinorField host = support::host_field(like, numbers.data());
    ColorSpinorField native(like.columns(0, 2).param());
    native = host.columns(1, 2);
    ASSERT_EQ(support::host_array(native), columns_of(numbers, like, 1, 2));

    const Numbers other = some_numbers(native, 5);
    Numbers expected = numbers;
    set_columns(expected, like, 1, other, 2);
    support::set_from_host(native, other);
    host.columns(1, 2) = native;
    ASSERT_EQ(numbers, expected);
  });
}

TEST(Columns, BetweenNativeFields)
{
  on_all([](ColorSpinorParam param) {
    for (const Precision to : precisions)
      for (const Precision from : precisions) {
        const bool small = param.lattice->X(0) == 2 && param.subset == SiteSubset::full;
        if (to != from && !small) continue;
        param.precision = to;
        param.rhs = 3;
        ColorSpinorField a(param);
        support::set_from_host(a, some_numbers(a, 0));
        Numbers expected = support::host_array(a);
        param.precision = from;
        param.rhs = 4;
        ColorSpinorField b(param);
        support::set_from_host(b, some_numbers(b, 1));
        ColorSpinorParam pair = a.param();
        pair.rhs = 2;
        const Numbers source = support::host_array(b.columns(2, 2));
        set_columns(expected, a, 1, to == from ? source : as_kept(pair, source), 2);
        a.columns(1, 2) = b.columns(2, 2);
        ASSERT_EQ(support::host_array(a), expected);
        ColorSpinorField all(pair); // out of a range into a field
        all = a.columns(1, 2);
        ASSERT_EQ(support::host_array(all), columns_of(expected, a, 1, 2));
        pair.rhs = 1; // and back
        ColorSpinorField one(pair);
        one = all.columns(1, 1);
        a.columns(0, 1) = one;
        set_columns(expected, a, 0, support::host_array(one), 1);
        ASSERT_EQ(support::host_array(a), expected);
      }
  });
}

TEST(Columns, OfOneParity)
{
  support::on_targets([] {
    for (const auto &shape : shapes)
      for (const Kind &kind : kinds)
        for (const Precision precision : precisions) {
          const support::Place place(reference::Lattice(shape), make_single_communicator());
          ColorSpinorParam param = param_of(place, kind, 3, SiteSubset::full);
          param.precision = precision;
          ColorSpinorField field(param);
          support::set_from_host(field, some_numbers(field, 0));
          Numbers expected = support::host_array(field);
          for (const int parity : {0, 1}) {
            Numbers part = support::host_array(field.half(parity).columns(1, 1));
            EXPECT_EQ(support::host_array(field.columns(1, 1).half(parity)), part);
            const std::size_t one = part.size();
            EXPECT_TRUE(std::equal(part.begin(), part.end(), expected.begin() + (3 * parity + 1) * one));
          }
          field.columns(2, 1).odd() = field.columns(0, 1).odd();
          const std::size_t one = expected.size() / 6;
          std::copy_n(expected.begin() + 3 * one, one, expected.begin() + 5 * one);
          EXPECT_EQ(support::host_array(field), expected);
        }
  });
}

TEST(Columns, StructureOfTheInnerExtentIsOneOrder)
{
  support::on_targets([] {
    const support::Place place(reference::Lattice(shapes[0]), make_single_communicator());
    const ColorSpinorField layered(param_of(place, {4, 3, 3, 2}, 2, SiteSubset::full));
    ColorSpinorField a(layered.param());
    const Numbers numbers = some_numbers(a, 3);
    support::set_from_host(a, numbers);
    EXPECT_EQ(a.layers(), 6);
    EXPECT_EQ(a.inner(), 12);
    ColorSpinorField b(param_of(place, {4, 3, 1, 1}, 12, SiteSubset::full)); // entry i = (rhs 3 + slice) 2 + flavour
    support::set_from_host(b, numbers);
    for (const int rhs : {0, 1})
      EXPECT_EQ(support::host_array(a.columns(rhs, 1)), support::host_array(b.columns(6 * rhs, 6)));
  });
}
