/// Wilson's hop D on the layers of a fifth dimension, and a real matrix A there (kernels/dirac/fifth.h) on its sum:
///   out = a x + b A D in + c y, D as in wilson.by_precision.launch.cpp, D^dag with dagger.
/// in, out, x, y : (parity, x_cb, rhs, s, spin 4, color 3) complex, DeGrand-Rossi basis; out on one parity is made from
///              in on the other. out must not alias in; x and y may be out.
/// Layers     : the thread of a site and right-hand side keeps the sums of all its layers, so only targets with
///              room for them have this kernel. In fixed point none has it: elsewhere the hop's sums are
///              rounded before A, and bits are the same on all targets.
/// Links, halo: as in stencil.h; half spinors cross a face. Collective: no.
/// Flops      : 1,320 a site and layer and the matrix's, 48 more with x, with y. Bytes: links once, each spinor once.

#include "device/instances.h"
#include "kernels/dirac/fifth_sweep.h"
#include "kernels/dirac/finish.h"
#include "kernels/dirac/wilson_sums.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

#ifdef QUDA_SITE_SUMS

QUDA_WILSON_SUMS(extern)

template <class S> struct FifthFinish {
  using Into = SiteSums;
  AddTo<S, 24, SiteSums> to;
  FifthSweeps<S, false> sweeps;

  FifthFinish(const FifthHopCall &c, const TuneParam &tp)
      : to(c, tp)
      , sweeps(c.matrix)
  {
  }

  /// Prefetches what the finish of an entry reads and writes.
  QUDA_DEVICE void prefetch(const Place &here, int i) const { to.prefetch(here, i); }
};

/// A chirality of sums.
template <class R> struct SummedLayers {
  ColorVectors<R, 4> *sums;
  int lower;
  QUDA_DEVICE array<R, 12> load(int s) const
  {
    array<R, 12> v;
    QUDA_UNROLL
    for (int k = 0; k < 6; k++) {
      v[2 * k] = sums[s].number(6 * lower + k).re;
      v[2 * k + 1] = sums[s].number(6 * lower + k).im;
    }
    return v;
  }
  QUDA_DEVICE void save(const array<R, 12> &v, int s) const
  {
    QUDA_UNROLL
    for (int k = 0; k < 6; k++) sums[s].number(6 * lower + k) = {v[2 * k], v[2 * k + 1]};
  }
};

template <class Arg> struct FifthHop : NoKernelOps {
  using Site = StencilSite;
  using real = typename Arg::real;
  const Arg &arg;
  typename Arg::Sums sums;

  QUDA_DEVICE void locate(Site &site, unsigned n, int p, int tile) const
  {
    Stencil<Arg> {arg, arg}.locate(site, n, p, tile);
  }
  QUDA_DEVICE int ahead() const { return arg.prefetch; }

  template <int side, class Links>
  QUDA_OUTLINE void layers(const Site &site, const Site *ahead, const Links &links, int rhs) const
  {
    ColorVectors<real, 4> sum[most_fifth];
    const typename Arg::Reads &reads = arg;
    const int first = rhs * arg.layers;
    for (int s = 0; s < arg.layers; s++) {
      arg.finish.prefetch(site.around.here, first + s);
      spinor_sum<WilsonLegs, side>(sum[s], reads, site, ahead, links, first + s);
    }
    for (int chirality = 0; chirality < 2; chirality++)
      arg.finish.sweeps.sweep(SummedLayers<real> {sum, chirality}, chirality, arg.layers);
    for (int s = 0; s < arg.layers; s++) finish_spinor(arg.finish.to, sum[s], site.around.here, first + s, rhs, sums);
  }

  template <class Links> QUDA_DEVICE void all_layers(const Site &site, const Site *ahead, const Links &links) const
  {
    for (int rhs = site.first; rhs < site.last; rhs++) {
      if (arg.dagger)
        layers<-1>(site, ahead, links, rhs);
      else
        layers<+1>(site, ahead, links, rhs);
    }
  }

  QUDA_DEVICE void operator()(const Site &site, const Site *ahead) const
  {
    using Made = SiteLinks<typename Arg::stored, Arg::recon>;
    if constexpr (Made::useful) {
      Made links;
      links.make(arg.U, site.around);
      all_layers(site, ahead, links);
    } else {
      all_layers(site, ahead, FieldLinks<typename Arg::stored, Arg::recon> {});
    }
  }
};

template <class S, int recon> using FifthHopArg = SummingHopArg<S, recon, WilsonLegs, FifthFinish<S>>;

QUDA_INSTANCES(fifth_hop, FifthHopCall, LaunchSiteSums<FifthHop, FifthHopArg>, Floating, WilsonLinks)

#endif

} // namespace quda::QUDA_TARGET_NAMESPACE
