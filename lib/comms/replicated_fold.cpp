#include "comms/replicated_fold.h"

#include <cstring>
#include <vector>

#include "comms/communicator.h"

namespace quda
{

void fold_over_ranks(Communicator &communicator, double *numbers, int n, void (*fold)(double *numbers, int parts))
{
  // each rank's bits in a place of its own among zeros: their sum is all of them
  const int ranks = communicator.size();
  std::vector<long long> bits(static_cast<std::size_t>(n) * ranks);
  std::memcpy(&bits[static_cast<std::size_t>(n) * communicator.rank()], numbers, n * sizeof(double));
  communicator.sum(bits.data(), n * ranks);
  std::vector<double> all(bits.size());
  std::memcpy(all.data(), bits.data(), bits.size() * sizeof(double));
  fold(all.data(), ranks);
  std::memcpy(numbers, all.data(), n * sizeof(double));
}

} // namespace quda
