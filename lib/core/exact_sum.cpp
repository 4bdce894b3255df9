#include "core/exact_sum.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace quda
{

namespace
{

  constexpr std::uint64_t digit_mask = 0xffffffffULL;
  constexpr int fraction_bits = 52;

  static_assert(sizeof(ExactLimbs) == exact_words * sizeof(long long), "the struct is an array of long long");

  // makes room for an addition of the given weight
  void reserve(ExactLimbs &sum, long long weight)
  {
    if (sum.weight + weight > exact_weight_limit) exact_normalise(sum);
  }

  void negate(ExactLimbs &sum)
  {
    for (long long &limb : sum.limb) limb = -limb;
    exact_normalise(sum);
  }

  // digit k of a normalised, non-negative sum; zero below limb 0
  std::uint64_t digit(const ExactLimbs &sum, int k) { return k < 0 ? 0 : static_cast<std::uint64_t>(sum.limb[k]); }

  // the magnitude of a normalised, non-negative sum
  double rounded(const ExactLimbs &sum)
  {
    int top = exact_limb_count - 1;
    while (top >= 0 && sum.limb[top] == 0) top--;
    if (top < 0) return 0.0;

    // The leading one is moved to bit 63 of a window of two digits and the upper part of a third.
    const int leading_zeros = __builtin_clzll(digit(sum, top)) - 32;       // of a 32-bit digit
    if (leading_zeros < 0) return std::numeric_limits<double>::infinity(); // only after more than 2^63 additions
    const std::uint64_t third = digit(sum, top - 2);
    std::uint64_t window = (digit(sum, top) << 32 | digit(sum, top - 1)) << leading_zeros;
    window |= third << leading_zeros >> 32;
    const int exponent = exact_limb_bits * (top - 1) - leading_zeros + exact_lowest_exponent; // of bit 0 of the window

    // everything below the window only matters as zero or not
    bool sticky = (third << leading_zeros & digit_mask) != 0;
    for (int k = top - 3; k >= 0 && !sticky; k--) sticky = sum.limb[k] != 0;

    // Bits of the window that a double keeps. The smallest subnormal is bit 0 of limb 0, so a subnormal result has
    // no bits to lose and these roundings drop zeros.
    constexpr int dropped = 63 - fraction_bits;
    constexpr std::uint64_t half = 1ULL << (dropped - 1);
    const std::uint64_t rest = window & ((half << 1) - 1);
    std::uint64_t mantissa = window >> dropped;
    if (rest > half || (rest == half && (sticky || (mantissa & 1)))) mantissa++;
    return std::ldexp(static_cast<double>(mantissa), exponent + dropped); // beyond the range: infinity
  }

} // namespace

void exact_add(ExactLimbs &sum, double x)
{
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  const bool negative = bits >> 63;
  const int biased = static_cast<int>(bits >> fraction_bits & 0x7ff);
  std::uint64_t mantissa = bits & ((1ULL << fraction_bits) - 1);

  if (biased == 0x7ff) {
    if (mantissa)
      sum.nan++;
    else if (negative)
      sum.negative_infinity++;
    else
      sum.positive_infinity++;
    return;
  }
  // a subnormal has the exponent of the smallest normal number and no implied one
  if (biased) mantissa |= 1ULL << fraction_bits;
  if (!mantissa) return;
  const int shift = biased ? biased - 1 : 0;

  reserve(sum, 1);
  const int k = shift / exact_limb_bits, s = shift % exact_limb_bits;
  const std::uint64_t low = (mantissa & digit_mask) << s, high = (mantissa >> 32) << s;
  const std::uint64_t middle = (low >> 32) + (high & digit_mask);
  const auto d0 = static_cast<long long>(low & digit_mask);
  const auto d1 = static_cast<long long>(middle & digit_mask);
  const auto d2 = static_cast<long long>((high >> 32) + (middle >> 32));
  const long long sign = negative ? -1 : 1;
  sum.limb[k] += sign * d0;
  sum.limb[k + 1] += sign * d1;
  sum.limb[k + 2] += sign * d2;
  sum.weight++;
}

void exact_merge(ExactLimbs &sum, const ExactLimbs &other)
{
  ExactLimbs addend = other;
  if (addend.weight >= exact_weight_limit) exact_normalise(addend);
  reserve(sum, addend.weight);
  for (int k = 0; k < exact_limb_count; k++) sum.limb[k] += addend.limb[k];
  sum.weight += addend.weight;
  sum.positive_infinity += addend.positive_infinity;
  sum.negative_infinity += addend.negative_infinity;
  sum.nan += addend.nan;
}

void exact_normalise(ExactLimbs &sum)
{
  long long carry = 0;
  for (int k = 0; k < exact_limb_count - 1; k++) {
    const long long total = sum.limb[k] + carry;
    carry = total >> exact_limb_bits; // rounds down, so what stays is never negative
    sum.limb[k] = total & static_cast<long long>(digit_mask);
  }
  sum.limb[exact_limb_count - 1] += carry;
  sum.weight = 1;
  sum.positive_infinity = sum.positive_infinity != 0;
  sum.negative_infinity = sum.negative_infinity != 0;
  sum.nan = sum.nan != 0;
}

void exact_signed_digits(ExactLimbs &sum)
{
  exact_normalise(sum);
  if (sum.limb[exact_limb_count - 1] >= 0) return;
  negate(sum);
  for (long long &limb : sum.limb) limb = -limb;
}

double exact_value(const ExactLimbs &sum)
{
  if (sum.nan || (sum.positive_infinity && sum.negative_infinity)) return std::numeric_limits<double>::quiet_NaN();
  if (sum.positive_infinity) return std::numeric_limits<double>::infinity();
  if (sum.negative_infinity) return -std::numeric_limits<double>::infinity();

  ExactLimbs carried = sum;
  exact_normalise(carried);
  if (carried.limb[exact_limb_count - 1] >= 0) return rounded(carried);
  negate(carried);
  return -rounded(carried);
}

} // namespace quda
