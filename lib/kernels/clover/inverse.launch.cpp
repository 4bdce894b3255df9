/// Inverse and determinant of clover terms, chiral block by chiral block.
///   A = L D L^dag, L with ones on its diagonal; A^-1 = L^-dag D^-1 L^-1; log det A = sum of log D
/// Sums of each parity: [0] log det A, of |D| where D is not positive, [1] blocks that are not positive definite.
/// in, out   : (parity 2, x_cb, block 2, 36), device/clover.h; out is not in.
/// Halo      : none. Collective: no.
/// Flops     : 1,086 a block, logarithms not counted. Bytes: each term once.

#include "device/array.h"
#include "device/clover.h"
#include "device/functions.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/clover/inverse_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int> struct CloverInverseArg : SiteArg {
  using stored = S;
  using real = Real<S>;
  FieldView in, out;

  CloverInverseArg(const CloverInverseCall &c, const TuneParam &)
      : SiteArg(c.in.lattice, 2, 2)
      , in(c.in)
      , out(c.out)
  {
  }
};

template <class Arg> struct CloverInverse : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  /// l, holding A below its diagonal, becomes L; d, its diagonal, D, and one_by_d 1 / D.
  QUDA_DEVICE static void factorise(LowerTriangle<real> &l, real (&d)[6], real (&one_by_d)[6])
  {
    QUDA_UNROLL
    for (int j = 0; j < 6; j++) {
      one_by_d[j] = real(1.0) / d[j];
      Complex<real> a[6];
      QUDA_UNROLL
      for (int i = j + 1; i < 6; i++) {
        a[i] = l(i, j);
        l(i, j) = scaled(one_by_d[j], a[i]);
        d[i] = fnma(a[i].im, l(i, j).im, fnma(a[i].re, l(i, j).re, d[i]));
        QUDA_UNROLL
        for (int m = j + 1; m < i; m++) l(i, m) = multiply_subtract(a[i], conj(l(m, j)), l(i, m));
      }
    }
  }

  /// L becomes L^-1.
  QUDA_DEVICE static void invert(LowerTriangle<real> &l)
  {
    QUDA_UNROLL
    for (int j = 0; j < 5; j++) {
      QUDA_UNROLL
      for (int i = j + 1; i < 6; i++) {
        Complex<real> sum = l(i, j);
        QUDA_UNROLL
        for (int k = j + 1; k < i; k++) sum = multiply_add(l(i, k), l(k, j), sum);
        l(i, j) = {-sum.re, -sum.im};
      }
    }
  }

  QUDA_DEVICE array<real, 2> operator()(unsigned x_cb, int block, int parity) const
  {
    using S = typename Arg::stored;
    const auto in = register_record<S>(arg.in, x_cb, parity, block);
    LowerTriangle<real> l;
    real d[6], one_by_d[6];
    get_block(d, l, in);
    factorise(l, d, one_by_d);

    const real zero = real(0.0), one = real(1.0);
    array<real, 2> sums;
    sums[0] = zero;
    auto positive = zero < one;
    QUDA_UNROLL
    for (int i = 0; i < 6; i++) {
      positive = positive & (d[i] > zero);
      sums[0] = sums[0] + log(select(d[i] > zero, d[i], -d[i]));
    }
    sums[1] = select(positive, zero, one);
    if (!arg.out.data) return sums;

    invert(l);
    const auto out = register_record<S>(arg.out, x_cb, parity, block);
    QUDA_UNROLL
    for (int j = 0; j < 6; j++) {
      QUDA_UNROLL
      for (int i = j; i < 6; i++) {
        // sum over k >= i of conj(L^-1_ki) L^-1_kj / D_k
        Complex<real> sum = {i == j ? one_by_d[i] : one_by_d[i] * l(i, j).re, i == j ? zero : one_by_d[i] * l(i, j).im};
        QUDA_UNROLL
        for (int k = i + 1; k < 6; k++) sum = conj_multiply_add(scaled(one_by_d[k], l(k, i)), l(k, j), sum);
        const int at = i == j ? i : below_diagonal(i, j);
        out.put(at, sum.re, false);
        if (i != j) out.put(at + 1, sum.im, false);
      }
    }
    return sums;
  }
};

QUDA_INSTANCES(clover_inverse, CloverInverseCall, Sum3D<CloverInverse, CloverInverseArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
