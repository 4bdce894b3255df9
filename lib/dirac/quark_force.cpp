#include "dirac/quark_force.h"

#include "ops/blas/blas.h"

namespace quda
{

void complete_force_pair(const Dirac &dirac, MatPC matpc, bool dagger, ColorSpinorField &left, ColorSpinorField &right,
                         const ColorSpinorField *x_0)
{
  const int parity = parity_of(matpc);
  ColorSpinorField l = left.half(parity), r = right.half(parity), l_o = left.half(1 - parity),
                   r_o = right.half(1 - parity);
  ColorSpinorField &made = dagger ? r : l, &given = dagger ? l : r;
  (*dirac.schur(matpc))(made, given, dagger);
  if (x_0) blas::axpy(1.0, *x_0, made);
  dirac.dslash(r_o, r, false);
  dirac.dslash(l_o, l, true);
  left.mark_written();
  right.mark_written();
}

} // namespace quda
