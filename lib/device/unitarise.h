#pragma once
/// An SU(3) matrix next to an almost unitary one: Gram-Schmidt on the rows.

#include "device/matrix.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Scales row i to length 1.
template <class R> QUDA_DEVICE void normalise_row(Matrix<R> &m, int i)
{
  R norm2 = m(i, 0).re * m(i, 0).re;
  norm2 = fma(m(i, 0).im, m(i, 0).im, norm2);
  QUDA_UNROLL
  for (int j = 1; j < 3; j++) norm2 = fma(m(i, j).im, m(i, j).im, fma(m(i, j).re, m(i, j).re, norm2));
  const R scale = R(1.0) / sqrt(norm2);
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) m(i, j) = scaled(scale, m(i, j));
}

/// Row 0 normalised, row 1 made orthogonal to it and normalised, row 2 the conjugate cross product of the two.
template <class R> QUDA_DEVICE void unitarise_rows(Matrix<R> &m)
{
  normalise_row(m, 0);
  Complex<R> along = conj_multiply(m(0, 0), m(1, 0));
  QUDA_UNROLL
  for (int j = 1; j < 3; j++) along = conj_multiply_add(m(0, j), m(1, j), along);
  const Complex<R> minus = {-along.re, -along.im};
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) m(1, j) = multiply_add(minus, m(0, j), m(1, j));
  normalise_row(m, 1);
  QUDA_UNROLL
  for (int j = 0; j < 3; j++) {
    const int k = (j + 1) % 3, l = (j + 2) % 3;
    m(2, j) = conj_cross(m(0, k), m(1, l), m(0, l), m(1, k));
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
