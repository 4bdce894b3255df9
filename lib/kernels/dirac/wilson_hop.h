#pragma once
/// The functor of operators whose hop is Wilson's; Arg is a StencilArg with a finish. Arg::Sums: NoSiteSums, or those
/// of a launch that adds up (SiteSums).

#include "device/kernel_ops.h"
#include "kernels/dirac/stencil.h"
#include "kernels/dirac/wilson_leg.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Made from a call that has a hop and what its finish is made from.
template <class S, int recon, class Finish> struct WilsonHopArg : StencilArg<S, recon, 24, 12> {
  using Sums = typename Finish::Into;
  Finish finish;

  template <class Call> WilsonHopArg(const Call &c, const TuneParam &tp)
      : StencilArg<S, recon, 24, 12>(c.hop, tp)
      , finish(c, tp)
  {
  }
};

/// The same where sums ride along.
template <class S, int recon, class Finish> struct SummingHopArg : WilsonHopArg<S, recon, Finish> {
  int sums;   // all of them
  int active; // lanes of a register that hold sites

  template <class Call> SummingHopArg(const Call &c, const TuneParam &tp)
      : WilsonHopArg<S, recon, Finish>(c, tp)
      , sums(FinishSumsCall::each * this->rhs)
      , active(this->index.active())
  {
  }
};

template <class Arg> struct WilsonHop : NoKernelOps {
  using Site = StencilSite;
  const Arg &arg;
  typename Arg::Sums sums {};

  QUDA_DEVICE Stencil<Arg> stencil() const { return {arg}; }
  QUDA_DEVICE void locate(Site &site, unsigned n, int p, int tile) const { stencil().locate(site, n, p, tile); }
  /// Registers between a site and the one whose reads are asked for with it.
  QUDA_DEVICE int ahead() const { return arg.prefetch; }

  /// side = -1: the adjoint.
  template <int side, bool asks, class Links>
  QUDA_OUTLINE void entry(const Site &site, const Site *ahead, const Links &links, int i, int rhs) const
  {
    ColorVectors<typename Arg::real, 4> sum;
    stencil().template hop<WilsonLeg<side>, asks>(sum, site, ahead, links, i);
    arg.finish(sum, site.around.here, i, rhs, sums);
  }

  template <bool asks, class Links>
  QUDA_DEVICE void entries(const Site &site, const Site *ahead, const Links &links) const
  {
    for (int rhs = site.first; rhs < site.last; rhs++)
      for (int i = rhs * arg.layers; i < (rhs + 1) * arg.layers; i++) {
        if (arg.dagger)
          entry<-1, asks>(site, ahead, links, i, rhs);
        else
          entry<+1, asks>(site, ahead, links, i, rhs);
      }
  }

  template <bool asks> QUDA_DEVICE void all_entries(const Site &site, const Site *ahead) const
  {
    using Made = SiteLinks<typename Arg::stored, Arg::recon>;
    if constexpr (Made::useful) {
      if ((site.last - site.first) * arg.layers > 1) {
        Made links;
        links.make(arg.U, site.around);
        return entries<asks>(site, ahead, links);
      }
    }
    entries<asks>(site, ahead, FieldLinks<typename Arg::stored, Arg::recon> {});
  }

  QUDA_DEVICE void operator()(const Site &site, const Site *ahead) const
  {
    if (ahead)
      all_entries<true>(site, ahead);
    else
      all_entries<false>(site, nullptr);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
