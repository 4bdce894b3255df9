#pragma once
/// Distance preconditioning: the unknowns of a system are divided by a function of time that falls as the solution,
/// so that the residual is as accurate far from the source as near it.
///
///   A' = W^-1 A W,   (W psi)(x) = w(x_3) psi(x),   w(t) = cosh(alpha (((t - t0) mod T) - T / 2)), T / 2 rounded down
/// A x = b is A' x' = W^-1 b with x = W x'. The adjoint of A' is W A^dag W^-1.

#include "dirac/linear_operator.h"
#include "ops/dirac/site_factor.h"

namespace quda
{

/// t and t0 count on the whole lattice, t0 >= 0.
struct TimeWeights {
  double alpha;
  int t0;
};

/// W (power 1) or W^-1 (power -1).
SiteFactor time_factor(const TimeWeights &weights, const Lattice &lattice, int power);

class Weighted : public LinearOperator
{
public:
  Weighted(const LinearOperator &A, const TimeWeights &weights)
      : A_(A)
      , into_(time_factor(weights, *A.shape(1).lattice, 1))
      , out_of_(time_factor(weights, *A.shape(1).lattice, -1))
  {
  }
  ColorSpinorParam shape(int rhs) const override { return A_.shape(rhs); }
  double flops(int rhs) const override { return A_.flops(rhs); }
  double bytes(int rhs) const override { return A_.bytes(rhs); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    ColorSpinorField weighted = scratch(1, in.rhs());
    (dagger ? out_of_ : into_).apply(weighted, in);
    A_.apply_checked({.out = out, .in = weighted, .dagger = dagger});
    (dagger ? into_ : out_of_).apply(out, out);
  }

private:
  const LinearOperator &A_;
  SiteFactor into_, out_of_;
};

} // namespace quda
