#pragma once
/// The functor of all hops. A hop is defined by its legs (wilson_leg.h, color_leg.h) and its finish:
///
///   struct Legs {
///     static constexpr int spins = 4;           // of in and of the sum
///     static constexpr int product_reals = 12;  // of a record that crosses a face
///     static constexpr bool sided = true;       // the adjoint has separate legs, side = -1
///     template <int side> using Leg = ...;
///   };
///
/// Legs of two lengths: also `template <int side> using LongLeg`, for the second links of a TwoLengthHopArg.
///
/// Finish::Into: NoSiteSums, or the sums of the launch (SiteSums).

#include "device/kernel_ops.h"
#include "kernels/dirac/stencil.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Made from a call that contains a hop and the data of its finish.
template <class S, int recon, class OfHop, class Finish> struct HopArg
    : StencilArg<S, recon, 6 * OfHop::spins, OfHop::product_reals> {
  using Legs = OfHop;
  using Reads = StencilArg<S, recon, 6 * Legs::spins, Legs::product_reals>; // operands of the sum
  using Sums = typename Finish::Into;
  using Site = StencilSite;
  static constexpr bool two_lengths = false;
  Finish finish;

  template <class Call> HopArg(const Call &c, const TuneParam &tp)
      : Reads(c.hop, tp)
      , finish(c, tp)
  {
  }
};

/// The same with additional legs of another length, whose links have reconstruct `of_long`.
template <class S, int recon, int of_long, class OfHop, class Finish> struct TwoLengthHopArg
    : HopArg<S, recon, OfHop, Finish> {
  using Reads = TwoLengthHopArg;
  using Site = TwoLengthSite;
  static constexpr bool two_lengths = true;
  static constexpr bool long_units = is_fixed<S> || of_long != 18; // long links have a unit of their own
  using LongReach = StencilReach<S, of_long, OfHop::product_reals>;
  LongReach long_reach;
  LongSteps<3> long_steps;
  number_of<S> long_unit;

  template <class Call> TwoLengthHopArg(const Call &c, const TuneParam &tp)
      : HopArg<S, recon, OfHop, Finish>(c, tp)
      , long_reach(c.long_legs.links, c.long_legs.halo)
      , long_steps(this->index)
      , long_unit(static_cast<number_of<S>>(c.long_legs.unit * (of_long == 9 && is_fixed<S> ? fixed_one<S> : 1)))
  {
    for (int d = 0; d < 4; d++) this->halo.slot[d][1] = long_reach.halo.slot[d][1];
  }
};

/// A HopArg with sums over the result, on request.
template <class S, int recon, class OfHop, class Finish> struct SummingHopArg : HopArg<S, recon, OfHop, Finish> {
  int sums;   // for all right-hand sides; 0: no sums requested
  int active; // lanes of a register that hold sites

  template <class Call> SummingHopArg(const Call &c, const TuneParam &tp)
      : HopArg<S, recon, OfHop, Finish>(c, tp)
      , sums(c.finish.sums.limbs ? FinishSumsCall::each * this->rhs : 0)
      , active(this->index.active())
  {
  }
};

/// The sum over the legs at a site, for one inner entry; side = -1: for the adjoint.
template <class Legs, int side, bool prefetches, class Sum, class Reads, class Site, class Links>
QUDA_DEVICE void hop_sum(Sum &sum, const Reads &arg, const Site &site, const Site *ahead, const Links &links, int i)
{
  const Stencil<Reads> stencil = {arg, arg};
  if constexpr (requires { typename Reads::LongReach; }) {
    using LongReach = typename Reads::LongReach;
    const Stencil<Reads, LongReach> of_long = {arg, arg.long_reach};
    const FieldLinks<typename Reads::stored, LongReach::recon> long_links;
    of_long.template hop<typename Legs::template LongLeg<side>, prefetches>(sum, site, ahead, long_links, i);
    if constexpr (Reads::long_units) {
      QUDA_UNROLL
      for (int k = 0; k < sum.numbers; k++) sum.number(k) = scaled(typename Reads::real(arg.long_unit), sum.number(k));
    }
    stencil.template add<typename Legs::template Leg<side>, prefetches>(sum, site, ahead, links, i);
  } else {
    stencil.template hop<typename Legs::template Leg<side>, prefetches>(sum, site, ahead, links, i);
  }
}

/// A sum whose upper spins stay in registers, with the six numbers of a product, and whose lower ones stay in memory:
/// this fits 32 registers. With 16 of them numbers would be spilled all the more.
template <class R> struct HalvedSum {
  static constexpr int spins = 4, numbers = 12;
  ColorVectors<R, 2> upper;
  ColorVectors<R, 4> &whole;

  QUDA_DEVICE Complex<R> &number(int k) { return k < 6 ? upper.number(k) : whole.number(k); }
};
template <class Legs> constexpr bool holds_halves = width<float> == 16 && Legs::product_reals == 12; // AVX-512

// Sum and finish of spinors are separate functions on CPUs: a sum is compiled once for all finishes, and a finish
// once for all links, sides and kinds of prefetch.
template <class Legs, int side, class Reads, class Links>
QUDA_OUTLINE void spinor_sum(ColorVectors<typename Reads::real, 4> &sum, const Reads &arg, const StencilSite &site,
                             const StencilSite *ahead, const Links &links, int i)
{
  if constexpr (holds_halves<Legs>) {
    HalvedSum<typename Reads::real> halves {{}, sum};
    hop_sum<Legs, side, true>(halves, arg, site, ahead, links, i);
    QUDA_UNROLL
    for (int k = 0; k < 6; k++) sum.number(k) = halves.upper.number(k);
  } else {
    hop_sum<Legs, side, true>(sum, arg, site, ahead, links, i);
  }
}
template <class Finish, class R, class Sums> QUDA_OUTLINE void
finish_spinor(const Finish &finish, ColorVectors<R, 4> &sum, const Place &here, int i, int rhs, const Sums &sums)
{
  finish(sum, here, i, rhs, sums);
}

template <class Arg> struct Hop : NoKernelOps {
  using Legs = typename Arg::Legs;
  using Site = typename Arg::Site;
  const Arg &arg;
  typename Arg::Sums sums {};

  QUDA_DEVICE void locate(Site &site, unsigned n, int p, int tile) const
  {
    Stencil<Arg> {arg, arg}.locate(site, n, p, tile);
  }
  /// Registers between a site and the one prefetched with it.
  QUDA_DEVICE int ahead() const { return arg.prefetch; }

  template <int side, bool prefetches, class Links>
  QUDA_OUTLINE void entry(const Site &site, const Site *ahead, const Links &links, int i, int rhs) const
  {
    ColorVectors<typename Arg::real, Legs::spins> sum;
    const typename Arg::Reads &reads = arg;
    if constexpr (Legs::spins == 4) {
      spinor_sum<Legs, side>(sum, reads, site, ahead, links, i);
      if (ahead) arg.finish.prefetch(ahead->around.here, i);
      finish_spinor(arg.finish, sum, site.around.here, i, rhs, sums);
    } else {
      hop_sum<Legs, side, prefetches>(sum, reads, site, ahead, links, i);
      if (prefetches && ahead) arg.finish.prefetch(ahead->around.here, i);
      arg.finish(sum, site.around.here, i, rhs, sums);
    }
  }

  template <bool prefetches, class Links>
  QUDA_DEVICE void entries(const Site &site, const Site *ahead, const Links &links) const
  {
    for (int rhs = site.first; rhs < site.last; rhs++)
      for (int i = rhs * arg.layers; i < (rhs + 1) * arg.layers; i++) {
        if constexpr (Legs::sided) {
          if (arg.dagger) {
            entry<-1, prefetches>(site, ahead, links, i, rhs);
            continue;
          }
        }
        entry<+1, prefetches>(site, ahead, links, i, rhs);
      }
  }

  template <bool prefetches> QUDA_DEVICE void all_entries(const Site &site, const Site *ahead) const
  {
    using Made = SiteLinks<typename Arg::stored, Arg::recon>;
    if constexpr (Made::useful && Legs::template Leg<1>::length == 1 && !Arg::two_lengths) {
      if ((site.last - site.first) * arg.layers > 1) {
        Made links;
        links.make(arg.U, site.around);
        return entries<prefetches>(site, ahead, links);
      }
    }
    entries<prefetches>(site, ahead, FieldLinks<typename Arg::stored, Arg::recon> {});
  }

  /// ahead: the later site whose operands are prefetched with this one's, or null. If a site is little work,
  /// tests of that cost time, and each case is an instance of its own.
  QUDA_DEVICE void operator()(const Site &site, const Site *ahead) const
  {
    if constexpr (Legs::spins == 1) {
      if (!ahead) return all_entries<false>(site, nullptr);
    }
    all_entries<true>(site, ahead);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
