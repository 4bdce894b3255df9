#pragma once
/// Plane waves at a site: products of four numbers, one for each coordinate, rounded as written.

#include "device/complex.h"
#include "device/coordinate_table.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A complex number for each wave and coordinate.
template <class T> struct WaveTable {
  CoordinateTable<T> table;

  WaveTable(const void *waves, int n_waves, const LatticeView &lattice)
      : table(waves, 2 * n_waves, lattice)
  {
  }

  /// (f_0 f_1) (f_2 f_3)
  QUDA_DEVICE Complex<Real<T>> at(const Coord &x, int wave) const
  {
    return multiply(multiply(factor(x, 0, wave), factor(x, 1, wave)), multiply(factor(x, 2, wave), factor(x, 3, wave)));
  }

private:
  QUDA_DEVICE Complex<Real<T>> factor(const Coord &x, int d, int wave) const
  {
    return {table.at(x, d, 2 * wave), table.at(x, d, 2 * wave + 1)};
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
