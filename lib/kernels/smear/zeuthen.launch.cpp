/// A stage of the Zeuthen flow (Ramos and Sint, arXiv:1508.05552) from the force of the Symanzik flow.
///   Z_mu(x) = 5/6 F_mu(x) + (V_mu(x) F_mu(x+mu) V_mu(x)^dag + V_mu(x-mu)^dag F_mu(x-mu) V_mu(x-mu)) / 12 + old Z_mu(x)
///   out_mu(x) = exp(step Z_mu(x)) V_mu(x)
/// V, out    : (mu 4, parity 2, x_cb, row 3, col 3) complex; must not alias. F, Z: (mu 4, parity 2, x_cb, 10) reals.
/// Halo      : borders of V and F of depth 1 or more in cut directions, current; Z has none. Collective: no.
/// Flops     : 3,744 a site: per transported force a product and an anti-Hermitian one, 198 + 180, and 180 for sums
///             and the product with the exponential; with whole matrices throughout 3,960. Exponentials not counted.
/// Instances : whole links only, as in flows: double, single = 2.

#include "device/instances.h"
#include "kernels/smear/stout_link.h"
#include "kernels/smear/zeuthen_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct ZeuthenArg : StoutArg<S, recon> {
  Momentum<S> force;

  ZeuthenArg(const ZeuthenCall &c, const TuneParam &tp)
      : StoutArg<S, recon>(c, tp)
      , force(c.force)
  {
    this->threads[2] = 4;
  }
};

template <class Arg> struct Zeuthen : NoKernelOps {
  using real = typename Arg::real;
  using Operand = LinkOperand<typename Arg::stored, Arg::recon>;
  const Arg &arg;

  /// F there, in the lanes of the calling site.
  QUDA_DEVICE Matrix<real> force(const Place &n, int mu) const
  {
    AntiHermitian<real> f = arg.force.read(n, mu);
    if (n.shift) {
      QUDA_UNROLL
      for (int k = 0; k < 3; k++) {
        f.off[k] = {moved(f.off[k].re, n), moved(f.off[k].im, n)};
        f.diag[k] = moved(f.diag[k], n);
      }
    }
    return f.matrix();
  }

  /// 2 V F V^dag, F from ahead
  QUDA_OUTLINE AntiHermitian<real> from_ahead(const Place &here, const Place &ahead, int mu) const
  {
    const Operand v(arg.U, here, mu);
    const Matrix<real> vf = product(v.read(), force(ahead, mu));
    return anti_hermitian_product(vf, v.read());
  }

  /// 2 V^dag F V, V and F from behind
  QUDA_OUTLINE AntiHermitian<real> from_behind(const Place &behind, int mu) const
  {
    const Operand v(arg.U, behind, mu);
    Matrix<real> fv;
    set_product(fv, force(behind, mu), v.read());
    return anti_hermitian_adjoint_product(v.read(), fv);
  }

  QUDA_DEVICE void operator()(unsigned x_cb, int parity, int mu) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Place here = arg.index.here(x);
    AntiHermitian<real> carried = from_ahead(here, arg.index.neighbour(x, mu, +1), mu);
    carried = add_scaled(real(1.0), from_behind(arg.index.neighbour(x, mu, -1), mu), carried);
    const AntiHermitian<real> z =
        add_scaled(real(5.0 / 6.0), arg.force.read(here, mu), scaled_traceless(real(1.0 / 24.0), carried));
    const Operand v(arg.U, here, mu);
    move_link(arg, x, mu, z, v.read());
  }
};

QUDA_INSTANCES(zeuthen, ZeuthenCall, Launch3D<Zeuthen, ZeuthenArg>, Floating, Reconstructs<18>)

} // namespace quda::QUDA_TARGET_NAMESPACE
