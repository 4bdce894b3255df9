/// The exact sum over ranks: each rank holds a share of the million numbers, in orders that differ between ranks.

#include "comms/communicator.h"
#include "comms/replicated_sum.h"
#include "core/exact_sum.h"

#include "exact_numbers.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace quda;
using exact_numbers::bits;

TEST(ExactSumOverRanks, OneBitPattern)
{
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int extent[4] = {1, 1, 1, size};
  const auto communicator = make_communicator(extent);

  std::vector<double> numbers = exact_numbers::million();
  for (std::uint64_t order = 0; order < 100; order++) {
    exact_numbers::shuffle(numbers, order);
    // shares of unequal length that together are all numbers
    const std::size_t n = numbers.size(), rank = static_cast<std::size_t>(communicator->rank());
    const std::size_t ranks = static_cast<std::size_t>(communicator->size());
    const std::size_t begin = n * rank * rank / (ranks * ranks), end = n * (rank + 1) * (rank + 1) / (ranks * ranks);
    ExactLimbs sums[2] = {};
    for (std::size_t i = begin; i < end; i++) exact_add(sums[0], numbers[i]);
    for (std::size_t i = end; i > begin; i--) exact_add(sums[1], 2 * numbers[i - 1]);
    sum_limbs(*communicator, sums, 2);
    ASSERT_EQ(bits(exact_value(sums[0])), bits(exact_numbers::sum)) << "order " << order;
    ASSERT_EQ(bits(exact_value(sums[1])), bits(2 * exact_numbers::sum)) << "order " << order;
  }
}

TEST(ExactSumOverRanks, NaNOnOneRankReachesAll)
{
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int extent[4] = {1, 1, 1, size};
  const auto communicator = make_communicator(extent);
  ExactLimbs sum = {};
  exact_add(sum, communicator->rank() == size - 1 ? std::nan("") : 1.0);
  sum_limbs(*communicator, &sum, 1);
  EXPECT_TRUE(std::isnan(exact_value(sum)));
}

/// Accumulators that nobody has carried, their limbs as large as may be: added as they are, two of them overflow.
TEST(ExactSumOverRanks, FullAccumulators)
{
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int extent[4] = {1, 1, 1, size};
  const auto communicator = make_communicator(extent);
  ExactLimbs sums[2] = {}, expected[2] = {};
  for (int i = 0; i < 2; i++) {
    sums[i].weight = exact_weight_limit;
    for (int k = 20; k < 50; k++)
      sums[i].limb[k] = (i == 0 ? 1 : -1) * exact_weight_limit * (1LL << exact_limb_bits); // all of them 2^62
    for (int rank = 0; rank < size; rank++) {
      ExactLimbs one = sums[i];
      exact_normalise(one);
      exact_merge(expected[i], one);
      exact_normalise(expected[i]);
    }
  }
  sum_limbs(*communicator, sums, 2);
  for (int i = 0; i < 2; i++) EXPECT_EQ(bits(exact_value(sums[i])), bits(exact_value(expected[i]))) << i;
}

/// Many sums travel as the digits they have: the accumulators that one message of whole ones gives, and kilobytes less.
TEST(ExactSumOverRanks, ManySumsAreThoseOfOneAtATime)
{
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int extent[4] = {1, 1, 1, size};
  const auto communicator = make_communicator(extent);
  const int rank = communicator->rank();
  constexpr int n = 12;
  static_assert(n > most_whole_sums);
  const double inf = std::numeric_limits<double>::infinity();
  ExactLimbs many[n] = {};
  for (int i = 0; i < n; i++) {
    if (i == 0) continue;                                                                             // nothing at all
    exact_add(many[i], (rank % 2 ? -1.0 : 1.0) * std::ldexp(1.0 + i * 0x1p-40, 200 * (i % 5) - 400)); // cancels
    if (i > 1 && rank == i % size) exact_add(many[i], (i % 3 - 1) * std::ldexp(1.0 / 3, 7 * i));
    if (i == 5 && rank == size - 1) exact_add(many[i], inf);
    if (i == 6 && rank == 0) exact_add(many[i], -inf);
    if (i == 7 && rank == size - 1) exact_add(many[i], std::nan(""));
    if (i == 8) exact_add(many[i], rank == 0 ? inf : -inf);
    if (i > 8) { // limbs that nobody has carried, as large as may be
      many[i].weight = exact_weight_limit;
      for (int k = 20; k < 40; k++) many[i].limb[k] = (i == 9 ? 1 : -1) * exact_weight_limit * (1LL << exact_limb_bits);
    }
  }
  ExactLimbs one[n];
  std::copy_n(many, n, one);
  for (ExactLimbs &sum : one) sum_limbs(*communicator, &sum, 1);
  const std::size_t before = summed_bytes();
  sum_limbs(*communicator, many, n);
  if (size > 1) {
    EXPECT_LT(summed_bytes() - before, n * sizeof(ExactLimbs) / 2);
  }
  for (int i = 0; i < n; i++) {
    const double expected = exact_value(one[i]), found = exact_value(many[i]);
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(found)) << i;
    else
      EXPECT_EQ(bits(found), bits(expected)) << i;
    if (std::isfinite(expected)) {
      EXPECT_EQ(std::memcmp(many[i].limb, one[i].limb, sizeof one[i].limb), 0) << i;
    }
  }
}
