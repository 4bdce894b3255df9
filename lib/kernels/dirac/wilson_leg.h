#pragma once
/// The legs of Wilson's operator: (1 - gamma_mu) U_mu(x) psi(x + mu) and (1 + gamma_mu) U_mu(x - mu)^dag psi(x - mu),
/// the signs of gamma_mu exchanged for the adjoint. The link multiplies the upper half of the projected spinor.

#include "device/gamma.h"
#include "kernels/dirac/link_product.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Upper half of a projected spinor, (spin 2, color 3).
template <class R> using HalfSpinor = ColorVectors<R, 2>;

/// Colour j of the upper half of (1 + sign gamma_mu) psi, without the scale of psi.
template <int mu, int sign, class R, class Site> QUDA_DEVICE void project_raw(Complex<R> (&h)[2], const Site &q, int j)
{
  Complex<R> psi[4];
  QUDA_UNROLL
  for (int s = 0; s < 4; s++) psi[s] = {q.raw(2 * (3 * s + j)), q.raw(2 * (3 * s + j) + 1)};
  project<mu, sign>(h, psi);
}

template <int mu, int sign, class R, class Site>
QUDA_DEVICE void project_color(Complex<R> (&h)[2], const Site &q, int j)
{
  project_raw<mu, sign>(h, q, j);
  QUDA_UNROLL
  for (int s = 0; s < 2; s++) h[s] = scaled(q.scale(), h[s]);
}

/// r = U^dag h, h the projected spinor at the link's own site: in the lanes of that site.
template <int mu, int sign, class R, class Site, class Link>
QUDA_DEVICE void backward_leg(HalfSpinor<R> &r, const Site &q, const Link &u)
{
  adjoint_product(
      r, [&](Complex<R>(&h)[2], int j) QUDA_LAMBDA { project_raw<mu, sign>(h, q, j); }, u);
  QUDA_UNROLL
  for (int k = 0; k < 6; k++) r.number(k) = scaled(q.scale(), r.number(k));
}

/// side = -1: the adjoint. The sum: (spin 4, color 3).
template <int side> struct WilsonLeg {
  static constexpr int length = 1;
  static constexpr bool chosen = false;
  template <class R> using Product = HalfSpinor<R>;

  template <int mu, class R, class Site, class Link>
  QUDA_DEVICE static void backward(HalfSpinor<R> &r, const Site &q, const Link &u)
  {
    backward_leg<mu, side>(r, q, u);
  }

  /// Colour j of the factor of the link; from = -1: from the spinor behind, +1: ahead.
  template <int mu, int from, class R, class Site>
  QUDA_DEVICE static void project(Complex<R> (&h)[2], const Site &q, int j)
  {
    project_color<mu, -from * side>(h, q, j);
  }

  /// b is known: the upper spins take 2 b.
  template <int mu, class Sum, class R> QUDA_DEVICE static void begin(Sum &sum, const HalfSpinor<R> &b)
  {
    QUDA_UNROLL
    for (int k = 0; k < 6; k++) {
      const Complex<R> twice = b.number(k) + b.number(k);
      sum.number(k) = mu == 0 ? twice : sum.number(k) + twice;
    }
  }

  /// r = b - f: the upper spins b + f, the lower ones +-G^dag (b - f).
  template <int mu, class Sum, class R> QUDA_DEVICE static void end(Sum &sum, const HalfSpinor<R> &r)
  {
    QUDA_UNROLL
    for (int c = 0; c < 3; c++) {
      QUDA_UNROLL
      for (int s = 0; s < 2; s++) sum.number(3 * s + c) = sum.number(3 * s + c) - r.h[s][c];
      const Complex<R> zero = {R(0), R(0)};
      Complex<R> lower[2] = {mu == 0 ? zero : sum.number(6 + c), mu == 0 ? zero : sum.number(9 + c)};
      add_lower<mu, side>(lower, r.h[0][c], r.h[1][c]);
      sum.number(6 + c) = lower[0];
      sum.number(9 + c) = lower[1];
    }
  }
};

struct WilsonLegs {
  static constexpr int spins = 4, product_reals = 12;
  static constexpr bool sided = true;
  template <int side> using Leg = WilsonLeg<side>;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
