#include "ops/contract/slice_sums.h"

#include <algorithm>

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"

namespace quda
{

std::vector<double> sum_slices(const Lattice &lattice, int direction, std::span<const ExactLimbs> here)
{
  Communicator &comm = lattice.communicator();
  const std::size_t ranks = comm.extent(direction), place = comm.coordinate(direction), n = here.size();
  constexpr std::size_t most = 16384; // of a message
  std::vector<double> totals(ranks * n);
  std::vector<ExactLimbs> all; // (rank, sum)
  for (std::size_t first = 0, count; first < n; first += count) {
    count = std::min(n - first, std::max<std::size_t>(most / ranks, 1));
    all.assign(ranks * count, {});
    std::copy_n(&here[first], count, &all[place * count]);
    sum_limbs(comm, all.data(), static_cast<int>(all.size()));
    for (std::size_t rank = 0; rank < ranks; rank++)
      for (std::size_t i = 0; i < count; i++) totals[rank * n + first + i] = exact_value(all[rank * count + i]);
  }
  return totals;
}

} // namespace quda
