/// The two chiralities of spinors as separate columns, with or without a gamma matrix:
///   out_{Y N + j} = G P_Y in_j,   j = 0 ... N - 1,   Y = 0: spins 0, 1; Y = 1: spins 2, 3;   G = 1 or 1 +- gamma_mu
/// for one Y, whose columns are then the first, or both.
/// in, out: (parity, x_cb, right-hand side, spin 4, color 3) complex, DeGrand-Rossi basis.
/// Index  : x, y: sites, parities; z: j. Halo: none. Collective: no. Flops: none. Bytes: each number once.

#include "device/gamma.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/register_place.h"
#include "device/site_arg.h"
#include "kernels/multigrid/blocks_call.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int> struct ChiralColumnsArg : SiteArg {
  using real = Real<S>;
  Storage<S, 24> in, out;
  int columns, first, last, direction, sign, parity;
  bool streaming;

  ChiralColumnsArg(const ChiralColumnsCall &c, const TuneParam &tp)
      : SiteArg(c.in.lattice, c.parities, static_cast<unsigned>(c.in.rhs))
      , in(c.in)
      , out(c.out)
      , columns(c.in.rhs)
      , first(c.first)
      , last(c.last)
      , direction(c.direction)
      , sign(c.sign)
      , parity(c.parity)
      , streaming(tp.streaming)
  {
  }
};

template <class Arg> struct ChiralColumns : NoKernelOps {
  using real = typename Arg::real;
  using C = Complex<real>;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, unsigned y, unsigned z) const
  {
    const Place here = register_place(x_cb, arg.parity + static_cast<int>(y));
    const int j = static_cast<int>(z);
    if (arg.direction < 0) columns<-1, 1>(here, j);
    if (arg.direction == 0) of_sign<0>(here, j);
    if (arg.direction == 1) of_sign<1>(here, j);
    if (arg.direction == 2) of_sign<2>(here, j);
    if (arg.direction == 3) of_sign<3>(here, j);
  }

private:
  template <int mu> QUDA_DEVICE void of_sign(const Place &here, int j) const
  {
    if (arg.sign > 0)
      columns<mu, 1>(here, j);
    else
      columns<mu, -1>(here, j);
  }

  template <int mu, int sign> QUDA_DEVICE void columns(const Place &here, int j) const
  {
    const auto in = arg.in.read(here, j);
    QUDA_UNROLL
    for (int Y = 0; Y < 2; Y++) {
      if (Y < arg.first || Y > arg.last) continue;
      real v[24];
      QUDA_UNROLL
      for (int c = 0; c < 3; c++) {
        C psi[4];
        QUDA_UNROLL
        for (int s = 0; s < 4; s++) {
          const int k = 6 * s + 2 * c;
          psi[s] = s / 2 == Y ? C {in[k], in[k + 1]} : C {real(0.0), real(0.0)};
        }
        if constexpr (mu >= 0) {
          C h[2], lower[2] = {C {real(0.0), real(0.0)}, C {real(0.0), real(0.0)}};
          project<mu, sign>(h, psi);
          add_lower<mu, sign>(lower, h[0], h[1]);
          psi[0] = h[0], psi[1] = h[1], psi[2] = lower[0], psi[3] = lower[1];
        }
        QUDA_UNROLL
        for (int s = 0; s < 4; s++) v[6 * s + 2 * c] = psi[s].re, v[6 * s + 2 * c + 1] = psi[s].im;
      }
      arg.out.write(here, (Y - arg.first) * arg.columns + j, v, arg.streaming);
    }
  }
};

QUDA_INSTANCES(chiral_columns, ChiralColumnsCall, Launch3D<ChiralColumns, ChiralColumnsArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
