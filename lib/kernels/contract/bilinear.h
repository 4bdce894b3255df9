#pragma once
/// Building blocks of contractions: products of two spins' colours, and sums of four of them with the signs of the
/// entries of gamma matrices.

#include "device/complex.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The colour vector of spin s in a record of spinors.
template <class R, int c, class Record> QUDA_DEVICE Complex<R> color_of(const Record &q, int s)
{
  return {q[6 * s + 2 * c], q[6 * s + 2 * c + 1]};
}

/// sum_c conj(x_{ac}) y_{bc}
template <class R, class Record> QUDA_DEVICE Complex<R> color_product(const Record &x, int a, const Record &y, int b)
{
  Complex<R> sum = conj_multiply(color_of<R, 0>(x, a), color_of<R, 0>(y, b));
  sum = conj_multiply_add(color_of<R, 1>(x, a), color_of<R, 1>(y, b), sum);
  return conj_multiply_add(color_of<R, 2>(x, a), color_of<R, 2>(y, b), sum);
}

/// The same, added to a sum.
template <class R, class Record>
QUDA_DEVICE Complex<R> add_color_product(const Record &x, int a, const Record &y, int b, Complex<R> sum)
{
  sum = conj_multiply_add(color_of<R, 0>(x, a), color_of<R, 0>(y, b), sum);
  sum = conj_multiply_add(color_of<R, 1>(x, a), color_of<R, 1>(y, b), sum);
  return conj_multiply_add(color_of<R, 2>(x, a), color_of<R, 2>(y, b), sum);
}

/// p_0 +- p_1 +- p_2 +- p_3, by the signs of the second and the third: (+, s2, s3, s2 s3).
template <class R> struct SignedSums {
  Complex<R> pp, pm, mp, mm;
};

template <class R> QUDA_DEVICE SignedSums<R> signed_sums(const Complex<R> (&p)[4])
{
  const Complex<R> s = p[0] + p[1], d = p[0] - p[1], S = p[2] + p[3], D = p[2] - p[3];
  return {s + S, s - S, d + D, d - D};
}

} // namespace quda::QUDA_TARGET_NAMESPACE
