/// Whole-field sums are exact: the bits of the host's accumulator, for any numbers, on every target and launch.

#include <cfloat>
#include <cmath>
#include <limits>
#include <random>
#include <algorithm>

#include "core/exact_sum.h"
#include "kernel_ops/every_target.h"
#include "kernel_ops/tables.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(SumTable, sum_entries)

namespace
{

  constexpr unsigned ny = 2;

  unsigned long long bits(double x)
  {
    unsigned long long b;
    std::memcpy(&b, &x, 8);
    return b;
  }

  /// Sums `entries`, one a site, on the target in use and on the host: n sites, `active` of each register's lanes in
  /// use, the others NaN.
  template <class T> void expect_exact(const std::vector<T> &entries)
  {
    const int w = target().width(sizeof(T) == 8 ? Precision::double_ : Precision::single);
    ExactLimbs expected[sums] = {};
    for (const T x : entries) {
      exact_add(expected[0], static_cast<double>(x));
      exact_add(expected[1], static_cast<double>(-(x + x)));
    }
    for (ExactLimbs &sum : expected) exact_normalise(sum);
    for (int active : {w, w / 2, 1}) {
      if (active == 0 || (entries.size() > 10000 && active < w)) continue;
      const std::size_t registers = (entries.size() + active - 1) / active;
      const unsigned nx = static_cast<unsigned>((registers + ny - 1) / ny);
      std::vector<T> stored(static_cast<std::size_t>(nx) * ny * w, std::numeric_limits<T>::quiet_NaN());
      for (std::size_t i = 0; i < static_cast<std::size_t>(nx) * ny * active; i++)
        stored[i / active * w + i % active] = i < entries.size() ? entries[i] : T(0);
      TargetArray<T> in(stored);
      const SumCall call = {{nx, ny, 1}, active, in.data()};
      std::vector<TuneParam> launches = some_launches();
      if (entries.size() > 1000) launches = {launches.front(), launches[launches.size() / 2], launches.back()};
      launches.push_back(launches.back());
      launches.back().grid[0] = 2;
      for (const TuneParam &tp : launches) {
        SCOPED_TRACE(described(tp) + ", active " + std::to_string(active));
        ExactLimbs sum[sums] = {};
        if constexpr (sizeof(T) == 8)
          sum_entries().in_double(tp, call, sum);
        else
          sum_entries().in_single(tp, call, sum);
        for (int i = 0; i < sums; i++) {
          exact_normalise(sum[i]);
          EXPECT_EQ(std::memcmp(sum[i].limb, expected[i].limb, sizeof(sum[i].limb)), 0);
          EXPECT_EQ(bits(exact_value(sum[i])), bits(exact_value(expected[i])))
              << exact_value(sum[i]) << " " << exact_value(expected[i]);
          EXPECT_EQ(sum[i].nan, expected[i].nan);
          EXPECT_EQ(sum[i].positive_infinity, expected[i].positive_infinity);
          EXPECT_EQ(sum[i].negative_infinity, expected[i].negative_infinity);
        }
      }
    }
  }

  template <class T> std::vector<T> spread(std::size_t n, int low, int high)
  {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> mantissa(-1, 1);
    std::uniform_int_distribution<int> exponent(low, high);
    std::vector<T> numbers(n);
    for (T &x : numbers) x = static_cast<T>(std::ldexp(mantissa(random), exponent(random)));
    return numbers;
  }

} // namespace

TEST(Sum, alike)
{
  on_every_target([] {
    expect_exact(spread<double>(2001, 0, 3));
    expect_exact(spread<float>(2001, 0, 3));
    expect_exact(spread<double>(2001, -90, -80));
  });
}

/// Groups of a launch do not get into each other's sums, whatever of them a block of a GPU has.
TEST(Sum, groups)
{
  on_every_target([] {
    const int w = target().width(Precision::double_);
    const std::vector<double> numbers = spread<double>(1200, -30, 3);
    std::vector<double> stored(numbers);
    stored.resize((numbers.size() + ny * w - 1) / (ny * w) * ny * w);
    const unsigned nx = static_cast<unsigned>(stored.size() / (ny * w));
    TargetArray<double> in(stored);
    for (const unsigned groups : {1u, 2u, 3u, 5u, 8u, 15u, 17u})
      for (const int block : {0, 32, 64, 128, 512, 1024}) {
        TuneParam tp {};
        tp.block[0] = block;
        SCOPED_TRACE(described(tp) + ", groups " + std::to_string(groups));
        std::vector<ExactLimbs> sum(sums * groups), expected(sums * groups);
        for (unsigned z = 0; z < groups; z++)
          for (const double x : numbers) {
            exact_add(expected[sums * z], std::ldexp(x, static_cast<int>(z)));
            exact_add(expected[sums * z + 1], -std::ldexp(x, static_cast<int>(z) + 1));
          }
        sum_entries().in_groups(tp, {{nx, ny, groups}, w, in.data()}, sum.data());
        for (std::size_t i = 0; i < sum.size(); i++)
          EXPECT_EQ(bits(exact_value(sum[i])), bits(exact_value(expected[i]))) << "sum " << i;
      }
  });
}

TEST(Sum, many)
{
  on_every_target([] {
    expect_exact(spread<double>(100000, -3, 0));
    expect_exact(std::vector<double>(100000, 1.0 - DBL_EPSILON / 2)); // bins fill as fast as they can
    expect_exact(std::vector<double>(100000, -1.0 + DBL_EPSILON / 2));
    expect_exact(std::vector<float>(100000, 1.0f - FLT_EPSILON / 2));
  });
}

/// A window is chosen for the first entries; all the others are as large as it takes.
TEST(Sum, many_that_just_fit)
{
  on_every_target([] {
    for (const double x : {1.0 - DBL_EPSILON / 2, -1.0 + DBL_EPSILON / 2}) {
      std::vector<double> numbers(200000, 0x1p6 * x);
      for (int i = 0; i < 16; i++) numbers[i] = x;
      expect_exact(numbers);
    }
  });
}

TEST(Sum, spread)
{
  on_every_target([] {
    expect_exact(spread<double>(2001, -30, 0)); // the third bin
    expect_exact(spread<double>(2001, -60, 10));
    expect_exact(spread<double>(2001, -200, 200));
    expect_exact(spread<double>(2001, -1070, 1020));
    expect_exact(spread<float>(2001, -140, 120));
  });
}

TEST(Sum, growing_and_shrinking)
{
  on_every_target([] {
    std::vector<double> numbers;
    for (int i = 0; i < 4000; i++) numbers.push_back(std::ldexp(1.0 + i * DBL_EPSILON, i / 4 - 500));
    expect_exact(numbers);
    expect_exact(std::vector<double>(numbers.rbegin(), numbers.rend()));
  });
}

TEST(Sum, cancelling)
{
  on_every_target([] {
    std::vector<double> numbers = spread<double>(1000, -200, 200);
    const std::size_t n = numbers.size();
    for (std::size_t i = 0; i < n; i++) numbers.push_back(-numbers[i]);
    numbers.push_back(0x1p-300);
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(3));
    expect_exact(numbers);
  });
}

TEST(Sum, ends_of_the_range)
{
  on_every_target([] {
    const double tiny = std::numeric_limits<double>::denorm_min();
    expect_exact<double>({});
    expect_exact<double>(std::vector<double>(70, 0.0));
    expect_exact<double>(std::vector<double>(70, -0.0));
    expect_exact<double>({tiny, tiny, -tiny, 3 * tiny});
    expect_exact<double>({DBL_MIN, -tiny, tiny, DBL_MIN / 2, 1.0});
    expect_exact<double>({DBL_MAX / 2, DBL_MAX / 4, -DBL_MAX / 2, 1e-300, 1.0});
    expect_exact<double>({DBL_MAX / 2, tiny});
  });
}

TEST(Sum, special)
{
  on_every_target([] {
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
    std::vector<double> numbers = spread<double>(999, 0, 3);
    numbers[500] = infinity;
    expect_exact(numbers);
    numbers[700] = -infinity;
    expect_exact(numbers);
    numbers[3] = nan;
    expect_exact(numbers);
    numbers[0] = infinity; // before a window was chosen
    expect_exact(numbers);
    expect_exact(std::vector<double>(300, nan));
  });
}

} // namespace quda
