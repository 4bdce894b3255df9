#pragma once
/// Where kernels find numbers of a native field: offsets, without a look at the field.

#include "device/kernel_ops.h"
#include "fields/places_table.h"
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

} // namespace quda::QUDA_TARGET_NAMESPACE
