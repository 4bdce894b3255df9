#pragma once
/// gamma5 A, of one flavour with 4 spins: Hermitian where A^dag = gamma5 A gamma5.

#include "dirac/linear_operator.h"

namespace quda
{

/// out = gamma5 in of 4 spins, one flavour; out may be in. Collective: while its kernels are tuned.
void times_gamma5(ColorSpinorField &out, const ColorSpinorField &in);

class Gamma5Times : public LinearOperator
{
public:
  /// symmetry: of gamma5 A, as its owner knows it.
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
