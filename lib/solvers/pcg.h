#pragma once
/// Conjugate gradients with a preconditioner, for hermitian positive A; flexible (Golub and Ye, SIAM J. Sci. Comput. 21
/// (1999) 1305): K may differ from step to step, as an inner iteration does, and should be near to hermitian and
/// positive.
///   z = K r;  a = <r, z> / <p, A p>,  x += a p,  r -= a A p,  b = Re <z', r' - r> / <r, z>,  p = z' + b p
/// r' - r is -a A p. Where Re <r, z> is not above 0, r takes the place of z. A replaced residual keeps the direction,
/// made orthogonal to it.
/// Fields: r, z, p, A p and x; x is single where the operator is in fixed point.

#include "solvers/iteration.h"

namespace quda
{

class PCG final : public Iteration
{
public:
  /// K: null for none; must outlive the iteration.
  PCG(const LinearOperator &A, Preconditioner *K)
      : A_(A)
      , K_(K)
  {
  }
  const char *name() const override { return "PCG"; }
  void start(const ColorSpinorField &r) override;
  Cycle run(const Goal &goal) override;
  void take(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  void drop(int i) override;
  bool positive_only() const override { return true; }

private:
  /// z = K r and <r, z>.
  void precondition();

  const LinearOperator &A_;
  Preconditioner *const K_;
  Columns r_, z_, p_, product_;
  Correction x_;
  Residuals rr_;
  std::vector<double> rz_, rz_before_; // the latter of the step whose direction is not yet renewed
};

} // namespace quda
