/// Outer products of colour vectors at two sites of a line, the gradient of staggered hops with respect to their links:
///   G_mu(x) = [G_mu(x) +] eps(x) sum_i w_i q_i(x) q_i(x + n mu)^dag,   eps = +1 on even sites, -1 on odd ones
/// Terms of weight zero are left out.
/// q         : (parity, x_cb, i, color 3) complex.
/// G         : (mu 4, parity 2, x_cb, row 3, col 3) complex, no border.
/// Halo      : colour vectors from above, n layers. Collective: no.
/// Flops     : 78 a term and direction. Bytes: each vector once; G once, twice if it is added to.

#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/force/outer_products_call.h"
#include "kernels/halo/slots.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int = 0> struct OuterProductsArg : SiteArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  Storage<S, 6> quarks;
  HaloSlots<S, 6> halo;
  Storage<S, 18, false> gradient;
  int reach, terms;
  bool add;
  number weight[most_outer_terms];

  OuterProductsArg(const OuterProductsCall &c, const TuneParam &)
      : SiteArg(c.quarks.lattice, 8)
      , quarks(c.quarks)
      , halo(c.halo)
      , gradient(c.gradient.field)
      , reach(c.reach)
      , terms(c.terms)
      , add(c.add)
  {
    for (int i = 0; i < terms; i++) weight[i] = static_cast<number>(c.weight[i]);
  }
};

template <class Arg> struct OuterProducts : NoKernelOps {
  using real = typename Arg::real;
  using number = typename Arg::number;
  const Arg &arg;

  template <class Record> QUDA_DEVICE static void read(Complex<real> (&z)[3], const Record &q, const Place &n)
  {
    unpack(z, q);
    if (n.shift) {
      QUDA_UNROLL
      for (int k = 0; k < 3; k++) z[k] = {moved(z[k].re, n), moved(z[k].im, n)};
    }
  }

  /// entry: parity and direction.
  QUDA_DEVICE void operator()(unsigned x_cb, int entry) const
  {
    const int mu = entry / 2;
    const Coord x = arg.index.coord(x_cb, entry % 2);
    const Place here = arg.index.here(x), there = arg.index.neighbour(x, mu, arg.reach);
    Matrix<real> g = multiple_of_unity(real(0.0));
    if (arg.add) unpack(g.e, arg.gradient.read(here, mu));
    for (int i = 0; i < arg.terms; i++) {
      if (arg.weight[i] == 0) continue;
      const real w = real(x.parity ? -arg.weight[i] : arg.weight[i]);
      Complex<real> a[3], b[3];
      unpack(a, arg.quarks.read(here, i));
      if (there.beyond)
        read(b, arg.halo.read(there, mu, +1, i), there);
      else
        read(b, arg.quarks.read(there, i), there);
      QUDA_UNROLL
      for (int k = 0; k < 3; k++) {
        const Complex<real> weighted = scaled(w, a[k]);
        QUDA_UNROLL
        for (int l = 0; l < 3; l++) g(k, l) = conj_multiply_add(b[l], weighted, g(k, l));
      }
    }
    real v[18];
    pack(v, g.e);
    arg.gradient.write(here, mu, v);
  }
};

QUDA_INSTANCES(outer_products, OuterProductsCall, Launch2D<OuterProducts, OuterProductsArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
