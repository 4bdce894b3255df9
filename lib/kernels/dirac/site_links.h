#pragma once
/// The links that the legs of a stencil read: those of the field, or, on the CPU, numbers made from them. Integers
/// are converted and third rows rebuilt once a site if several entries multiply with them, and the bits are the
/// same.

#include "kernels/dirac/link_product.h"
#include <around.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Links as they are in the field.
template <class S, int recon> struct FieldLinks {
  QUDA_DEVICE Link<S, recon> behind(const Gauge<S, recon> &U, const Place &n, int mu) const { return U.link(n, mu); }
  QUDA_DEVICE Link<S, recon> ahead(const Gauge<S, recon> &U, const Place &here, int mu) const
  {
    return U.link(here, mu);
  }
};

/// A link made before, with the interface of Link.
template <class S, int recon> struct MadeLink {
  using real = Real<S>;
  struct ThirdRow {
  };
  const number_of<S> *p;
  const Gauge<S, recon> &gauge;
  const Place &place;
  int mu;

  QUDA_DEVICE Complex<real> operator()(int i, int j) const
  {
    const number_of<S> *const e = p + (6 * i + 2 * j) * width<S>;
    return {load(e), load(e + width<S>)};
  }
  QUDA_DEVICE ThirdRow third_row() const { return {}; }
  QUDA_DEVICE Complex<real> element(int i, int j, const ThirdRow &) const { return (*this)(i, j); }
  template <int n> QUDA_DEVICE void scale(Complex<real> (&a)[n]) const { gauge.link(place, mu).scale(a); }
};

/// Links around a register of sites: [mu][behind, ahead][18]. Third rows behind are without their scale.
template <class S, int recon> struct SiteLinks {
  static constexpr bool useful = width<S> > 1 && (is_fixed<S> || recon != 18);
  alignas(64) number_of<S> e[4][2][18 * width<S>];

  QUDA_OUTLINE void make(const Gauge<S, recon> &U, const Around &around)
  {
    make_both<0>(U, around);
    make_both<1>(U, around);
    make_both<2>(U, around);
    make_both<3>(U, around);
  }

  QUDA_DEVICE MadeLink<S, recon> behind(const Gauge<S, recon> &U, const Place &n, int mu) const
  {
    return {e[mu][0], U, n, mu};
  }
  QUDA_DEVICE MadeLink<S, recon> ahead(const Gauge<S, recon> &U, const Place &here, int mu) const
  {
    return {e[mu][1], U, here, mu};
  }

private:
  template <int mu> QUDA_DEVICE void make_both(const Gauge<S, recon> &U, const Around &around)
  {
    const auto ahead = U.link(around.here, mu);
    const auto row = ahead.third_row();
    put(e[mu][1], [&](int i, int j) QUDA_LAMBDA { return ahead.element(i, j, row); });
    const Place n = around.neighbour(mu, -1);
    if (n.beyond) return;
    const auto behind = U.link(n, mu);
    put(e[mu][0], [&](int i, int j) QUDA_LAMBDA { return behind(i, j); });
  }

  template <class Element> QUDA_DEVICE static void put(number_of<S> *p, const Element &element)
  {
    QUDA_UNROLL
    for (int k = 0; k < 9; k++) {
      const Complex<Real<S>> z = element(k / 3, k % 3);
      store(p + 2 * k * width<S>, z.re);
      store(p + (2 * k + 1) * width<S>, z.im);
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
