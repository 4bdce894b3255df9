#pragma once
/// Places of the numbers of a row field, for kernels over the sites of the finer grid.

#include "core/view.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S> struct CoarseNumbers {
  using number = number_of<S>;
  static constexpr bool lanes = width<S> > 1;
  static constexpr int to_imaginary = width<S>; // from the real part of a number
  FieldView field;
  int X[4];   // extents of its lattice
  int parity; // of a field of one parity, else -1

  QUDA_DEVICE CoarseNumbers() {}
  QUDA_DEVICE CoarseNumbers(const FieldView &coarse, int parity)
      : field(coarse)
      , parity(parity)
  {
    for (int d = 0; d < 4; d++) X[d] = coarse.lattice.X[d];
  }

  /// The first number of a site; null if a field of one parity lacks the site.
  QUDA_DEVICE number *site(const int (&a)[4]) const
  {
    unsigned n = 0, sum = 0;
    for (int d = 3; d >= 0; d--) {
      n = n * X[d] + a[d];
      sum += a[d];
    }
    const int of = static_cast<int>(sum & 1);
    if (parity >= 0 && parity != of) return nullptr;
    const long long of_site = lanes ? field.lattice.parts * field.record_stride : field.vector;
    return static_cast<number *>(field.data) + of * field.parity_stride + n / 2 * of_site;
  }

  /// Offset from there to the real part of a row of right-hand side j; the imaginary part follows at to_imaginary.
  QUDA_DEVICE long long offset(int row, int j) const
  {
    if constexpr (lanes) { // lanes are rows
      const int lane = row % field.lattice.lanes, k = 2 * (row / field.lattice.lanes);
      return lane / width<S> * field.record_stride + j * field.inner_stride + k * width<S> + lane % width<S>;
    } else {
      const long long of_vector = static_cast<long long>(field.lattice.stored_cb) * field.vector;
      return j * field.inner_stride + 2 * row / field.vector * of_vector + 2 * row % field.vector;
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
