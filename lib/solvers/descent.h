#pragma once
/// Methods without memory: r' = r - w a A r, x' = x + w a r with one direction a step, w being a relaxation factor.
///   minimal residuals : a = <A r, r> / |A r|^2, for which |r'| is least (w = 1). For any A; stands still where zero is
///                       in the field of values of A.
///   steepest descent  : a = |r|^2 / <r, A r>, for which r' is orthogonal to r (w = 1). For A Hermitian and positive;
///                       for others as long as r and A r are less than 45 degrees apart.
/// Slow; smoothers, and references for the others. Fields: r, A r and x; x is single where the operator is in fixed
/// point.

#include "solvers/iteration.h"

namespace quda
{

class Descent final : public Iteration
{
public:
  enum class Step { minimal_residual, steepest };
  Descent(const LinearOperator &A, Step step, double omega)
      : A_(A)
      , step_(step)
      , omega_(omega)
  {
  }
  const char *name() const override { return step_ == Step::steepest ? "SD" : "MR"; }
  void start(const ColorSpinorField &r) override;
  Cycle run(const Goal &goal) override;
  void take(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  void drop(int i) override;

private:
  const LinearOperator &A_;
  const Step step_;
  const double omega_;
  Columns r_, product_;
  Correction x_;
  Residuals rr_;
};

} // namespace quda
