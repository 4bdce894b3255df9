#pragma once
/// Numbers that depend on one coordinate of a site: [d][o_d][part][number][width], d all four directions, so that a
/// register has the numbers of its lanes. Made on the host: ops/coordinate_table.h.

#include <index.h>
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> struct CoordinateTable {
  const T *data;
  int numbers; // of a coordinate
  int parts;
  int begin[4]; // of each direction, in coordinates

  CoordinateTable(const void *table, int numbers, const LatticeView &lattice)
      : data(static_cast<const T *>(table))
      , numbers(numbers)
      , parts(lattice.parts)
  {
    begin[0] = 0;
    for (int d = 1; d < 4; d++) begin[d] = begin[d - 1] + lattice.O[d - 1];
  }

  /// Number i of coordinate x_d.
  QUDA_DEVICE Real<T> at(const Coord &x, int d, int i) const
  {
    const T *lanes = data + (static_cast<long long>((begin[d] + x.o[d]) * parts + x.part) * numbers + i) * width<T>;
    return load_array(*reinterpret_cast<const T(*)[width<T>]>(lanes));
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
