/// The exact sum over ranks: each rank holds a share of the million numbers, in orders that differ between ranks.

#include "comms/communicator.h"
#include "comms/replicated_sum.h"
#include "core/exact_sum.h"

#include "exact_numbers.h"

#include <gtest/gtest.h>
#include <mpi.h>

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
