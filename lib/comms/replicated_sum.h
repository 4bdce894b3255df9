/// Exact sums over the ranks of a communicator: the same bits on every rank, whatever the grid.
///
/// sums : (n), each rank's part on entry, the total on return, normalised. Collective: all ranks, with one n.
/// Up to 2^20 ranks (core/exact_limbs.h).
///
/// A few sums travel whole, exact_words integers each, in one message. More of them travel as the digits that some rank
/// has: a first message (a maximum, 16 bytes a sum) finds the highest and lowest digits, a second one adds the digits
/// between, 8 bytes each. Doubles of one order of magnitude have 3 digits, sums of products of fields 4 or 5.
/// Nothing is rounded, so the way of travelling changes no bit. Sums in the background travel whole, in one message.
#pragma once

#include <cstddef>
#include <vector>

#include "comms/communicator.h"
#include "core/exact_limbs.h"

namespace quda
{

constexpr int most_whole_sums = 4; // in one message

void sum_limbs(Communicator &communicator, ExactLimbs *sums, int n);

/// Such sums under way while this rank works on. All ranks start and finish them. One that is dropped before is
/// given up: nobody waits (comms/communicator.h).
class SumsUnderWay
{
public:
  SumsUnderWay(Communicator &communicator, std::vector<ExactLimbs> sums);
  SumsUnderWay(const SumsUnderWay &) = delete;
  SumsUnderWay &operator=(const SumsUnderWay &) = delete;
  /// The totals, each rounded once. Waits; call it once.
  std::vector<double> finish();

private:
  Communicator &communicator_;
  std::vector<ExactLimbs> sums_;
  Request request_;
};

/// Bytes that this rank has put into such messages so far.
std::size_t summed_bytes();

} // namespace quda
