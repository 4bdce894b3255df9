/// Squares and products of clover terms, chiral block by chiral block:
///   out = A^2 + shift, the matrix that twisted clover fermions invert
///   out = A B, of two that commute, so that it is Hermitian
/// in, out   : (parity 2, x_cb, block 2, 36), device/clover.h; out may be an input.
/// Halo      : none. Collective: no.
/// Flops     : 657 a block, 846. Bytes: each term once.

#include "device/clover.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/clover/square_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int> struct CloverSquareArg : SiteArg {
  using stored = S;
  using real = Real<S>;
  FieldView in, out;
  number_of<S> shift;

  CloverSquareArg(const CloverSquareCall &c, const TuneParam &)
      : SiteArg(c.in.lattice, 2, 2)
      , in(c.in)
      , out(c.out)
      , shift(static_cast<number_of<S>>(c.shift))
  {
  }
};

template <class Arg> struct CloverSquare : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int block, int parity) const
  {
    using S = typename Arg::stored;
    real d[6];
    LowerTriangle<real> l;
    get_block(d, l, register_record<S>(arg.in, x_cb, parity, block));
    const auto out = register_record<S>(arg.out, x_cb, parity, block);
    QUDA_UNROLL
    for (int j = 0; j < 6; j++) {
      real sum = fma(d[j], d[j], real(arg.shift));
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) {
        if (k == j) continue;
        const Complex<real> e = k < j ? l(j, k) : l(k, j);
        sum = fma(e.re, e.re, fma(e.im, e.im, sum));
      }
      out.put(j, sum, false);
      // below the diagonal: sum over k of A_ik A_kj
      QUDA_UNROLL
      for (int i = j + 1; i < 6; i++) {
        Complex<real> below = scaled(d[i] + d[j], l(i, j));
        QUDA_UNROLL
        for (int k = 0; k < 6; k++) {
          if (k < j)
            below = multiply_add(l(i, k), conj(l(j, k)), below);
          else if (k > j && k < i)
            below = multiply_add(l(i, k), l(k, j), below);
          else if (k > i)
            below = conj_multiply_add(l(k, i), l(k, j), below);
        }
        const int at = below_diagonal(i, j);
        out.put(at, below.re, false);
        out.put(at + 1, below.im, false);
      }
    }
  }
};

QUDA_INSTANCES(clover_square, CloverSquareCall, Launch3D<CloverSquare, CloverSquareArg>, Floating, NoVariants)

template <class S, int> struct CloverProductArg : SiteArg {
  using stored = S;
  using real = Real<S>;
  FieldView a, b, out;

  CloverProductArg(const CloverProductCall &c, const TuneParam &)
      : SiteArg(c.a.lattice, 2, 2)
      , a(c.a)
      , b(c.b)
      , out(c.out)
  {
  }
};

template <class Arg> struct CloverProduct : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned x_cb, int block, int parity) const
  {
    using S = typename Arg::stored;
    real a_diagonal[6], b_diagonal[6];
    LowerTriangle<real> a, b;
    get_block(a_diagonal, a, register_record<S>(arg.a, x_cb, parity, block));
    get_block(b_diagonal, b, register_record<S>(arg.b, x_cb, parity, block));
    const auto out = register_record<S>(arg.out, x_cb, parity, block);
    QUDA_UNROLL
    for (int j = 0; j < 6; j++) {
      real sum = a_diagonal[j] * b_diagonal[j];
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) { // conj(A_jk) and B_jk have the parts of A_kj and B_kj
        if (k == j) continue;
        const Complex<real> e = k < j ? a(j, k) : a(k, j), f = k < j ? b(j, k) : b(k, j);
        sum = fma(e.re, f.re, fma(e.im, f.im, sum));
      }
      out.put(j, sum, false);
      QUDA_UNROLL
      for (int i = j + 1; i < 6; i++) {
        Complex<real> below = scaled(a_diagonal[i], b(i, j));
        below = {fma(b_diagonal[j], a(i, j).re, below.re), fma(b_diagonal[j], a(i, j).im, below.im)};
        QUDA_UNROLL
        for (int k = 0; k < 6; k++) {
          if (k < j)
            below = multiply_add(a(i, k), conj(b(j, k)), below);
          else if (k > j && k < i)
            below = multiply_add(a(i, k), b(k, j), below);
          else if (k > i)
            below = conj_multiply_add(a(k, i), b(k, j), below);
        }
        const int at = below_diagonal(i, j);
        out.put(at, below.re, false);
        out.put(at + 1, below.im, false);
      }
    }
  }
};

QUDA_INSTANCES(clover_product, CloverProductCall, Launch3D<CloverProduct, CloverProductArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
