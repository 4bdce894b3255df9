/// Halo of hops with spin-blind legs: colour vectors for the legs across a cut face.
///   from behind : U_d(y)^dag psi(y), y on the rank's last slices
///   from ahead  : psi(y),            y on the rank's first slices
/// in    : (parity, x_cb, inner, spin 1 or 4, color 3) complex. Slots of fixed point are of single precision.
/// Flops : 66 a spin and product. Collective: no.

#include "device/instances.h"
#include "device/long_links.h"
#include "kernels/dirac/color_leg.h"
#include "kernels/dirac/hop_halo_call.h"
#include "kernels/halo/pack.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon, int spins> struct ColorSend {
  using stored = number_of<S>;
  using real = Real<S>;
  static constexpr int reals = 6 * spins;
  Gauge<S, recon> U;
  Storage<S, reals> in;

  explicit ColorSend(const HopHaloCall &c)
      : U(c.links)
      , in(c.in.field)
  {
  }

  template <int d, int side> QUDA_DEVICE void operator()(real (&v)[reals], const Place &n, int i) const
  {
    const auto q = in.read(n, i);
    if constexpr (side < 0) {
      ColorVectors<real, spins> r;
      color_backward(r, q, U.link(n, d));
      QUDA_UNROLL
      for (int k = 0; k < reals / 2; k++) {
        v[2 * k] = r.number(k).re;
        v[2 * k + 1] = r.number(k).im;
      }
    } else {
      QUDA_UNROLL
      for (int k = 0; k < reals; k++) v[k] = q[k];
    }
  }
};

template <class S, int recon, int spins> struct CovariantPackArg : HaloPackArg<ColorSend<S, recon, spins>> {
  CovariantPackArg(const HopHaloCall &c, const TuneParam &)
      : HaloPackArg<ColorSend<S, recon, spins>>(c.messages, c.parity, ColorSend<S, recon, spins>(c))
  {
  }
};
template <class S, int recon> using ColorPackArg = CovariantPackArg<S, recon, 1>;
template <class S, int recon> using SpinorPackArg = CovariantPackArg<S, recon, 4>;

QUDA_INSTANCES(color_pack, HopHaloCall, Launch2D<HaloPack, ColorPackArg>, Stored, LongReconstructs<18, 12, 13, 9>)
QUDA_INSTANCES(spinor_pack, HopHaloCall, Launch2D<HaloPack, SpinorPackArg>, Stored, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
