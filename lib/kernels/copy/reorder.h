#pragma once
/// Copies between orders, precisions and gamma bases, site by site: the scalar form, which looks at lanes.
///   to(x, i) = from(x, i) for each site of the rank and each inner entry, or spin by spin
///   to(x, i)_s = sum_t rotation[s][t] from(x, i)_t, terms in the order of t.
/// Runs over the registers of a native side, the target side's where both are native; each lane's record is a run of
/// consecutive reals on a foreign side and a column of registers on a native one.
/// to, from  : (parity, x_cb, inner, reals) of any two orders; must not overlap. Halo: none. Collective: no.
/// Flops     : none. Bytes: each real once on either side. Instances: double, single to double, single = 4.

#include "core/tune_param.h"
#include "device/kernel_ops.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class To, class From, class Call> struct ReorderArg {
  using to_real = To;
  using from_real = From;
  unsigned threads[3];
  Index to_index, from_index;
  Call call;

  explicit ReorderArg(const Call &c)
      : to_index(c.to.field.lattice)
      , from_index(c.from.field.lattice)
      , call(c)
  {
    threads[0] = sites().registers();
    threads[1] = c.parities;
    threads[2] = c.inner;
  }

  QUDA_DEVICE const Index &sites() const { return call.to.native ? to_index : from_index; }
};

template <class Arg> struct Reorder : NoKernelOps {
  using To = typename Arg::to_real;
  using From = typename Arg::from_real;
  const Arg &arg;

  template <class T, class End>
  QUDA_DEVICE LaneRecord<T> record(const End &end, const Index &index, const Coord &x, int lane, int p, int i) const
  {
    if (end.native) return lane_record<T>(end.field, index.same(x).full / 2, lane, p, i);
    unsigned long long lexicographic = 0;
    for (int d = 3; d >= 0; d--) {
      const LatticeView &lattice = arg.sites().lattice;
      lexicographic = lexicographic * lattice.X[d] + x.o[d] + lattice.O[d] * lattice.block[d][lane];
    }
    return consecutive_record(static_cast<T *>(end.data[end.separate ? i : 0]) + p * end.parity_stride +
                              i * end.inner_stride + static_cast<long long>(lexicographic / 2) * end.site_stride);
  }

  QUDA_DEVICE void operator()(unsigned n, int p, int i) const
  {
    const auto &call = arg.call;
    const Index &index = arg.sites();
    const Coord x = index.coord(n, (call.parity + p) & 1);
    for (int l = 0; l < index.active(); l++) {
      const int lane = x.part * index.lattice.width + l;
      const LaneRecord<To> to = record<To>(call.to, arg.to_index, x, lane, p, i);
      const LaneRecord<From> from = record<From>(call.from, arg.from_index, x, lane, p, i);
      if (call.rotate) {
        const int stride = call.reals / call.spins;
        for (int k = 0; k < stride; k++)
          for (int s = 0; s < call.spins; s++) {
            To sum = static_cast<To>(call.rotation[s][0]) * static_cast<To>(from[k]);
            for (int t = 1; t < call.spins; t++)
              sum = sum + static_cast<To>(call.rotation[s][t]) * static_cast<To>(from[t * stride + k]);
            to[s * stride + k] = sum;
          }
      } else {
        for (int k = 0; k < call.reals; k++) to[k] = static_cast<To>(from[k]);
      }
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
