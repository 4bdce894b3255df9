/// Exact sums over the ranks of a communicator: the same bits on every rank, whatever the grid.
///
/// sums : (n), each rank's part on entry, the total on return, normalised. Collective: all ranks, with one n.
/// Up to 2^20 ranks (core/exact_limbs.h).
///
/// A few sums travel whole, exact_words integers each, in one message. More of them travel as the digits that some rank
/// has: a first message (a maximum, 16 bytes a sum) finds the highest and the lowest digit, a second one adds what lies
/// between, 8 bytes a digit. Doubles of one order of magnitude have 3 digits, sums of products of fields 4 or 5.
/// Nothing is rounded, so the way of travelling changes no bit.
#pragma once

#include <cstddef>

#include "core/exact_limbs.h"

namespace quda
{

class Communicator;

constexpr int most_whole_sums = 4; // in one message

void sum_limbs(Communicator &communicator, ExactLimbs *sums, int n);

/// Bytes that this rank has given to such messages so far.
std::size_t summed_bytes();

} // namespace quda
