#pragma once
/// Methods without memory: r' = r - w a A r, x' = x + w a r with one direction a step, w being a relaxation factor.
///   minimal residuals : a = <A r, r> / |A r|^2, which minimises |r'| (w = 1). For any A; stagnates if zero is
///                       in the field of values of A.
///   steepest descent  : a = |r|^2 / <r, A r>, which makes r' orthogonal to r (w = 1). For A Hermitian and positive;
///                       for other A as long as the angle between r and A r is below 45 degrees.
/// Slow; used as smoothers, and as references for other methods. Fields: r, A r and x; x is single where the operator
/// is in fixed point.

#include "solvers/krylov_method.h"

namespace quda
{

class Descent final : public KrylovMethod
{
public:
  enum class Step { minimal_residual, steepest };
  Descent(const LinearOperator &A, Step step, double omega)
      : KrylovMethod(A, step == Step::steepest ? "SD" : "MR")
      , step_(step)
      , omega_(omega)
  {
  }
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  Together together() const override { return Together::none; }

private:
  void begin(const ColorSpinorField &r) override;
  const Step step_;
  const double omega_;
  Kept<ActiveColumns> r_ {this};
  Kept<ScratchColumns> product_ {this};
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
};

} // namespace quda
