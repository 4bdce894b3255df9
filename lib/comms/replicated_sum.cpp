#include "comms/replicated_sum.h"

#include <climits>

#include "comms/communicator.h"
#include "core/error.h"
#include "core/exact_sum.h"

namespace quda
{

void sum_limbs(Communicator &communicator, ExactLimbs *sums, int n)
{
  if (n < 0 || n > INT_MAX / exact_words)
    fail(ErrorKind::bad_argument, text("sum of %d accumulators, must be 0 to %d", n, INT_MAX / exact_words));
  for (int i = 0; i < n; i++) exact_normalise(sums[i]);
  static_assert(sizeof(ExactLimbs) == exact_words * sizeof(long long));
  if (n > 0) communicator.sum(reinterpret_cast<long long *>(sums), n * exact_words);
  for (int i = 0; i < n; i++) exact_normalise(sums[i]);
}

} // namespace quda
