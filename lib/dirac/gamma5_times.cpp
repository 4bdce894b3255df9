#include "dirac/gamma5_times.h"

#include "ops/blas/blas.h"
#include "ops/dirac/twist.h"

namespace quda
{

void Gamma5Times::plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  constexpr TwistTerm i_gamma5 {.a = 1, .one = 0};
  const blas::Complex minus_i(0, -1);
  ColorSpinorField between = scratch(1, in.rhs());
  if (dagger) {
    ColorSpinorField turned = scratch(2, in.rhs());
    apply_twist(turned, in, i_gamma5);
    A_.apply_checked({.out = between, .in = turned, .dagger = true});
  } else {
    A_.apply_checked({.out = between, .in = in});
    apply_twist(between, between, i_gamma5);
  }
  blas::zero(out);
  blas::caxpy(minus_i, between, out);
}

} // namespace quda
