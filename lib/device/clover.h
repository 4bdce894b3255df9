#pragma once
/// Chiral blocks of clover terms: Hermitian 6 x 6 matrices on the two spins and three colours of one chirality,
/// row 3 spin + color. The first six of 36 reals are the diagonal, then come the 15 complex elements below it, column
/// by column.

#include "core/view.h"
#include "device/complex.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Real number of the real part of element (i, j), i > j.
constexpr int below_diagonal(int i, int j) { return 6 + 2 * (15 - (6 - j) * (5 - j) / 2 + i - j - 1); }

/// y = B x without the scale of B's record: each element is loaded once, for its place and its mirror image.
template <class R, class Record>
QUDA_DEVICE void block_product(Complex<R> (&y)[6], const Record &b, const Complex<R> (&x)[6])
{
  QUDA_UNROLL
  for (int i = 0; i < 6; i++) y[i] = scaled(b.raw(i), x[i]);
  QUDA_UNROLL
  for (int j = 0; j < 5; j++) {
    QUDA_UNROLL
    for (int i = j + 1; i < 6; i++) {
      const int k = below_diagonal(i, j);
      const Complex<R> e = {b.raw(k), b.raw(k + 1)};
      y[i] = multiply_add(e, x[j], y[i]);
      y[j] = conj_multiply_add(e, x[i], y[j]);
    }
  }
}

/// The elements below the diagonal of a 6 x 6 matrix, in their order.
template <class R> struct LowerTriangle {
  Complex<R> e[15];
  QUDA_DEVICE Complex<R> &operator()(int i, int j) { return e[(below_diagonal(i, j) - 6) / 2]; }
  QUDA_DEVICE const Complex<R> &operator()(int i, int j) const { return e[(below_diagonal(i, j) - 6) / 2]; }
};

/// A chiral block in registers: diagonal and lower triangle.
template <class R, class Record>
QUDA_DEVICE void get_block(R (&diagonal)[6], LowerTriangle<R> &below, const Record &record)
{
  QUDA_UNROLL
  for (int i = 0; i < 6; i++) diagonal[i] = record.get(i);
  QUDA_UNROLL
  for (int n = 0; n < 15; n++) below.e[n] = {record.get(6 + 2 * n), record.get(7 + 2 * n)};
}

/// A clover term: (parity, x_cb, block 2, 36).
template <class S> using Clover = Storage<S, 36>;

} // namespace quda::QUDA_TARGET_NAMESPACE
