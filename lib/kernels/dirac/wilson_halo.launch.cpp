/// Halo of the Wilson hop: the half spinors that hops across a cut face read.
///   read by steps down : U_d(y)^dag (1 + gamma_d) psi(y), y on the rank's last slice
///   read by steps up   : (1 - gamma_d) psi(y),            y on the rank's first slice
/// (signs of gamma_d exchanged for the adjoint).
/// in    : (parity, x_cb, inner, spin 4, color 3) complex. Slots of fixed point are of single precision. Collective:
/// no. Flops : 156 and 12 a site and inner entry.

#include "device/instances.h"
#include "kernels/dirac/wilson_halo_call.h"
#include "kernels/dirac/wilson_leg.h"
#include "kernels/halo/pack.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct WilsonSend {
  using stored = number_of<S>;
  using real = Real<S>;
  static constexpr int reals = 12;
  Gauge<S, recon> U;
  Storage<S, 24> in;
  bool dagger;

  explicit WilsonSend(const WilsonHaloCall &c)
      : U(c.links)
      , in(c.in.field)
      , dagger(c.dagger)
  {
  }

  template <int d, int side, int adjoint> QUDA_DEVICE void product(HalfSpinor<real> &r, const Place &n, int i) const
  {
    const auto q = in.read(n, i);
    if constexpr (side < 0) {
      backward_leg<d, adjoint>(r, q, U.link(n, d));
    } else {
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) {
        Complex<real> h[2];
        project_color<d, -adjoint>(h, q, j);
        r.h[0][j] = h[0];
        r.h[1][j] = h[1];
      }
    }
  }

  template <int d, int side> QUDA_DEVICE void operator()(real (&v)[12], const Place &n, int i) const
  {
    HalfSpinor<real> r;
    if (dagger)
      product<d, side, -1>(r, n, i);
    else
      product<d, side, +1>(r, n, i);
    QUDA_UNROLL
    for (int k = 0; k < 6; k++) {
      v[2 * k] = r.h[k / 3][k % 3].re;
      v[2 * k + 1] = r.h[k / 3][k % 3].im;
    }
  }
};

template <class S, int recon> struct WilsonPackArg : HaloPackArg<WilsonSend<S, recon>> {
  WilsonPackArg(const WilsonHaloCall &c, const TuneParam &)
      : HaloPackArg<WilsonSend<S, recon>>(c.messages, c.parity, WilsonSend<S, recon>(c))
  {
  }
};

QUDA_INSTANCES(wilson_pack, WilsonHaloCall, Launch2D<HaloPack, WilsonPackArg>, Stored, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
