#pragma once
/// Elementary functions of lanes and scalars, from polynomials with explicit multiply-adds: the same bits on every
/// target. Errors, against long double: below 0.9 units of the last place in both precisions.
///   log      : x = 2^k m, m in [sqrt(1/2), sqrt 2); with s = (m - 1)/(m + 1), log m = 2 s + 2 s^3/3 + 2 s^5/5 + ...
///   sincos   : of 2 pi u, by quarters of u: Taylor series in [-pi/4, pi/4]
///   argument : of x + i y, in half turns: Taylor series of the arc tangent in [-pi/8, pi/8]; to four units
/// sqrt is in <lane.h> and correctly rounded.

#include <words.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// log x of normal x > 0.
template <class real> QUDA_DEVICE real log(real x)
{
  using T = number_of<real>;
  constexpr bool is_double = sizeof(T) == 8;
  constexpr int digits = is_double ? 52 : 23, bias = is_double ? 1023 : 127;
  using U = typename unsigned_of<sizeof(T)>::type;
  constexpr U fraction = (U(1) << digits) - 1;
  constexpr T two_digits = is_double ? T(0x1p52) : T(0x1p23);
  constexpr double ln2 = 0x1.62e42fefa39efp-1, ln2_rest = 0x1.abc9e3b39803fp-56;
  constexpr T ln2_high = static_cast<T>(ln2);
  constexpr T ln2_low = is_double ? T(ln2_rest) : static_cast<T>(ln2 - ln2_high);

  const Bits<T> b = bits_of<T>(x);
  // the exponent as the last digits of a number whose unit is 1
  real k = real_of<T>(b >> digits | U(bias + digits) << digits) - real(two_digits + T(bias));
  real m = real_of<T>((b & fraction) | U(bias) << digits);
  const auto large = m > real(1.4142135623730951);
  m = select(large, real(0.5) * m, m);
  k = select(large, k + real(1.0), k);

  const real f = m - real(1.0);
  const real s = f / (real(2.0) + f);
  const real z = s * s;
  constexpr int last = is_double ? 21 : 9;
  real r = real(2.0 / last);
  QUDA_UNROLL
  for (int n = last - 2; n >= 3; n -= 2) r = fma(r, z, real(2.0 / n));
  r = r * z;
  // 2 s = f - s f, so log m = f - (f^2/2 - s (f^2/2 + r)): rounding of s affects only the small part
  const real half_f2 = real(0.5) * f * f;
  const real minor = fnma(k, real(ln2_low), fnma(s, half_f2 + r, half_f2));
  return fma(k, real(ln2_high), f - minor);
}

template <class R> struct SinCos {
  R sin, cos;
};

/// sin and cos of 2 pi u, |u| <= 2^20; exact at multiples of 1/4.
template <class real> QUDA_DEVICE SinCos<real> sincos_2pi(real u)
{
  using T = number_of<real>;
  constexpr bool is_double = sizeof(T) == 8;
  const real round = real(is_double ? T(0x1.8p52) : T(0x1.8p23)); // added and subtracted: rounds to the nearest integer
  const real quarter = (fma(real(4.0), u, round)) - round;
  const real r = fnma(real(0.25), quarter, u); // exact
  constexpr double two_pi = 0x1.921fb54442d18p+2, two_pi_rest = 0x1.1a62633145c07p-52;
  constexpr T high = static_cast<T>(two_pi), low = is_double ? T(two_pi_rest) : static_cast<T>(two_pi - high);
  const real y = real(high) * r;
  const real y_rest = fma(real(low), r, fms(real(high), r, y));
  const real z = y * y;

  constexpr double sines[] = {-1.0 / 6,
                              1.0 / 120,
                              -1.0 / 5040,
                              1.0 / 362880,
                              -1.0 / 39916800,
                              1.0 / 6227020800.,
                              -1.0 / 1307674368e3,
                              1.0 / 355687428096e3,
                              -1.0 / 121645100408832e3};
  constexpr double cosines[] = {1.0 / 24,         -1.0 / 720,         1.0 / 40320,         -1.0 / 3628800,
                                1.0 / 479001600., -1.0 / 87178291200, 1.0 / 20922789888e3, -1.0 / 6402373705728e3};
  constexpr int n_sin = is_double ? 8 : 4, n_cos = is_double ? 8 : 4;
  real p = real(sines[n_sin - 1]), q = real(cosines[n_cos - 1]);
  QUDA_UNROLL
  for (int n = n_sin - 2; n >= 0; n--) p = fma(p, z, real(sines[n]));
  QUDA_UNROLL
  for (int n = n_cos - 2; n >= 0; n--) q = fma(q, z, real(cosines[n]));
  const real s = y + fma(y * z, p, y_rest);
  // 1 - z/2 and its rounding error
  const real one = real(1.0), half = real(0.5) * z;
  const real main = one - half;
  const real c = main + fma(z * z, q, fnma(y, y_rest, (one - main) - half));

  const real turn = quarter - real(4.0) * ((fma(real(0.25), quarter - real(1.5), round)) - round); // 0, 1, 2, 3
  const auto first = turn == real(1.0), second = turn == real(2.0), third = turn == real(3.0);
  const auto odd = first | third;
  const real a = select(odd, c, s), b = select(odd, s, c);
  return {select(second | third, -a, a), select(first | second, -b, b)};
}

/// The angle of x + i y in units of pi, in [-1, 1]; 0 where both are 0.
template <class real> QUDA_DEVICE real half_turns(real y, real x)
{
  using T = number_of<real>;
  const real zero = real(0.0), one = real(1.0), half = real(0.5);
  const auto left = x < zero, below = y < zero;
  const real ax = select(left, -x, x), ay = select(below, -y, y);
  const auto steep = ay > ax;
  const real large = select(steep, ay, ax), small = select(steep, ax, ay);
  const real t = select(large > zero, small, zero) / select(large > zero, large, one);
  const auto wide = t > real(0.41421356237309503); // tan(pi/8); atan t = pi/4 + atan((t - 1)/(t + 1))
  const real s = select(wide, (t - one) / (t + one), t);
  const real z = s * s;
  constexpr int last = sizeof(T) == 8 ? 43 : 19;
  constexpr double by_pi = 0.31830988618379067154;
  real r = real((last % 4 == 1 ? by_pi : -by_pi) / last);
  QUDA_UNROLL
  for (int n = last - 2; n >= 1; n -= 2) r = fma(r, z, real((n % 4 == 1 ? by_pi : -by_pi) / n));
  real angle = fma(s, r, select(wide, real(0.25), zero));
  angle = select(steep, half - angle, angle);
  angle = select(left, one - angle, angle);
  return select(below, -angle, angle);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
