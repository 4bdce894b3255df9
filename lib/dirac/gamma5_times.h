#pragma once
/// gamma5 A for one flavour with 4 spins: Hermitian if A^dag = gamma5 A gamma5.

#include "dirac/linear_operator.h"

namespace quda
{

/// out = gamma5 in for fields of 4 spins and one flavour; out may be in. Collective: while its kernels are tuned.
void times_gamma5(ColorSpinorField &out, const ColorSpinorField &in);

class Gamma5Times : public LinearOperator
{
public:
  /// symmetry: that of gamma5 A, which the caller knows.
  Gamma5Times(const LinearOperator &A, Symmetry symmetry)
      : A_(A)
      , symmetry_(symmetry)
  {
  }
  ColorSpinorParam shape(int rhs) const override { return A_.shape(rhs); }
  Symmetry symmetry() const override { return symmetry_; }
  double flops(int rhs) const override { return A_.flops(rhs); }
  double bytes(int rhs) const override { return A_.bytes(rhs); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;

private:
  const LinearOperator &A_;
  Symmetry symmetry_;
};

} // namespace quda
