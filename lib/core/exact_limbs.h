#pragma once

/// The exact accumulator as plain data, for kernels and host alike; the host's functions are in core/exact_sum.h.
///
/// value = sum_k limb[k] 2^(exact_limb_bits k + exact_lowest_exponent), a fixed-point number wide enough for every
/// finite double, subnormals included, and for 2^63 additions of the largest. Limbs are signed and spaced 32 bits
/// apart, so that they take additions without carrying: adding x = +-m 2^e, m an integer of 53 bits, means with s = e -
/// exact_lowest_exponent, k = s / 32 that the three 32-bit digits of m 2^(s mod 32) are added to (or subtracted from)
/// limb[k], limb[k+1], limb[k+2]. Sums are sums of integers: neither order nor grouping changes them, and accumulators
/// are merged limb by limb.
///
/// All members are long long and merge by addition, so ranks may reduce the struct as exact_words integers.
/// An all-zero struct is the empty sum. Infinities and NaNs are counted and touch no limb.
///
/// Headroom: `weight` bounds every limb, |limb[k]| <= weight 2^32. Code that adds without the host's functions raises
/// it by the number of numbers added, and normalises (exact_normalise) before it passes exact_weight_limit. A
/// normalised accumulator has weight at most 1, so up to 2^20 ranks may add theirs.
///
/// No functions here: launch units include this file and must not define any outside their namespace.

namespace quda
{

constexpr int exact_limb_count = 70;
constexpr int exact_limb_bits = 32;
constexpr int exact_lowest_exponent = -1074; // the weight of bit 0 of limb 0: the smallest subnormal
constexpr long long exact_weight_limit = 1LL << 30;

struct ExactLimbs {
  long long limb[exact_limb_count];
  long long weight;            // bound of the limbs in units of 2^32
  long long positive_infinity; // number of infinities added
  long long negative_infinity;
  long long nan;
};

constexpr int exact_words = exact_limb_count + 4; // the struct seen as an array of long long

} // namespace quda
