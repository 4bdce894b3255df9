#include "dirac/gamma5_times.h"

#include "ops/blas/blas.h"
#include "ops/dirac/twist.h"

namespace quda
{

void times_gamma5(ColorSpinorField &out, const ColorSpinorField &in)
{
  constexpr TwistTerm i_gamma5 {.a = 1, .one = 0};
  const blas::Complex minus_i(0, -1), nothing(0, 0);
  apply_twist(out, in, i_gamma5);
  blas::caxpby(minus_i, out, nothing, out);
}

void Gamma5Times::plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  ColorSpinorField between = scratch(1, in.rhs());
  if (dagger) {
    times_gamma5(between, in);
    A_.apply_checked({.out = out, .in = between, .dagger = true});
  } else {
    A_.apply_checked({.out = between, .in = in});
    times_gamma5(out, between);
  }
}

} // namespace quda
