#pragma once
/// What becomes of the sum of a hop: the finish of its kernel. Called once for a site and inner entry with the sum in
/// registers. What depends on run-time numbers alone is a branch here; what needs more registers or more fields (clover
/// terms, a doublet's pair) is a finish of its own.

#include "core/tune_param.h"
#include "kernels/dirac/link_product.h"
#include "kernels/dirac/stencil_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// out = a x + b sum, or b sum; a and b of each right-hand side. The sum comes in units of link_unit<S>.
template <class S, int reals> struct AddTo {
  using number = number_of<S>;
  using real = Real<S>;
  Storage<S, reals> out, x;
  bool add_x;
  bool streaming; // stores past the cache
  bool together;  // one a and b for all
  number a[most_coefficients], b[most_coefficients];

  AddTo(const AddToCall &c, const TuneParam &tp)
      : out(c.out.field)
      , x(c.x.field.data ? c.x.field : c.out.field)
      , add_x(c.x.field.data != nullptr)
      , streaming(tp.streaming)
      , together(c.coefficients == 1)
  {
    for (int n = 0; n < c.coefficients; n++) {
      a[n] = static_cast<number>(c.a[n]);
      b[n] = static_cast<number>(c.b[n] * link_unit<S>);
    }
  }

  template <int spins>
  QUDA_DEVICE void operator()(const ColorVectors<real, spins> &sum, const Place &here, int i, int rhs) const
  {
    const int n = together ? 0 : rhs;
    const real by = b[n];
    real v[reals];
    if (add_x) {
      const auto q = x.read(here, i);
      const real scale = q.scale() * real(a[n]);
      QUDA_UNROLL
      for (int k = 0; k < reals / 2; k++) {
        v[2 * k] = fma(by, sum.number(k).re, scale * q.raw(2 * k));
        v[2 * k + 1] = fma(by, sum.number(k).im, scale * q.raw(2 * k + 1));
      }
    } else {
      QUDA_UNROLL
      for (int k = 0; k < reals / 2; k++) {
        v[2 * k] = by * sum.number(k).re;
        v[2 * k + 1] = by * sum.number(k).im;
      }
    }
    out.write(here, i, v, streaming);
  }

  /// out = sum
  template <int spins> QUDA_DEVICE void put(const ColorVectors<real, spins> &sum, const Place &here, int i) const
  {
    real v[reals];
    QUDA_UNROLL
    for (int k = 0; k < reals / 2; k++) {
      v[2 * k] = sum.number(k).re;
      v[2 * k + 1] = sum.number(k).im;
    }
    out.write(here, i, v, streaming);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
