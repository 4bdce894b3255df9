#pragma once
/// Where kernels find numbers of a native field: offsets, without a look at the field.

#include "device/kernel_ops.h"
#include "fields/places_table.h"
#include <around.h>
#include <index.h>
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int reals> struct PlacesArg {
  unsigned threads[3];
  PlacesCall call;
  Index index;
  Storage<T, reals> storage;

  explicit PlacesArg(const PlacesCall &call)
      : threads {call.n, 1, 1}
      , call(call)
      , index(call.field.lattice)
      , storage(call.field)
  {
  }
};

template <class Arg> struct Places : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n) const
  {
    const unsigned *r = arg.call.request + 6 * n;
    const Coord x = arg.index.coord(r[0], r[1]);
    const int i = r[2], k = r[3], lane = r[4], d = r[5];
    arg.call.offset[2 * n] = &arg.storage.scalar(arg.index.here(x), i, k, lane) - arg.storage.data;
    arg.call.offset[2 * n + 1] = &arg.storage.scalar(arg.index.neighbour(x, d, +1), i, k, lane) - arg.storage.data;
  }
};

struct AroundArg {
  unsigned threads[3];
  AroundCall call;
  Index index;
  Steps steps;
  LongSteps<3> long_steps;

  explicit AroundArg(const AroundCall &call)
      : threads {2 * call.n, 1, 1}
      , call(call)
      , index(call.lattice)
      , steps(index)
      , long_steps(index)
  {
  }
};

template <class Arg> struct FoundTogether : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE static bool differ(const Place &a, const Place &b)
  {
    if (a.parity != b.parity || a.t != b.t || a.beyond != b.beyond) return true;
    if (a.beyond) return false;
    return a.record != b.record || a.shift != b.shift || (b.up != 0 && a.up != b.up);
  }
  QUDA_DEVICE void operator()(unsigned n) const
  {
    const Coord x = arg.index.coord(n % arg.call.n, n / arg.call.n);
    Around around;
    around.locate(arg.index, arg.steps, x);
    LongAround<3> around_long;
    around_long.locate(arg.index, arg.long_steps, around);
    int bits = 0;
    for (int d = 0; d < 4; d++)
      for (int up = 0; up < 2; up++) {
        const int s = up ? +1 : -1, bit = 1 << (2 * d + up);
        if (differ(around.neighbour(d, s), arg.index.neighbour(x, d, s))) bits |= bit;
        if (differ(around_long.neighbour(around, d, s), arg.index.neighbour(x, d, 3 * s))) bits |= bit << 8;
      }
    arg.call.differ[n] = bits;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
