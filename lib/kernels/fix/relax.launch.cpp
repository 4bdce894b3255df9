/// One relaxation of the gauge at all sites of a parity (Mandula and Ogilvie, Phys. Lett. B248 (1990) 156).
///   for the subgroups (0, 1), (1, 2), (0, 2) in turn: r the part of M there (rotation.h, heatbath/su2.h), a = r^dag,
///     X = (w a_0^2 + a_i a_i) / (a_0^2 + a_i a_i),   h = (a_0, X a_i) / |(a_0, X a_i)|,   g <- h g,   M <- h M
///   w = 1 makes Re tr h M largest, w > 1 goes beyond. Then the rows of g are made orthonormal.
/// g    : (parity 2, x_cb, row 3, col 3) complex; g on the other parity is read, with its halo.
/// Flops: rotation.h, 4 x 198 for the subgroups and 165 for the rows: 4,449 a site in four dimensions, 3,621 in three.
/// Collective: no.

#include "core/tune_param.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/unitarise.h"
#include "kernels/fix/rotation.h"
#include "kernels/heatbath/su2.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int recon> struct RelaxArg : RotationArg<S, recon> {
  int parity, directions;
  number_of<S> boost;

  RelaxArg(const RelaxCall &c, const TuneParam &)
      : RotationArg<S, recon>(c, 1)
      , parity(c.parity)
      , directions(c.directions)
      , boost(static_cast<number_of<S>>(c.boost))
  {
  }
};

template <class Arg> struct Relax : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  /// h
  QUDA_DEVICE Quaternion<real> element(const Quaternion<real> &r) const
  {
    const real one = real(1.0), zero = real(0.0);
    const real scalar2 = r.a[0] * r.a[0];
    const real vector2 = fma(r.a[3], r.a[3], fma(r.a[2], r.a[2], r.a[1] * r.a[1]));
    const auto none = scalar2 + vector2 == zero;
    const real both = select(none, one, scalar2 + vector2);
    const real x = fma(real(arg.boost), scalar2, vector2) / both;
    const real length2 = select(none, one, fma(x * x, vector2, scalar2));
    const real scale = one / sqrt(length2), minus = -(x * scale);
    return {{select(none, one, scale * r.a[0]), minus * r.a[1], minus * r.a[2], minus * r.a[3]}};
  }

  QUDA_DEVICE void operator()(unsigned x_cb) const
  {
    const Coord x = arg.index.coord(x_cb, arg.parity);
    Matrix<real> g = stored_matrix(arg.g, arg.at(x)), m;
    arg.sum(m, g, x, arg.directions);
    QUDA_UNROLL
    for (int s = 0; s < 3; s++) {
      const int p = s == 1, q = s == 0 ? 1 : 2;
      const Quaternion<real> h = element(subgroup_part(m, p, q));
      multiply_rows(h, p, q, m);
      multiply_rows(h, p, q, g);
    }
    unitarise_rows(g);
    store_matrix(arg.g, arg.at(x), g);
  }
};

QUDA_INSTANCES(relax_gauge, RelaxCall, Launch1D<Relax, RelaxArg>, Floating, WilsonLinks)

} // namespace quda::QUDA_TARGET_NAMESPACE
