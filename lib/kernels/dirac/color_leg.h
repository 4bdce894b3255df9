#pragma once
/// Spin-blind legs: U_mu(x) psi(x + l mu) and U_mu(x - l mu)^dag psi(x - l mu) for every spin, added (sign = +1),
/// or the second subtracted from the first (sign = -1). U connects the two sites: a link, or a product of l
/// links.

#include "kernels/dirac/link_product.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// r = U^dag psi at the link's own site: in the lanes of that site.
template <int n, class R, class Site, class Link>
QUDA_DEVICE void color_backward(ColorVectors<R, n> &r, const Site &q, const Link &u)
{
  adjoint_product(
      r,
      [&](Complex<R>(&h)[n], int j) QUDA_LAMBDA {
        QUDA_UNROLL
        for (int s = 0; s < n; s++) h[s] = {q.raw(2 * (3 * s + j)), q.raw(2 * (3 * s + j) + 1)};
      },
      u);
  QUDA_UNROLL
  for (int k = 0; k < 3 * n; k++) r.number(k) = scaled(q.scale(), r.number(k));
}

template <int n, int sign, int steps> struct ColorLeg {
  static constexpr int length = steps;
  static constexpr bool chosen = true;
  template <class R> using Product = ColorVectors<R, n>;

  template <int mu, class R, class Site, class Link>
  QUDA_DEVICE static void backward(ColorVectors<R, n> &r, const Site &q, const Link &u)
  {
    color_backward(r, q, u);
  }

  template <int mu, int from, class R, class Site>
  QUDA_DEVICE static void project(Complex<R> (&h)[n], const Site &q, int j)
  {
    QUDA_UNROLL
    for (int s = 0; s < n; s++)
      h[s] = scaled(q.scale(), Complex<R> {q.raw(2 * (3 * s + j)), q.raw(2 * (3 * s + j) + 1)});
  }

  /// b is known: f + b = 2 b - (b - f).
  template <int mu, class R> QUDA_DEVICE static void begin(ColorVectors<R, n> &sum, const ColorVectors<R, n> &b)
  {
    if constexpr (sign > 0) {
      QUDA_UNROLL
      for (int k = 0; k < 3 * n; k++) sum.number(k) = sum.number(k) + (b.number(k) + b.number(k));
    }
  }

  /// r = b - f
  template <int mu, class R> QUDA_DEVICE static void end(ColorVectors<R, n> &sum, const ColorVectors<R, n> &r)
  {
    QUDA_UNROLL
    for (int k = 0; k < 3 * n; k++) sum.number(k) = sum.number(k) - r.number(k);
  }
};

template <int n, int sign, int steps = 1> struct ColorLegs {
  static constexpr int spins = n, product_reals = 6 * n;
  static constexpr bool sided = false;
  template <int> using Leg = ColorLeg<n, sign, steps>;
};

/// Legs of one and of three steps, with separate links.
struct ImprovedLegs : ColorLegs<1, -1> {
  template <int> using LongLeg = ColorLeg<1, -1, 3>;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
