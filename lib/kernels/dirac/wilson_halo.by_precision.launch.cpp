/// Halo of the Wilson hop: half spinors for the hops across a cut face.
///   read by steps down : U_d(y)^dag (1 + gamma_d) psi(y), y on the rank's last slice
///   read by steps up   : (1 - gamma_d) psi(y),            y on the rank's first slice
/// (signs of gamma_d exchanged for the adjoint).
/// in    : (parity, x_cb, inner, spin 4, color 3) complex. Slots of fixed point are of single precision.
/// Flops : 156 and 12 a site and inner entry. Collective: no.

#include "device/instances.h"
#include "kernels/dirac/hop_halo_call.h"
#include "kernels/dirac/wilson_leg.h"
#include "kernels/halo/pack.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A spinor whose lower spins change sign: in the chiral basis (1 + gamma) of it is (1 - gamma) of the original
/// spinor, to the bit, so that the adjoint needs no instances of its own.
template <class R, class Site> struct SignedLower {
  Site q;
  R lower; // +1 or -1
  QUDA_DEVICE R raw(int k) const { return k < 12 ? q.raw(k) : lower * q.raw(k); }
  QUDA_DEVICE auto scale() const { return q.scale(); }
};

template <class S, int recon> struct WilsonSend {
  using stored = number_of<S>;
  using real = Real<S>;
  using Site = decltype(Storage<S, 24>().read(Place(), 0));
  static constexpr int reals = 12;
  Gauge<S, recon> U;
  Storage<S, 24> in;
  bool dagger;

  explicit WilsonSend(const HopHaloCall &c)
      : U(c.links)
      , in(c.in.field)
      , dagger(c.dagger)
  {
  }

  template <int d, int side> QUDA_DEVICE void operator()(real (&v)[12], const Place &n, int i) const
  {
    const SignedLower<real, Site> q = {in.read(n, i), real(dagger ? -1.0f : 1.0f)};
    HalfSpinor<real> r;
    if constexpr (side < 0) {
      backward_leg<d, +1>(r, q, U.link(n, d));
    } else {
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) {
        Complex<real> h[2];
        project_color<d, -1>(h, q, j);
        r.h[0][j] = h[0];
        r.h[1][j] = h[1];
      }
    }
    QUDA_UNROLL
    for (int k = 0; k < 6; k++) {
      v[2 * k] = r.h[k / 3][k % 3].re;
      v[2 * k + 1] = r.h[k / 3][k % 3].im;
    }
  }
};

template <class S, int recon> struct WilsonPackArg : HaloPackArg<WilsonSend<S, recon>> {
  WilsonPackArg(const HopHaloCall &c, const TuneParam &)
      : HaloPackArg<WilsonSend<S, recon>>(c.messages, c.parity, WilsonSend<S, recon>(c))
  {
  }
};

QUDA_INSTANCES(wilson_pack, HopHaloCall, Launch2D<HaloPack, WilsonPackArg>, Stored, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
