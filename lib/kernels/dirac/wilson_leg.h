#pragma once
/// The legs of the Wilson hop, shared by the hop and by the packing of its halo, so that both do the same arithmetic.
/// r, h: (spin 2, color 3) complex, the upper half of a projected spinor. Colour by colour: four registers of the
/// spinor, then three elements of the link, each a multiply-accumulate into two of six independent chains.

#include "device/gamma.h"
#include "device/gauge.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R> struct HalfSpinor {
  Complex<R> h[2][3]; // spin 2, color 3
};

/// Colour j of the upper half of (1 + sign gamma_mu) psi.
template <int mu, int sign, class R, class Site>
QUDA_DEVICE void project_color(Complex<R> (&h)[2], const Site &q, int j)
{
  Complex<R> psi[4];
  QUDA_UNROLL
  for (int s = 0; s < 4; s++) psi[s] = {q[2 * (3 * s + j)], q[2 * (3 * s + j) + 1]};
  project<mu, sign>(h, psi);
}

template <class R> QUDA_DEVICE void move_lanes(HalfSpinor<R> &r, const Place &n)
{
  QUDA_UNROLL
  for (int s = 0; s < 2; s++) {
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) r.h[s][i] = {moved(r.h[s][i].re, n), moved(r.h[s][i].im, n)};
  }
}

/// r = U^dag h, h the projected spinor at the link's own site: in the lanes of that site.
template <int mu, int sign, class R, class Site, class Link>
QUDA_DEVICE void backward_leg(HalfSpinor<R> &r, const Site &q, const Link &u)
{
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) {
    Complex<R> h[2];
    project_color<mu, sign>(h, q, j);
    if (j == 2) u.scale(h);
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) {
      const Complex<R> e = u(j, i);
      QUDA_UNROLL
      for (int s = 0; s < 2; s++) r.h[s][i] = j == 0 ? conj_multiply(e, h[s]) : conj_multiply_add(e, h[s], r.h[s][i]);
    }
  }
}

/// r = U h; `color(h, j)` gives colour j of the projected spinor beyond, in the lanes of the link.
template <class R, class Color, class Link>
QUDA_DEVICE void forward_leg(HalfSpinor<R> &r, const Color &color, const Link &u)
{
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) {
    Complex<R> h[2];
    color(h, j);
    QUDA_UNROLL
    for (int i = 0; i < 3; i++) {
      const Complex<R> e = u(i, j);
      QUDA_UNROLL
      for (int s = 0; s < 2; s++) r.h[s][i] = j == 0 ? multiply(e, h[s]) : multiply_add(e, h[s], r.h[s][i]);
    }
  }
  Complex<R> third[2] = {r.h[0][2], r.h[1][2]};
  u.scale(third);
  r.h[0][2] = third[0];
  r.h[1][2] = third[1];
}

} // namespace quda::QUDA_TARGET_NAMESPACE
