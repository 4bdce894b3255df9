#include "dirac/sliced.h"

#include "ops/copy/slices.h"

namespace quda
{

Sliced::Sliced(const LinearOperator &A)
    : Sliced(A, lattice_of_slices(*A.shape(1).lattice))
{
}

ColorSpinorParam Sliced::shape(int rhs) const
{
  ColorSpinorParam param = param_of_slices(A_.shape(1), slices_);
  param.rhs = rhs;
  return param;
}

void Sliced::plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const
{
  ColorSpinorField source = whole_(0, A_.shape(1)), product = whole_(1, A_.shape(1));
  from_slices(source, in);
  A_.apply_checked({.out = product, .in = source, .dagger = dagger});
  to_slices(out, product);
}

} // namespace quda
