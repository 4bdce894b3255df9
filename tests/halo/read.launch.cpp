/// A kernel as an operator is one: it asks the index for a place, and reads the field or the slot of its halo.

#include "device/instances.h"
#include "device/kernel_ops.h"
#include "halo/read_call.h"
#include "kernels/halo/slots.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int n> struct HaloReadArg {
  using number = T;
  static constexpr int reals = n;
  unsigned threads[3];
  Index index;
  Storage<T, n> in, out;
  HaloSlots<T, n> halo;
  int d, steps, parity, inner;

  HaloReadArg(const HaloReadCall &c, const TuneParam &)
      : index(c.in.lattice)
      , in(c.in)
      , out(c.out)
      , halo(c.halo)
      , d(c.d)
      , steps(c.steps)
      , parity(c.parity)
      , inner(c.in.inner)
  {
    threads[0] = index.registers();
    threads[1] = c.parities;
    threads[2] = 1;
  }
};

template <class Arg> struct HaloRead : NoKernelOps {
  using T = typename Arg::number;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int p) const
  {
    const Coord x = arg.index.coord(x_cb, arg.parity + p);
    const Place n = arg.index.neighbour(x, arg.d, arg.steps);
    for (int i = 0; i < arg.inner; i++) {
      Real<T> v[Arg::reals];
      if (n.beyond) {
        const auto q = arg.halo.read(n, arg.d, arg.steps, i);
        for (int k = 0; k < Arg::reals; k++) v[k] = q[k];
      } else {
        const auto q = arg.in.read(n, i);
        for (int k = 0; k < Arg::reals; k++) v[k] = n.shift ? moved(q[k], n) : q[k];
      }
      arg.out.write(arg.index.here(x), i, v);
    }
  }
};

QUDA_INSTANCES(halo_read, HaloReadCall, Launch2D<HaloRead, HaloReadArg>, Floating, Variants<6, 12, 24>)

} // namespace quda::QUDA_TARGET_NAMESPACE
