/// Wilson hop.
///   (D psi)(x) = sum_mu [ (1 - gamma_mu) U_mu(x) psi(x + mu) + (1 + gamma_mu) U_mu(x - mu)^dag psi(x - mu) ],
/// its adjoint with the signs of gamma_mu exchanged; out = a x + b D in, or b D in.
/// in, out, x : (parity, x_cb, inner, spin 4, color 3) complex, DeGrand-Rossi basis; out on one parity is made from in
///              on the other. out aliases neither in; x may be out.
/// Links, halo: as stencil.h has them; half spinors cross a face. Collective: no.
/// Flops      : 1,320 a site, 48 more with x. Bytes: links once, each spinor once.

#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/dirac/finish.h"
#include "kernels/dirac/stencil.h"
#include "kernels/dirac/wilson_call.h"
#include "kernels/dirac/wilson_leg.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct WilsonArg : StencilArg<S, recon, 24, 12> {
  AddTo<S, 24> finish;

  WilsonArg(const WilsonCall &c, const TuneParam &tp)
      : StencilArg<S, recon, 24, 12>(c.hop, tp)
      , finish(c.finish, tp)
  {
  }
};

template <class Arg> struct Wilson : NoKernelOps {
  using Site = StencilSite;
  const Arg &arg;

  QUDA_DEVICE Stencil<Arg> stencil() const { return {arg}; }
  QUDA_DEVICE void locate(Site &site, unsigned n, int p, int tile) const { stencil().locate(site, n, p, tile); }
  /// Registers between a site and the one whose reads are asked for with it.
  QUDA_DEVICE int ahead() const { return arg.prefetch; }

  /// side = -1: the adjoint.
  template <int side, bool asks> QUDA_OUTLINE void entry(const Site &site, const Site *ahead, int i, int rhs) const
  {
    ColorVectors<typename Arg::real, 4> sum;
    stencil().template hop<WilsonLeg<side>, asks>(sum, site, ahead, i);
    arg.finish(sum, site.around.here, i, rhs);
  }

  template <bool asks> QUDA_DEVICE void entries(const Site &site, const Site *ahead) const
  {
    for (int rhs = site.first; rhs < site.last; rhs++)
      for (int i = rhs * arg.layers; i < (rhs + 1) * arg.layers; i++) {
        if (arg.dagger)
          entry<-1, asks>(site, ahead, i, rhs);
        else
          entry<+1, asks>(site, ahead, i, rhs);
      }
  }

  QUDA_DEVICE void operator()(const Site &site, const Site *ahead) const
  {
    if (ahead)
      entries<true>(site, ahead);
    else
      entries<false>(site, nullptr);
  }
};

QUDA_INSTANCES(wilson, WilsonCall, Launch3D<Wilson, WilsonArg>, Stored, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
