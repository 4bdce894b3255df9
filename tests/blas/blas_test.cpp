/// Linear algebra on whole fields: every formula against the plain reference, under any launch, on every target.

#include <gtest/gtest.h>

#include <cmath>

#include "blas/formulas.h"

using namespace quda;
using namespace blas_tests;

namespace
{

constexpr Precision precisions[] = {Precision::double_, Precision::single, Precision::half};

/// A formula and what the plain reference makes of five vectors.
struct Expected {
  const Formula *formula;
  Vectors fields;
  Sums sums;
};

std::vector<Expected> expected_of(const std::vector<Numbers> &numbers)
{
  std::vector<Expected> all;
  for (const Formula &formula : formulas()) {
    Expected e {&formula, {}, {}};
    for (const Numbers &n : numbers) e.fields.push_back(complex_of(n));
    e.sums = formula.plain(e.fields, for_all);
    all.push_back(std::move(e));
  }
  return all;
}

void compare(const Outcome &found, const Expected &expected, Precision precision)
{
  const double bar = precision == Precision::double_ ? 1e-14 : precision == Precision::single ? 5e-6 : 2e-4;
  for (int f = 0; f < n_fields; f++) {
    const auto numbers = complex_of(found.fields[f]);
    double largest = 0;
    for (std::size_t i = 0; i < numbers.size(); i++) {
      const double here = std::abs(numbers[i] - expected.fields[f][i]);
      if (!(here <= largest)) largest = here; // a NaN comes through
    }
    EXPECT_LE(largest, bar) << "field " << f;
  }
  ASSERT_EQ(found.sums.size(), expected.sums.size());
  for (std::size_t i = 0; i < expected.sums.size(); i++)
    EXPECT_NEAR(found.sums[i], expected.sums[i], bar * static_cast<double>(expected.fields[0].size())) << "sum " << i;
}

} // namespace

TEST(Blas, AgreesWithTheReference)
{
  const Launches untuned("");
  const struct {
    reference::Coords extents;
    Shape shape;
  } cases[] = {{{2, 4, 6, 8}, {4, 3, 1, -1}}, {{6, 6, 6, 6}, {4, 3, 1, 0}},  {{4, 4, 4, 10}, {1, 3, 3, -1}},
               {{2, 4, 6, 8}, {2, 5, 2, 1}},  {{4, 4, 4, 10}, {1, 1, 1, 0}}, {{8, 8, 4, 8}, {4, 3, 2, -1}}};
  for (const auto &one : cases) {
    const auto numbers = random_numbers(place_of(one.extents), one.shape, 0, n_fields);
    const std::vector<Expected> expected = expected_of(numbers);
    support::on_targets([&] {
      const support::Place place = place_of(one.extents);
      for (const Precision precision : precisions) {
        Shape shape = one.shape;
        shape.precision = precision;
        for (const Expected &e : expected) {
          SCOPED_TRACE(testing::Message()
                       << e.formula->name << " spins " << shape.spins << " colors " << shape.colors << " inner "
                       << shape.inner() << " parity " << shape.parity << " precision " << bytes_of(shape.precision));
          compare(outcome(*e.formula, place, shape, numbers), e, shape.precision);
        }
      }
    });
  }
}

/// One bit pattern, whatever the target, the order of work and the way memory is touched.
TEST(Blas, IsTheSameBitsUnderEveryLaunch)
{
  for (const Precision precision : precisions) {
    const Shape shape {4, 3, 2, -1, precision};
    const reference::Coords extents {4, 4, 4, 8};
    const auto numbers = random_numbers(place_of(extents), shape, 0, n_fields);
    std::vector<Outcome> first;
    for (const char *force : {"tile=32,threads=1", "tile=5,prefetch=1,streaming=1,schedule=1,threads=2",
                              "tile=64,prefetch=4,streaming=0,threads=2"}) {
      const Launches launches(force);
      support::on_targets([&] {
        const support::Place place = place_of(extents);
        for (std::size_t k = 0; k < formulas().size(); k++) {
          const Outcome o = outcome(formulas()[k], place, shape, numbers);
          if (first.size() == k) first.push_back(o);
          EXPECT_EQ(o.fields, first[k].fields) << formulas()[k].name << " " << force;
          EXPECT_EQ(o.sums, first[k].sums) << formulas()[k].name << " " << force;
        }
      });
    }
  }
}

/// Tuning launches a formula many times; what it writes in place must change once.
TEST(Blas, TuningLeavesNoTrace)
{
  support::on_targets([] {
    const support::Place place = place_of({4, 4, 4, 8});
    const Shape shape;
    const auto numbers = random_numbers(place, shape, 0, n_fields);
    for (const char *name : {"copy", "axpy", "caxpbypzYmbw", "caxpyXmazNorm"})
      for (const Formula &formula : formulas()) {
        if (std::string(formula.name) != name) continue;
        SCOPED_TRACE(name);
        const Outcome tuned = outcome(formula, place, shape, numbers);
        const Outcome known = outcome(formula, place, shape, numbers);
        const Launches untuned("");
        const Outcome plain = outcome(formula, place, shape, numbers);
        EXPECT_EQ(tuned.fields, plain.fields);
        EXPECT_EQ(tuned.sums, plain.sums);
        EXPECT_EQ(known.fields, plain.fields);
        EXPECT_EQ(known.sums, plain.sums);
      }
  });
}

TEST(Blas, MultipliesAndAddsWithOneRounding)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    const double third = 1.0 / 3.0;
    Fields f = random_fields(place, Shape(), 3);
    const auto x = support::host_array(f[0]), y = support::host_array(f[1]);
    blas::axpyz(third, f[0], f[1], f[2]);
    const auto z = support::host_array(f[2]);
    blas::xpay(f[0], third, f[1]);
    const auto w = support::host_array(f[1]);
    for (std::size_t i = 0; i < x.size(); i++) {
      ASSERT_EQ(z[i], std::fma(third, x[i], y[i]));
      ASSERT_EQ(w[i], std::fma(third, y[i], x[i]));
    }
  });
}

TEST(Blas, CopiesEveryBit)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    ColorSpinorField x = field_of(place, Shape()), z = field_of(place, Shape());
    std::vector<double> numbers(x.sites() * x.reals(), -0.0);
    numbers[1] = INFINITY;
    numbers[2] = 5e-324;
    support::set_from_host(x, numbers);
    blas::copy(z, x);
    const auto copy = support::host_array(z);
    EXPECT_EQ(copy, numbers);
    EXPECT_TRUE(std::signbit(copy[0]));
  });
}

TEST(Blas, MarksWhatItWrites)
{
  const Launches untuned("");
  support::on_targets([] {
    const support::Place place = place_of({2, 4, 6, 8});
    Fields f = random_fields(place, Shape(), 4);
    std::vector<std::uint64_t> before;
    for (const auto &field : f) before.push_back(field.tag());
    blas::caxpbypzYmbw(for_all.ca, f[0], for_all.cb, f[1], f[2], f[3]);
    EXPECT_EQ(f[0].tag(), before[0]);
    EXPECT_NE(f[1].tag(), before[1]);
    EXPECT_NE(f[2].tag(), before[2]);
    EXPECT_EQ(f[3].tag(), before[3]);
  });
}
