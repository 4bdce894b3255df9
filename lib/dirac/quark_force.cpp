#include "dirac/quark_force.h"

#include "ops/blas/blas.h"
#include "ops/dirac/fifth.h"
#include "ops/dirac/twist.h"

namespace quda
{

double complete_force_pair(const Dirac &dirac, MatPC matpc, bool dagger, ColorSpinorField &left,
                           ColorSpinorField &right, const ColorSpinorField *x_0)
{
  const int parity = parity_of(matpc);
  ColorSpinorField l = left.half(parity), r = right.half(parity);
  ColorSpinorField &made = dagger ? r : l, &given = dagger ? l : r;
  (*dirac.schur(matpc))(made, given, dagger);
  if (x_0) blas::axpy(1.0, *x_0, made);
  return dirac.gradient_pair(left, right, matpc);
}

double complete_one_flavour_pair(const Dirac &dirac, ColorSpinorField &left, ColorSpinorField &right)
{
  constexpr TwistTerm i_gamma5 {.a = 1, .one = 0};
  const double factor = dirac.gradient_pair(left, right, {});
  ColorSpinorField turned(right.param());
  apply_twist(turned, right, i_gamma5);
  blas::zero(left);
  ColorSpinorField to = layers_as_columns(left);
  const ColorSpinorField from = layers_as_columns(turned);
  const int Ls = right.fifth();
  for (int i = 0; i < to.rhs(); i++) {
    ColorSpinorField layer = to.columns(i, 1);
    blas::caxpy(blas::Complex(0, -1), from.columns(i - i % Ls + Ls - 1 - i % Ls, 1), layer);
  }
  left.mark_written();
  return factor;
}

} // namespace quda
