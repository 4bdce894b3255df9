#pragma once
/// Powers of two that scale a field to size 1, so that no sum over it over- or underflows; they change no bit.

#include <algorithm>
#include <cmath>

namespace quda
{

/// The power of two just above x; 1 for 0. Neither it nor its inverse overflows.
inline double power_above(double x)
{
  int exponent = 0;
  if (x > 0) std::frexp(x, &exponent);
  return std::ldexp(1.0, std::clamp(exponent, -1021, 1022));
}

} // namespace quda
