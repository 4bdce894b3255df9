#include "core/exact_sum.h"

#include "exact_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <limits>
#include <thread>

using namespace quda;
using exact_numbers::bits;

namespace
{

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double smallest = std::numeric_limits<double>::denorm_min();

/// A signed integer of 2304 bits, bit by bit as by hand, in units of half the smallest subnormal. It shares no idea
/// with what it checks: two's complement, a carry through the whole number at each addition, rounding judged by
/// comparison.
class Whole
{
public:
  static constexpr int words = 72;

  void add(double x)
  {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(x), &exponent); // x = fraction 2^exponent
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    Whole addend;
    for (int b = 0; b < 53; b++) {
      if (!(mantissa >> b & 1)) continue;
      const int place = b + exponent - 53 + 1075;
      addend.word_[place / 32] |= 1u << place % 32;
    }
    if (x < 0) addend = addend.negated();
    *this = *this + addend;
  }

  Whole negated() const
  {
    Whole result;
    for (int i = 0; i < words; i++) result.word_[i] = ~word_[i];
    Whole one;
    one.word_[0] = 1;
    return result + one;
  }

  Whole operator+(const Whole &other) const
  {
    Whole result;
    std::uint64_t carry = 0;
    for (int i = 0; i < words; i++) {
      carry += std::uint64_t {word_[i]} + other.word_[i];
      result.word_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return result;
  }

  /// -1, 0, 1
  int sign() const
  {
    if (word_[words - 1] >> 31) return -1;
    return std::all_of(word_, word_ + words, [](std::uint32_t w) { return w == 0; }) ? 0 : 1;
  }

  /// Is r the double nearest to this, the even one of two equally near?
  bool rounds_to(double r) const
  {
    if (sign() == 0) return bits(r) == bits(0.0);
    for (const double towards : {-inf, inf}) {
      // |this - r| <= |this - next|, that is 2 this <= r + next (>= below); the neighbour of DBL_MAX is 2^1024
      const double next = std::nextafter(r, towards);
      Whole middle;
      if (std::isinf(next)) {
        for (int half = 0; half < 2; half++) middle.add(std::copysign(0x1p1023, next));
      } else {
        middle.add(next);
      }
      middle.add(r);
      const int side = (*this + *this + middle.negated()).sign() * (towards > 0 ? 1 : -1);
      if (side > 0) return false;
      if (side == 0 && (bits(r) & 1)) return false;
    }
    return true;
  }

private:
  std::uint32_t word_[words] = {};
};

ExactLimbs sum_of(const std::vector<double> &numbers)
{
  ExactLimbs sum = {};
  for (const double x : numbers) exact_add(sum, x);
  return sum;
}

double value_of(const std::vector<double> &numbers) { return exact_value(sum_of(numbers)); }

} // namespace

TEST(ExactSum, SingleNumbersComeBack)
{
  for (const double x : {0.0, 1.0, -1.0, 0.1, 3.0e-310, smallest, -smallest, DBL_MIN, DBL_MAX, -DBL_MAX,
                         0x1.fffffffffffffp-1022, 0x1p32, 0x1.fffffffffffffp31, 0x1p-32})
    EXPECT_EQ(bits(value_of({x})), bits(x)) << x;
  exact_numbers::Draws draws(1);
  for (int i = 0; i < 100000; i++) {
    const double x = draws.number(-1074, 1023);
    ASSERT_EQ(bits(value_of({x})), bits(x)) << x;
  }
}

TEST(ExactSum, Zeros)
{
  EXPECT_EQ(bits(exact_value(ExactLimbs {})), bits(0.0));
  EXPECT_EQ(bits(value_of({-0.0, -0.0})), bits(0.0));
  EXPECT_EQ(bits(value_of({1.5, -1.5})), bits(0.0));
  EXPECT_EQ(bits(value_of({-0.0, -2.0})), bits(-2.0));
}

TEST(ExactSum, RoundsOnceToNearestEven)
{
  EXPECT_EQ(value_of({1.0, 0x1p-53}), 1.0);
  EXPECT_EQ(value_of({1.0 + DBL_EPSILON, 0x1p-53}), 1.0 + 2 * DBL_EPSILON);
  EXPECT_EQ(value_of({1.0, 0x1p-53, smallest}), 1.0 + DBL_EPSILON);
  EXPECT_EQ(value_of({1.0, 0x1p-53, -smallest}), 1.0);
  EXPECT_EQ(value_of({1.0, 0x1p-53, 0x1p-70}), 1.0 + DBL_EPSILON);
  EXPECT_EQ(value_of({-1.0, -0x1p-53, -smallest}), -1.0 - DBL_EPSILON);
  EXPECT_EQ(value_of({0x1p1000, 1.0, -0x1p1000}), 1.0);
  EXPECT_EQ(value_of({smallest, smallest, -0x1p-1022, 0x1p-1022}), 2 * smallest);
}

TEST(ExactSum, Overflow)
{
  EXPECT_EQ(value_of({DBL_MAX, DBL_MAX, -DBL_MAX}), DBL_MAX);
  EXPECT_EQ(value_of({-DBL_MAX, DBL_MAX, -DBL_MAX}), -DBL_MAX);
  EXPECT_EQ(value_of({DBL_MAX, DBL_MAX}), inf);
  EXPECT_EQ(value_of({-DBL_MAX, -DBL_MAX}), -inf);
  EXPECT_EQ(value_of({DBL_MAX, 0x1p970}), inf); // half a unit above: to even
  EXPECT_EQ(value_of({DBL_MAX, 0x1p970, -smallest}), DBL_MAX);
  EXPECT_EQ(value_of({DBL_MAX, 0x1p969}), DBL_MAX);
}

TEST(ExactSum, InfinityAndNaNComeThrough)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(value_of({1.0, inf, -DBL_MAX}), inf);
  EXPECT_EQ(value_of({1.0, -inf, DBL_MAX, -inf}), -inf);
  EXPECT_TRUE(std::isnan(value_of({inf, 1.0, -inf})));
  EXPECT_TRUE(std::isnan(value_of({1.0, nan})));
  EXPECT_TRUE(std::isnan(value_of({inf, -nan})));

  ExactLimbs a = sum_of({inf}), b = sum_of({-inf});
  exact_normalise(a);
  exact_merge(a, b);
  EXPECT_TRUE(std::isnan(exact_value(a)));

  ExactLimbs c = sum_of({1.0});
  exact_merge(c, sum_of({nan}));
  EXPECT_TRUE(std::isnan(exact_value(c)));
}

TEST(ExactSum, RandomSumsAgreeWithWholeNumbers)
{
  exact_numbers::Draws draws(99);
  for (int trial = 0; trial < 3000; trial++) {
    // narrow ranges give ties and cancellation, wide ones reach both ends
    const int low = -1074 + static_cast<int>(draws.next() % 2000);
    const int high = std::min(low + static_cast<int>(draws.next() % 120), 1020);
    const int count = 1 + static_cast<int>(draws.next() % 9);
    ExactLimbs sum = {};
    Whole whole;
    double first = 0.0;
    for (int i = 0; i < count; i++) {
      double x = draws.number(std::min(low, high), high);
      if (draws.next() % 4 == 0) x = std::ldexp(1.0, std::ilogb(x));
      if (i == 0) first = x;
      if (i == count - 1 && trial % 3 == 0) x = -first;
      exact_add(sum, x);
      whole.add(x);
    }
    ASSERT_TRUE(whole.rounds_to(exact_value(sum))) << "trial " << trial;
    exact_normalise(sum);
    ASSERT_TRUE(whole.rounds_to(exact_value(sum))) << "trial " << trial;
  }
}

TEST(ExactSum, MillionNumbersInHundredOrders)
{
  std::vector<double> numbers = exact_numbers::million();
  ASSERT_EQ(numbers.size(), 1000000u);
  Whole whole;
  for (const double x : numbers) whole.add(x);
  EXPECT_TRUE(whole.rounds_to(exact_numbers::sum));

  int plain_right = 0;
  for (int order = 0; order < 100; order++) {
    exact_numbers::shuffle(numbers, static_cast<std::uint64_t>(order));
    const int parts = 1 + order % 4;
    std::vector<ExactLimbs> sums(static_cast<std::size_t>(parts));
    std::vector<std::thread> threads;
    for (int part = 0; part < parts; part++)
      threads.emplace_back([&, part] {
        ExactLimbs sum = {};
        const std::size_t n = numbers.size(), p = static_cast<std::size_t>(part), all = static_cast<std::size_t>(parts);
        for (std::size_t i = n * p / all; i < n * (p + 1) / all; i++) exact_add(sum, numbers[i]);
        if (order % 2) exact_normalise(sum);
        sums[p] = sum;
      });
    for (std::thread &thread : threads) thread.join();
    for (int part = 1; part < parts; part++) exact_merge(sums[0], sums[static_cast<std::size_t>(part)]);
    ASSERT_EQ(bits(exact_value(sums[0])), bits(exact_numbers::sum)) << "order " << order;

    double plain = 0.0;
    for (const double x : numbers) plain += x;
    if (plain == exact_numbers::sum) plain_right++;
  }
  EXPECT_EQ(plain_right, 0) << "the numbers ask for nothing special";
}

TEST(ExactSum, NormalisedFormIsUnique)
{
  std::vector<double> numbers = {1e300, -1e-300, 3.5, -1e300, 2.0, 1e17, -7e-12};
  ExactLimbs first = sum_of(numbers);
  exact_normalise(first);
  std::reverse(numbers.begin(), numbers.end());
  ExactLimbs second = sum_of(numbers);
  exact_normalise(second);
  EXPECT_EQ(std::memcmp(&first, &second, sizeof first), 0);
  ExactLimbs large = sum_of({-DBL_MAX, -DBL_MAX, smallest});
  exact_normalise(large);
  EXPECT_EQ(large.limb[exact_limb_count - 1], -1);
  for (const ExactLimbs &sum : {first, large})
    for (int k = 0; k < exact_limb_count - 1; k++) {
      EXPECT_GE(sum.limb[k], 0) << k;
      EXPECT_LT(sum.limb[k], 1LL << exact_limb_bits) << k;
    }
}

TEST(ExactSum, LimbsAddAsIntegersOverManyRanks)
{
  // 2^20 ranks, all with the largest digits there are, and as many with the opposite sign and one more
  ExactLimbs mine = sum_of({DBL_MAX, -smallest});
  exact_normalise(mine);
  ExactLimbs total = {};
  const auto *from = reinterpret_cast<const long long *>(&mine);
  auto *to = reinterpret_cast<long long *>(&total);
  for (int w = 0; w < exact_words; w++)
    ASSERT_FALSE(__builtin_mul_overflow(from[w], 1LL << 20, &to[w])) << "word " << w;
  EXPECT_LE(total.weight, exact_weight_limit);
  EXPECT_EQ(exact_value(total), inf);

  ExactLimbs opposite = sum_of({-DBL_MAX, smallest});
  for (int doubled = 0; doubled < 20; doubled++) exact_merge(opposite, opposite);
  exact_add(opposite, 0.1);
  exact_merge(total, opposite);
  EXPECT_EQ(bits(exact_value(total)), bits(0.1));
}

TEST(ExactSum, HeadroomIsKept)
{
  // doubling reaches the weight limit 33 times over; limbs stay within 2^62 and the sum stays exact
  ExactLimbs sum = sum_of({1.0 - 0x1p-53, 0x1p-53});
  for (int doubled = 0; doubled < 63; doubled++) {
    exact_merge(sum, sum);
    ASSERT_LE(sum.weight, exact_weight_limit);
    for (const long long limb : sum.limb) ASSERT_LE(std::llabs(limb), 1LL << 62);
    ASSERT_EQ(exact_value(sum), std::ldexp(1.0, doubled + 1));
  }
  // and 2^63 times the largest number fits
  ExactLimbs large = sum_of({-DBL_MAX}), back = sum_of({DBL_MAX});
  for (int doubled = 0; doubled < 63; doubled++) {
    exact_merge(large, large);
    exact_merge(back, back);
  }
  EXPECT_EQ(exact_value(large), -inf);
  exact_add(back, 1.0);
  exact_merge(large, back);
  EXPECT_EQ(exact_value(large), 1.0);
}

TEST(ExactSum, AdditionsPassTheWeightLimit)
{
  ExactLimbs sum = {};
  sum.weight = exact_weight_limit - 1000; // what a kernel that added nearly as many as it may would hand over
  const long n = 1L << 20;
  for (long i = 0; i < n; i++) exact_add(sum, 0.1);
  EXPECT_EQ(exact_value(sum), 0.1 * static_cast<double>(n));
}
