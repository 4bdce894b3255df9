/// Whole-field reductions, exact sums and operators in any order: 200 launches by chance on every target, one and two
/// threads, any number of ranks, one bit pattern, that of plain loops over all ranks' numbers.

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "comms/communicator.h"
#include "comms/replicated_fold.h"
#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "core/fold_parts.h"
#include "kernel_ops/every_target.h"
#include "kernel_ops/tables.h"
#include "targets/table.h"

namespace quda
{

QUDA_KERNEL_TABLE(FoldTable, fold)
QUDA_KERNEL_TABLE(SumTable, sum_entries)

namespace
{

  constexpr unsigned ny = 2;
  constexpr int operators = 3;

  struct Results {
    double folded[operators][2];
    double sum;
    bool operator==(const Results &other) const { return std::memcmp(this, &other, sizeof other) == 0; }
  };

  /// Of one rank.
  struct Part {
    double folded[operators][2];
    ExactLimbs sum;
    bool operator==(const Part &other) const
    {
      return std::memcmp(folded, other.folded, sizeof folded) == 0 &&
             std::memcmp(sum.limb, other.sum.limb, sizeof sum.limb) == 0;
    }
  };

  /// Numbers of all ranks; equal largest ones at several places, zeros of both signs.
  std::vector<double> global_numbers(std::size_t n, bool special)
  {
    std::vector<double> all = some_numbers(n);
    all[n / 5] = all[n / 2] = all[n - 3] = 1.5;
    if (special)
      for (double &x : all) x = std::abs(x) < 0.5 ? 0.0 : -0.0;
    return all;
  }

  Results expected(const std::vector<double> &all)
  {
    Results right {};
    const auto total_order = [](double a, double b) {
      return a < b || (a == b && std::signbit(a) && !std::signbit(b));
    };
    const double last = static_cast<double>(all.size() - 1);
    const double least = *std::min_element(all.begin(), all.end(), total_order),
                 most = *std::max_element(all.begin(), all.end(), total_order);
    const auto at = std::max_element(all.begin(), all.end());
    const double numbers[operators][2] = {{least, 0}, {most, last}, {*at, static_cast<double>(at - all.begin())}};
    std::memcpy(right.folded, numbers, sizeof numbers);
    if (*at == 0) right.folded[2][0] = all[0]; // of zeros, which are equal, the first
    ExactLimbs limbs {};
    for (const double x : all) exact_add(limbs, x);
    exact_normalise(limbs);
    right.sum = exact_value(limbs);
    return right;
  }

  TuneParam by_chance(std::mt19937 &random)
  {
    const auto below = [&](int n) { return static_cast<int>(random() % n); };
    if (target().lanes() > 1) return {{below(90), 1, 1}, {1 + below(2), 1, 1}, 0, 0, 0, below(2), 0};
    return {{1 + below(200), 1, 1}, {below(4), 1, 1}, 0, 0, 0, 0, 0};
  }

} // namespace

TEST(Fold, OneBitPatternWhateverTheLaunch)
{
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int extent[4] = {1, 1, 1, size};
  const auto ranks = make_communicator(extent);
  for (const bool special : {false, true}) {
    const std::size_t all_sites = 1792;
    const std::vector<double> all = global_numbers(all_sites, special);
    const Results right = expected(all);
    on_every_target([&] {
      // each rank has its share, in registers of lanes of which some hold no site
      const int w = target().width(Precision::double_), active = w > 2 ? w / 2 : w;
      const std::size_t mine = all_sites / ranks->size(), first = mine * ranks->rank();
      const auto nx = static_cast<unsigned>((mine / active + ny - 1) / ny);
      ASSERT_EQ(mine, static_cast<std::size_t>(nx) * ny * active);
      std::vector<double> numbers(nx * ny * w, std::numeric_limits<double>::quiet_NaN()), places(numbers.size());
      for (std::size_t i = 0; i < mine; i++) {
        numbers[i / active * w + i % active] = all[first + i];
        places[i / active * w + i % active] = static_cast<double>(first + i);
      }
      TargetArray<double> from(numbers), at(places);
      TargetArray<double> parts(std::vector<double>(2 * most_fold_parts));
      std::mt19937 random(5);
      Part first_launch {};
      int others = 0;
      for (int launch = 0; launch < 200; launch++) {
        const TuneParam tp = by_chance(random);
        Part part {};
        for (int op = 0; op < operators; op++) {
          fold().launch[op](tp, {{nx, ny, 1}, active, from.data(), at.data()}, parts.data());
          const std::vector<double> results = parts.get();
          std::copy_n(results.begin(), 2, part.folded[op]);
        }
        ExactLimbs sum[sums] = {};
        sum_entries().in_double(tp, {{nx, ny, 1}, active, from.data()}, sum);
        part.sum = sum[0];
        exact_normalise(part.sum);
        if (launch == 0) first_launch = part;
        others += !(part == first_launch);
        EXPECT_TRUE(part == first_launch || others > 3) << "other bits than of the first launch: " << described(tp);
      }
      EXPECT_EQ(others, 0);

      Results found {};
      std::memcpy(found.folded, first_launch.folded, sizeof found.folded);
      for (int op = 0; op < operators; op++) fold_over_ranks(*ranks, found.folded[op], 2, fold().combine[op]);
      sum_limbs(*ranks, &first_launch.sum, 1);
      found.sum = exact_value(first_launch.sum);
      EXPECT_TRUE(found == right) << found.folded[0][0] << " " << found.folded[1][0] << " " << found.folded[2][0]
                                  << " at " << found.folded[2][1] << ", sum " << found.sum;
    });
  }
}

/// A NaN anywhere comes through as one NaN.
TEST(Fold, NotANumber)
{
  on_every_target([&] {
    const int w = target().width(Precision::double_);
    std::vector<double> numbers = some_numbers(100 * w);
    numbers[57] = -std::numeric_limits<double>::quiet_NaN();
    TargetArray<double> from(numbers);
    TargetArray<double> parts(std::vector<double>(2 * most_fold_parts));
    for (int op = 0; op < 2; op++) {
      fold().launch[op]({{7, 1, 1}, {2, 1, 1}, 0, 0, 0, 0, 0}, {{100, 1, 1}, w, from.data(), from.data()},
                        parts.data());
      const double found = parts.get()[0], nan = __builtin_nan("");
      EXPECT_EQ(std::memcmp(&found, &nan, sizeof nan), 0);
    }
  });
}

} // namespace quda
