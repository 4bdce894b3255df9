/// Linear algebra that mixes right-hand sides and fields, and goes between precisions.

#include <gtest/gtest.h>

#include <cmath>

#include "blas/cancelling.h"
#include "blas/fields.h"
#include "ops/blas/block.h"
#include "support/refused.h"

using namespace quda;
using namespace blas_tests;
namespace block = quda::blas::block;
using Complex = quda::blas::Complex;

namespace
{

ColorSpinorField like(const ColorSpinorField &x)
{
  ColorSpinorField y(x.param());
  blas::copy(y, x);
  return y;
}

/// Fields of any number of right-hand sides: odd extents, layers, one parity.
const struct {
  reference::Coords extents;
  Shape shape;
} cases[] = {{{2, 4, 6, 8}, {4, 3, 3, -1, Precision::double_}},
             {{2, 2, 2, 6}, {1, 3, 18, 1, Precision::single, 1, 2}},
             {{4, 4, 4, 10}, {2, 1, 5, -1, Precision::single, 2, 1}},
             {{4, 4, 4, 8}, {4, 3, 2, -1, Precision::double_}}, // a site fills several registers of floats
             {{2, 4, 6, 8}, {4, 3, 1, 0, Precision::double_}}};

double bar_of(Precision precision) { return precision == Precision::double_ ? 1e-14 : 1e-5; }

blas::Matrix random_matrix(int rows, int columns)
{
  reference::SiteRandom random(5, rows, columns);
  blas::Matrix a(rows, columns);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      const double re = static_cast<float>(random.uniform() - 0.5), im = static_cast<float>(random.uniform() - 0.5);
      a(i, j) = {re, im};
    }
  return a;
}

} // namespace

/// Against <x_i, y_j> of one pair at a time, which has a reference.
TEST(BlasColumns, GramIsAllInnerProducts)
{
  const Launches untuned("");
  for (const auto &[extents, shape] : cases)
    support::on_targets([&] {
      const support::Place place = place_of(extents);
      Shape wide = shape;
      wide.rhs = shape.rhs + 1;
      const ColorSpinorField x = random_field(place, shape, 1), y = random_field(place, wide, 2);
      const blas::Matrix g = block::gram_rhs(x, y), h = block::gram_rhs(y, x), own = block::gram_rhs(x, x);
      ASSERT_EQ(g.rows(), x.rhs());
      ASSERT_EQ(g.columns(), y.rhs());
      const double bar = bar_of(shape.precision) * static_cast<double>(x.sites() * x.layers() * x.reals());
      for (int i = 0; i < x.rhs(); i++) {
        EXPECT_EQ(own(i, i).imag(), 0.0);
        for (int j = 0; j < x.rhs(); j++) EXPECT_EQ(own(i, j), std::conj(own(j, i)));
        for (int j = 0; j < y.rhs(); j++) {
          EXPECT_LE(std::abs(g(i, j) - blas::cdot(x.columns(i, 1), y.columns(j, 1))), bar) << i << " " << j;
          EXPECT_EQ(g(i, j), std::conj(h(j, i)));
        }
      }
      // fields in lists: the pairs of each right-hand side, to the bit
      const ColorSpinorField z = y.columns(1, shape.rhs);
      const ColorSpinorField *const v[] = {&x, &z}, *const w[] = {&z, &x, &z};
      const std::vector<blas::Matrix> lists = block::gram(v, w);
      ASSERT_EQ(lists.size(), static_cast<std::size_t>(x.rhs()));
      for (int j = 0; j < x.rhs(); j++) {
        EXPECT_EQ(lists[j](0, 0), g(j, j + 1));
        EXPECT_EQ(lists[j](0, 1), own(j, j));
        EXPECT_EQ(lists[j](0, 2), g(j, j + 1));
        EXPECT_EQ(lists[j](1, 1), h(j + 1, j));
      }
    });
}

/// Pairs that are conjugates of others are not computed: the bits are those of columns that lie elsewhere.
TEST(BlasColumns, GramOfListsThatShareColumns)
{
  const Launches untuned("");
  for (const int many : {1, 2, 3, 8, 18})
    support::on_targets([&] {
      const support::Place place = place_of({2, 2, 4, 6});
      const ColorSpinorField x = random_field(place, {1, 3, many + 2, -1, Precision::single}, 1), copy = like(x);
      const ColorSpinorField same = x.columns(0, many), more = x.columns(0, many + 2);
      for (const auto &[a, b, other] : {std::tuple(&same, &more, &copy), std::tuple(&more, &same, &copy)}) {
        const blas::Matrix found = block::gram_rhs(*a, *b);
        const blas::Matrix right = block::gram_rhs(*a, other->columns(0, b->rhs()));
        for (int i = 0; i < a->rhs(); i++)
          for (int j = 0; j < b->rhs(); j++) EXPECT_EQ(found(i, j), right(i, j)) << many << ": " << i << " " << j;
      }
    });
}

/// Right-hand sides in another order: the same bits in another order, under any launch on any target.
TEST(BlasColumns, GramIsTheSameBitsEverywhere)
{
  const Shape shape {4, 3, 5, -1, Precision::double_};
  std::vector<Complex> first;
  for (const char *force : {"tile=1,threads=1", "tile=3,schedule=1,threads=2", "tile=64,threads=2"}) {
    const Launches launches(force);
    support::on_targets([&] {
      const support::Place place = place_of({2, 4, 6, 8});
      ColorSpinorField x = random_field(place, shape, 1), y = random_field(place, shape, 2);
      const blas::Matrix g = block::gram_rhs(x, y);
      std::vector<Complex> all;
      for (int i = 0; i < 5; i++) all.insert(all.end(), g.row(i).begin(), g.row(i).end());
      if (first.empty()) first = all;
      EXPECT_EQ(all, first) << force;
      block::swap(x, 0, 3);
      const blas::Matrix h = block::gram_rhs(x, y);
      for (int j = 0; j < 5; j++) {
        EXPECT_EQ(h(0, j), g(3, j));
        EXPECT_EQ(h(3, j), g(0, j));
        EXPECT_EQ(h(1, j), g(1, j));
      }
    });
  }
}

/// 16 x 16 products that cancel over 180 orders of magnitude, as rational arithmetic has them.
TEST(BlasColumns, GramIsRoundedOnce)
{
  const Launches untuned("threads=2");
  for (const Cancelling &c : cancelling)
    support::on_targets([&] {
      const support::Place place = place_of({4, 4, 4, 8});
      const ColorSpinorField x = field_with(place, c.shape, cancelling_numbers(c, place, 0));
      const ColorSpinorField y = field_with(place, c.shape, cancelling_numbers(c, place, 1));
      const blas::Matrix g = block::gram_rhs(x, y);
      for (int i = 0; i < c.shape.rhs; i++)
        for (int j = 0; j < c.shape.rhs; j++) EXPECT_EQ(g(i, j), cancelled(c, place, i, j)) << i << " " << j;
    });
}

/// One caxpy after the other, to the bit.
TEST(BlasColumns, CombinationsAreUpdatesOneAfterTheOther)
{
  const Launches untuned("");
  for (const auto &[extents, shape] : cases)
    support::on_targets([&] {
      const support::Place place = place_of(extents);
      Shape wide = shape;
      wide.rhs = shape.rhs + 2;
      const ColorSpinorField x = random_field(place, wide, 1);
      ColorSpinorField y = random_field(place, shape, 2), right = like(y);
      const blas::Matrix a = random_matrix(x.rhs(), y.rhs());
      block::multiply_add(y, x, a);
      for (int i = 0; i < x.rhs(); i++)
        for (int j = 0; j < y.rhs(); j++) {
          ColorSpinorField column = right.columns(j, 1);
          blas::caxpy(a(i, j), x.columns(i, 1), column);
        }
      EXPECT_EQ(support::host_array(y), support::host_array(right));

      std::vector<ColorSpinorField> list;
      std::vector<const ColorSpinorField *> p;
      for (int k = 0; k < 18; k++) list.push_back(random_field(place, shape, 10 + k));
      for (const auto &field : list) p.push_back(&field);
      const blas::Matrix b = random_matrix(18, shape.rhs), one = random_matrix(18, 1);
      block::axpy_many(b, p, y);
      for (int k = 0; k < 18; k++) blas::caxpy(blas::ComplexCoefficients(b.row(k)), list[k], right);
      EXPECT_EQ(support::host_array(y), support::host_array(right));
      block::axpy_many(one, p, y);
      for (int k = 0; k < 18; k++) blas::caxpy(one(k, 0), list[k], right);
      EXPECT_EQ(support::host_array(y), support::host_array(right));
    });
}

TEST(BlasColumns, GoBetweenPrecisions)
{
  const Launches untuned("");
  for (const auto &[extents, shape] : cases)
    support::on_targets([&] {
      const support::Place place = place_of(extents);
      Shape high = shape, low = shape;
      high.precision = Precision::double_;
      low.precision = Precision::single;
      std::vector<double> a;
      for (int j = 0; j < shape.rhs; j++) a.push_back(1.0 / (3 + j));
      const std::size_t parities = shape.parity < 0 ? 2 : 1;
      const auto rhs_of = [&](std::size_t k, std::size_t n) { return k / (n / (parities * shape.rhs)) % shape.rhs; };

      ColorSpinorField y = random_field(place, high, 1), x = random_field(place, low, 2), z = field_of(place, low);
      Numbers right = support::host_array(y);
      const Numbers added = support::host_array(x);
      for (std::size_t k = 0; k < right.size(); k++)
        right[k] = std::fma(a[rhs_of(k, right.size())], added[k], right[k]);
      block::axpy_mixed(a, x, y);
      EXPECT_EQ(support::host_array(y), right);
      const std::vector<Complex> ca(shape.rhs, {1.0 / 3, -1.0 / 7});
      for (std::size_t k = 0; k < right.size(); k += 2) {
        const double re = right[k], im = right[k + 1], u = added[k], v = added[k + 1];
        right[k] = std::fma(1.0 / 7, v, std::fma(1.0 / 3, u, re));
        right[k + 1] = std::fma(-1.0 / 7, u, std::fma(1.0 / 3, v, im));
      }
      block::caxpy_mixed(ca, x, y);
      EXPECT_EQ(support::host_array(y), right);

      block::convert(z, y, a);
      Numbers rounded = right;
      for (std::size_t k = 0; k < right.size(); k++)
        rounded[k] = static_cast<float>(a[rhs_of(k, right.size())] * right[k]);
      EXPECT_EQ(support::host_array(z), rounded);
      block::convert(y, z, 0.5);
      for (double &number : rounded) number *= 0.5;
      EXPECT_EQ(support::host_array(y), rounded);
      block::convert(y, y, 2.0);
      for (double &number : rounded) number *= 2;
      EXPECT_EQ(support::host_array(y), rounded);
    });
}

/// Against single precision on the same numbers: what half precision stores, rounded once more in what is written.
TEST(BlasColumns, TakeHalfPrecision)
{
  const Launches untuned("");
  support::on_targets([&] {
    const support::Place place = place_of({2, 4, 6, 8});
    const Shape low {4, 3, 3, -1, Precision::half}, middle {4, 3, 3, -1, Precision::single}, high {4, 3, 3, -1};
    const auto widened = [&](const ColorSpinorField &half) {
      ColorSpinorField field = field_of(place, middle);
      block::convert(field, half);
      EXPECT_EQ(support::host_array(field), support::host_array(half));
      return field;
    };
    const auto expect_rounded_once = [](const ColorSpinorField &found, const ColorSpinorField &expected) {
      const Numbers a = support::host_array(found), b = support::host_array(expected);
      double most = 0;
      for (const double number : b) most = std::max(most, std::abs(number));
      for (std::size_t k = 0; k < a.size(); k++) ASSERT_NEAR(a[k], b[k], most / 65534 * 1.001) << k;
    };
    const ColorSpinorField x = random_field(place, low, 1), y = random_field(place, low, 2);
    const ColorSpinorField sx = widened(x), sy = widened(y);
    const blas::Matrix g = block::gram_rhs(x, y), expected = block::gram_rhs(sx, sy);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) EXPECT_LE(std::abs(g(i, j) - expected(i, j)), 1e-6 * 24 * 384) << i << " " << j;
    EXPECT_EQ(block::amax(x), block::amax(sx));

    const blas::Matrix a = random_matrix(3, 3);
    ColorSpinorField sum = like(y), single_sum = like(sy);
    block::multiply_add(sum, x, a);
    block::multiply_add(single_sum, sx, a);
    expect_rounded_once(sum, single_sum);
    const ColorSpinorField *const list[] = {&x, &y}, *const single_list[] = {&sx, &sy};
    ColorSpinorField many = random_field(place, low, 3), single_many = widened(many);
    block::axpy_many(random_matrix(2, 3), list, many);
    block::axpy_many(random_matrix(2, 3), single_list, single_many);
    expect_rounded_once(many, single_many);

    const std::vector<double> each = {1.0 / 3, -0.7, 2.5};
    const std::vector<Complex> complex = {{1.0 / 3, 0.2}, {-0.7, 0}, {0, 2.5}};
    for (const Shape &wide : {middle, high}) {
      ColorSpinorField z = random_field(place, wide, 4), right = like(z), from_single = field_of(place, wide);
      block::convert(from_single, sx);
      block::axpy_mixed(each, x, z);
      blas::axpy(each, from_single, right);
      EXPECT_EQ(support::host_array(z), support::host_array(right));
      block::caxpy_mixed(complex, x, z);
      blas::caxpy(complex, from_single, right);
      EXPECT_EQ(support::host_array(z), support::host_array(right));
      ColorSpinorField rounded = field_of(place, low);
      block::convert(rounded, z, each);
      blas::ax(each, z);
      expect_rounded_once(rounded, z);
    }
  });
}

TEST(BlasColumns, LargestMagnitudes)
{
  const Launches untuned("");
  for (const auto &[extents, shape] : cases)
    support::on_targets([&] {
      const support::Place place = place_of(extents);
      Numbers numbers = random_numbers(place, shape, 3);
      const std::size_t parities = shape.parity < 0 ? 2 : 1, one = numbers.size() / (parities * shape.rhs);
      std::vector<double> expected(shape.rhs, 0.0);
      for (std::size_t k = 0; k < numbers.size(); k++) {
        double &most = expected[k / one % shape.rhs];
        most = std::max(most, std::abs(numbers[k]));
      }
      EXPECT_EQ(block::amax(field_with(place, shape, numbers)), expected);
      numbers[one - 1] = -NAN;
      if (shape.rhs > 1) numbers[one] = -INFINITY;
      const auto found = block::amax(field_with(place, shape, numbers));
      EXPECT_TRUE(std::isnan(found[0]));
      if (shape.rhs > 1) {
        EXPECT_EQ(found[1], INFINITY);
      }
      for (int j = 2; j < shape.rhs; j++) EXPECT_EQ(found[j], expected[j]);
    });
}

TEST(BlasColumns, RefuseWhatDoesNotFit)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    const Shape shape {4, 3, 3, -1, Precision::double_};
    Shape other = shape;
    other.rhs = 2;
    ColorSpinorField x = random_field(place, shape, 1), y = random_field(place, other, 2);
    const auto said = [](const auto &call) { return refused(ErrorKind::bad_argument, call); };
    EXPECT_EQ(said([&] { block::multiply_add(y, x, blas::Matrix(2, 3)); }),
              "blas::multiply_add: A is 2 x 3; 3 x 2 is needed");
    EXPECT_EQ(said([&] { block::multiply_add(x, x, blas::Matrix(3, 3)); }),
              "blas::multiply_add: Y is written and may not share memory with X");
    const ColorSpinorField *const list[] = {&x};
    EXPECT_EQ(said([&] { block::axpy_many(blas::Matrix(1, 2), list, y); }),
              "blas::axpy_many: y has rhs = 2, P has 3; they must agree");
    EXPECT_EQ(said([&] {
                blas::axpy(std::vector<double> {1, 2}, x, x);
              }),
              "blas::axpy: 2 coefficients a; fields of 3 right-hand sides need one, or one for each");
    EXPECT_EQ(said([&] { block::swap(x, 0, 3); }), "blas::swap: right-hand side 3 of x, must be 0 to 2");
    Shape single = shape;
    single.precision = Precision::single;
    ColorSpinorField low = random_field(place, single, 3);
    EXPECT_EQ(said([&] { block::axpy_mixed(1, x, low); }),
              "blas::axpy_mixed: x has precision = 8, y has 4; x may not have the higher one");
  });
}
