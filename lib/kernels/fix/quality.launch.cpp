/// Distance of rotated links from their gauge.
///   Delta(x) = M(x)^dag - M(x), made traceless (rotation.h): the gradient of the functional
/// Sums, over the rank's sites, exact: [0] Re tr M, twice the sum of Re tr of the rotated links; [1] tr Delta Delta^dag
/// gradient : Delta_01, Delta_02, Delta_12, and Im Delta_00 + i Im Delta_11, (parity 2, x_cb, 4) complex; or null data.
/// Flops    : rotation.h and 60 a site. Collective: no.

#include "core/tune_param.h"
#include "device/array.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/fix/rotation.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct GaugeQualityArg : RotationArg<S, recon> {
  int directions;
  bool writes;
  Storage<S, 8> gradient;

  GaugeQualityArg(const GaugeQualityCall &c, const TuneParam &)
      : RotationArg<S, recon>(c, 2)
      , directions(c.directions)
      , writes(c.gradient.data != nullptr)
  {
    if (writes) gradient = Storage<S, 8>(c.gradient);
  }
};

template <class Arg> struct GaugeQuality : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 2> operator()(unsigned x_cb, int parity) const
  {
    const Coord x = arg.index.coord(x_cb, parity);
    const Matrix<real> g = stored_matrix(arg.g, arg.at(x));
    Matrix<real> m;
    arg.sum(m, g, x, arg.directions);
    const AntiHermitian<real> half = traceless_anti_hermitian(m);
    array<real, 2> sums;
    sums[0] = trace(m).re;
    sums[1] = real(8.0) * half.half_norm2();
    if (arg.writes) {
      const AntiHermitian<real> delta = scaled(real(-2.0), half);
      const real v[8] = {delta.off[0].re, delta.off[0].im, delta.off[1].re, delta.off[1].im,
                         delta.off[2].re, delta.off[2].im, delta.diag[0],   delta.diag[1]};
      arg.gradient.write(arg.at(x), 0, v);
    }
    return sums;
  }
};

QUDA_INSTANCES(gauge_quality, GaugeQualityCall, Sum2D<GaugeQuality, GaugeQualityArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
