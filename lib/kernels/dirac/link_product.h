#pragma once
/// Products of a link with colour vectors, the arithmetic of every hop: r = U^dag h and r -= U h, h and r of `spins`
/// spins and 3 colours, complex. Colour by colour of h: each element of the link is loaded once and multiplies all
/// spins, a multiply-accumulate into one of 3 spins independent chains. The third row, which reconstruct 12 has to
/// rebuild, comes when few registers are in use: first of all in U^dag h, and before r exists in U h.

#include "device/gauge.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The numbers of one product: of a leg before it is added to the sum of a hop, or of a record that crosses a face.
template <class R, int n> struct ColorVectors {
  static constexpr int spins = n;
  static constexpr int numbers = 3 * n;
  Complex<R> h[n][3];

  QUDA_DEVICE Complex<R> &number(int k) { return h[k / 3][k % 3]; }
  QUDA_DEVICE const Complex<R> &number(int k) const { return h[k / 3][k % 3]; }
};

/// a in the lanes of the calling place.
template <class R> QUDA_DEVICE Complex<R> moved(Complex<R> a, const Place &n)
{
  return {moved(a.re, n), moved(a.im, n)};
}

template <class R, int spins> QUDA_DEVICE void move_lanes(ColorVectors<R, spins> &r, const Place &n)
{
  QUDA_UNROLL
  for (int k = 0; k < 3 * spins; k++) r.number(k) = moved(r.number(k), n);
}

/// r = U^dag h. color(h, j) gives colour j of h.
template <class R, int spins, class Color, class Link>
QUDA_DEVICE void adjoint_product(ColorVectors<R, spins> &r, const Color &color, const Link &u)
{
  constexpr int order[3] = {2, 0, 1};
  QUDA_UNROLL
  for (int k = 0; k < 3; k++) {
    const int j = order[k];
    Complex<R> h[spins];
    color(h, j);
    if (j == 2) u.scale(h);
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) {
      const Complex<R> e = u(j, i);
      QUDA_UNROLL
      for (int s = 0; s < spins; s++)
        r.h[s][i] = k == 0 ? conj_multiply(e, h[s]) : conj_multiply_add(e, h[s], r.h[s][i]);
    }
  }
}

/// r -= U h. third: the third row of U.
template <class R, int spins, class Color, class Link> QUDA_DEVICE void
subtract_product(ColorVectors<R, spins> &r, const Color &color, const Link &u, const typename Link::ThirdRow &third)
{
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) {
    Complex<R> h[spins];
    color(h, j);
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) {
      const Complex<R> e = u.element(i, j, third);
      QUDA_UNROLL
      for (int s = 0; s < spins; s++) r.h[s][i] = multiply_subtract(e, h[s], r.h[s][i]);
    }
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
