#pragma once
/// The functor of operators whose hop is Wilson's; Arg is a StencilArg with a finish.

#include "device/kernel_ops.h"
#include "kernels/dirac/stencil.h"
#include "kernels/dirac/wilson_leg.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Arg> struct WilsonHop : NoKernelOps {
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

} // namespace quda::QUDA_TARGET_NAMESPACE
