/// Linear algebra with one coefficient and one sum a right-hand side: against the plain reference, in any order of the
/// right-hand sides, on ranges of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "blas/formulas.h"

using namespace quda;
using namespace blas_tests;

namespace
{

/// The numbers of a field with right-hand side order[j] at place j.
Numbers reordered(const Numbers &all, const Shape &shape, const std::vector<int> &order)
{
  const std::size_t parities = shape.parity < 0 ? 2 : 1, n = all.size() / (parities * shape.rhs);
  Numbers result;
  for (std::size_t p = 0; p < parities; p++)
    for (const int j : order) {
      const auto from = all.begin() + static_cast<long>((p * shape.rhs + j) * n);
      result.insert(result.end(), from, from + static_cast<long>(n));
    }
  return result;
}

/// Those of right-hand side j.
Numbers part_of(const Numbers &all, const Shape &shape, int j) { return reordered(all, shape, {j}); }

/// Numbers of `rhs` right-hand sides, an equal number each, in another order or only some of them.
template <class T> std::vector<T> permuted(const std::vector<T> &v, const std::vector<int> &order, int rhs)
{
  const long n = static_cast<long>(v.size()) / rhs;
  std::vector<T> w;
  for (const int j : order) w.insert(w.end(), v.begin() + j * n, v.begin() + (j + 1) * n);
  return w;
}

Lists permuted(const Lists &c, const std::vector<int> &order)
{
  const int rhs = static_cast<int>(c.a.size());
  return {permuted(c.a, order, rhs), permuted(c.b, order, rhs), permuted(c.c, order, rhs), permuted(c.ca, order, rhs),
          permuted(c.cb, order, rhs)};
}

double distance(const Numbers &numbers, const reference::blas::Vector &expected)
{
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); i++) {
    const double here = std::abs(reference::blas::Number(numbers[2 * i], numbers[2 * i + 1]) - expected[i]);
    if (!(here <= largest)) largest = here; // a NaN comes through
  }
  return largest;
}

const struct {
  reference::Coords extents;
  Shape shape;
} cases[] = {
    {{2, 4, 6, 8}, {4, 3, 1, -1, Precision::double_, 1, 2}},  {{6, 6, 6, 6}, {1, 3, 3, 0, Precision::single, 1, 1}},
    {{2, 4, 6, 8}, {1, 3, 3, -1, Precision::double_, 2, 1}},  {{4, 4, 4, 10}, {2, 1, 12, 1, Precision::single, 1, 2}},
    {{2, 2, 2, 6}, {4, 3, 12, -1, Precision::double_, 1, 1}}, {{2, 4, 6, 8}, {4, 3, 3, -1, Precision::half, 2, 1}},
};

} // namespace

TEST(BlasBlocks, AgreeWithTheReference)
{
  const Launches untuned("");
  for (const auto &[extents, shape] : cases) {
    const auto numbers = random_numbers(place_of(extents), shape, 0, n_fields);
    const Lists lists = lists_of(shape.rhs);
    const double bar = shape.precision == Precision::double_  ? 1e-13
                       : shape.precision == Precision::single ? 1e-5
                                                              : 2e-4;
    for (const Formula &formula : block_formulas()) {
      SCOPED_TRACE(testing::Message() << formula.name << " rhs " << shape.rhs << " precision "
                                      << bytes_of(shape.precision));
      std::vector<Vectors> expected;
      Sums sums;
      for (int j = 0; j < shape.rhs; j++) {
        Vectors v;
        for (const Numbers &n : numbers) v.push_back(complex_of(part_of(n, shape, j)));
        const Sums s = formula.plain(v, one_of(j));
        sums.insert(sums.end(), s.begin(), s.end());
        expected.push_back(std::move(v));
      }
      support::on_targets([&] {
        const Outcome found = outcome(formula, place_of(extents), shape, numbers, lists);
        for (int f = 0; f < n_fields; f++)
          for (int j = 0; j < shape.rhs; j++)
            EXPECT_LE(distance(part_of(found.fields[f], shape, j), expected[j][f]), bar) << "field " << f << " " << j;
        ASSERT_EQ(found.sums.size(), sums.size());
        for (std::size_t i = 0; i < sums.size(); i++)
          EXPECT_NEAR(found.sums[i], sums[i], bar * static_cast<double>(expected[0][0].size())) << "sum " << i;
      });
    }
  }
}

/// Permuted right-hand sides give permuted bits, one alone gives its own, under any launch on any target.
TEST(BlasBlocks, AreTheSameBitsInAnyOrder)
{
  for (const auto &[extents, shape] : cases) {
    const auto numbers = random_numbers(place_of(extents), shape, 0, n_fields);
    const Lists lists = lists_of(shape.rhs);
    std::vector<int> order(shape.rhs);
    for (int j = 0; j < shape.rhs; j++) order[j] = (5 * j + 1) % shape.rhs;
    std::vector<Numbers> other;
    for (const Numbers &n : numbers) other.push_back(reordered(n, shape, order));
    Shape one = shape;
    one.rhs = 1;
    std::vector<Outcome> first;
    for (const char *force : {"tile=1,threads=1", "tile=5,prefetch=1,streaming=1,schedule=1,threads=2"}) {
      const Launches launches(force);
      support::on_targets([&] {
        const support::Place place = place_of(extents);
        for (std::size_t k = 0; k < block_formulas().size(); k++) {
          const Formula &formula = block_formulas()[k];
          SCOPED_TRACE(testing::Message() << formula.name << " rhs " << shape.rhs << " " << force);
          const Outcome here = outcome(formula, place, shape, numbers, lists);
          if (first.size() == k) first.push_back(here);
          EXPECT_EQ(here.fields, first[k].fields);
          EXPECT_EQ(here.sums, first[k].sums);
          const Outcome there = outcome(formula, place, shape, other, permuted(lists, order));
          for (int f = 0; f < n_fields; f++) EXPECT_EQ(there.fields[f], reordered(here.fields[f], shape, order));
          EXPECT_EQ(there.sums, permuted(here.sums, order, shape.rhs));

          std::vector<Numbers> last;
          for (const Numbers &n : numbers) last.push_back(part_of(n, shape, shape.rhs - 1));
          const Outcome alone = outcome(formula, place, one, last, permuted(lists, {shape.rhs - 1}));
          for (int f = 0; f < n_fields; f++) EXPECT_EQ(alone.fields[f], part_of(here.fields[f], shape, shape.rhs - 1));
          const std::size_t n = here.sums.size() / shape.rhs;
          EXPECT_EQ(alone.sums, Sums(here.sums.end() - static_cast<long>(n), here.sums.end()));
        }
      });
    }
  }
}

/// A range of right-hand sides is an operand like any other, and what lies between is left alone.
TEST(BlasBlocks, WorkOnRangesOfRightHandSides)
{
  const Launches untuned("");
  for (const auto &[extents, shape] : cases) {
    if (shape.rhs < 3) continue;
    support::on_targets([&] {
      const support::Place place = place_of(extents);
      const auto numbers = random_numbers(place, shape, 0, n_fields);
      const int first = 1, count = shape.rhs - 2;
      Shape part = shape;
      part.rhs = count;
      std::vector<int> order(count);
      std::iota(order.begin(), order.end(), first);
      std::vector<Numbers> dense;
      for (const Numbers &n : numbers) dense.push_back(reordered(n, shape, order));
      const Lists lists = lists_of(count);
      for (const Formula &formula : block_formulas()) {
        SCOPED_TRACE(formula.name);
        const Outcome right = outcome(formula, place, part, dense, lists);
        Fields fields, columns;
        for (const Numbers &n : numbers) fields.push_back(field_with(place, shape, n));
        std::vector<Numbers> before;
        for (const auto &field : fields) before.push_back(support::host_array(field));
        // the second operand has no gaps where the others have
        for (int f = 0; f < n_fields; f++)
          columns.push_back(f == 1 ? field_with(place, part, dense[f]) : fields[f].columns(first, count));
        EXPECT_EQ(formula.block(columns, lists), right.sums);
        for (int f = 0; f < n_fields; f++) {
          EXPECT_EQ(support::host_array(columns[f]), right.fields[f]) << "field " << f;
          const Numbers all = support::host_array(fields[f]);
          for (const int j : {0, shape.rhs - 1})
            EXPECT_EQ(part_of(all, shape, j), part_of(before[f], shape, j)) << "field " << f << " " << j;
        }
      }
      ColorSpinorField x = field_with(place, shape, numbers[0]);
      const Numbers at_first = support::host_array(x);
      const ColorSpinorField two = x.columns(0, 1);
      ColorSpinorField three = x.columns(1, 1);
      blas::axpy(1, two, three); // columns of one field that have nothing in common
      blas::zero(three);
      const Numbers left = support::host_array(x);
      EXPECT_EQ(part_of(left, shape, 0), part_of(at_first, shape, 0));
      EXPECT_EQ(part_of(left, shape, 1), Numbers(part_of(at_first, shape, 1).size(), 0.0));
      EXPECT_EQ(part_of(left, shape, 2), part_of(at_first, shape, 2));
    });
  }
}

TEST(BlasBlocks, OneNumberServesAll)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    const Shape shape {4, 3, 3, -1, Precision::double_};
    Fields f = random_fields(place, shape, 2), g = random_fields(place, shape, 2);
    blas::axpy(0.7, f[0], f[1]);
    blas::axpy(std::vector<double>(3, 0.7), g[0], g[1]);
    EXPECT_EQ(support::host_array(f[1]), support::host_array(g[1]));
    blas::caxpy(blas::Complex(0.7, 0.1), f[0], f[1]);
    blas::caxpy(std::vector<blas::Complex>(3, {0.7, 0.1}), g[0], g[1]);
    EXPECT_EQ(support::host_array(f[1]), support::host_array(g[1]));
    // the sum over a whole field, with a coefficient for each
    EXPECT_EQ(blas::axpyNorm2(std::vector<double>(3, 0.7), g[0], g[1]), blas::axpyNorm2(0.7, f[0], f[1]));
  });
}

/// What is not a number stays in its right-hand side.
TEST(BlasBlocks, LetInfinitiesAndNoNumbersThroughWhereTheyAre)
{
  const Launches untuned("");
  support::on_targets([] {
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const support::Place place = place_of({2, 4, 6, 8});
      const Shape shape {4, 3, 12, -1, precision};
      std::vector<double> numbers = random_numbers(place, shape, 1);
      const std::vector<double> right = blas::block::norm2(field_with(place, shape, numbers));
      const std::size_t one = numbers.size() / 24; // of a parity and right-hand side
      numbers[3 * one + 7] = INFINITY;
      numbers[(12 + 5) * one] = NAN;
      const std::vector<double> found = blas::block::norm2(field_with(place, shape, numbers));
      for (int j = 0; j < 12; j++) {
        if (j == 3)
          EXPECT_EQ(found[j], INFINITY);
        else if (j == 5)
          EXPECT_TRUE(std::isnan(found[j]));
        else
          EXPECT_EQ(found[j], right[j]);
      }
    }
  });
}

TEST(BlasBlocks, HeavyQuarkResidual)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    const Shape shape {4, 3, 3, -1, Precision::double_, 2};
    std::vector<Numbers> numbers = random_numbers(place, shape, 0, 2);
    std::fill_n(numbers[0].begin(), 24, 0.0); // a site without solution counts 1
    std::vector<double> expected;
    for (int j = 0; j < 3; j++) {
      const Numbers x = part_of(numbers[0], shape, j), r = part_of(numbers[1], shape, j);
      double sum = 0;
      for (std::size_t site = 0; site < x.size() / 24; site++) {
        double xx = 0, rr = 0;
        for (std::size_t k = 24 * site; k < 24 * (site + 1); k++) xx += x[k] * x[k], rr += r[k] * r[k];
        sum += xx == 0 ? 1 : rr / xx;
      }
      expected.push_back(std::sqrt(sum / static_cast<double>(x.size() / 24)));
    }
    const auto found =
        blas::block::heavy_quark(field_with(place, shape, numbers[0]), field_with(place, shape, numbers[1]));
    ASSERT_EQ(found.size(), 3u);
    for (int j = 0; j < 3; j++) EXPECT_NEAR(found[j], expected[j], 1e-13) << j;
  });
}
