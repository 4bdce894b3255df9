#pragma once
/// Conjugate gradients with a preconditioner, for hermitian positive A; flexible (Golub and Ye, SIAM J. Sci. Comput. 21
/// (1999) 1305): K may differ from step to step, as an inner iteration does, and should be nearly hermitian and
/// positive.
///   z = K r;  a = <r, z> / <p, A p>,  x += a p,  r -= a A p,  b = Re <z', r' - r> / <r, z>,  p = z' + b p
/// r' - r is -a A p. If Re <r, z> is not positive, r takes the place of z. A replaced residual keeps the direction,
/// made orthogonal to it.
/// Fields: r, z, p, A p and x; x is single where the operator is in fixed point.

#include "solvers/krylov_method.h"

namespace quda
{

class PCG final : public KrylovMethod
{
public:
  /// K: null for none; must outlive the method.
  PCG(const LinearOperator &A, Preconditioner *K)
      : KrylovMethod(A, "PCG", true)
      , K_(K)
  {
  }
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  Together together() const override { return Together::none; }
  void go_on() override;

private:
  void begin(const ColorSpinorField &r) override;
  /// z = K r and <r, z>.
  void precondition();
  /// Makes the next direction after a step.
  void renew_direction();

  Preconditioner *const K_;
  Kept<ActiveColumns> r_ {this}, z_ {this}, p_ {this}, product_ {this};
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
  PerRhs<double> rz_ {this}, rz_before_ {this}; // the latter of the step after which the direction is not yet renewed,
  PerRhs<double> alpha_ {this};                 // and its length
  bool owed_ = false;                           // that renewal, after a run
};

} // namespace quda
