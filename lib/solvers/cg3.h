#pragma once
/// Conjugate gradients by recurrences of three terms, for hermitian positive A, with the changes of solution and
/// residual in place of the solutions and residuals themselves (Rutishauser; see Gutknecht and Strakos, SIAM J. Matrix
/// Anal. Appl. 22 (2000) 213):
///   g = |r|^2 / <r, A r>,  w = 1 / (1 - (g / g') (|r|^2 / |r'|^2) / w')                primes: of the step before
///   d = w g r + (w - 1) d,  x += d;  e = -w g A r + (w - 1) e,  r += e
/// w = 1 begins anew, and is taken where rounding leaves no w of 1 or more. What loses digits with the condition of A
/// is e; a replaced residual keeps d and e.
/// Fields: r, d, e, A r and x; x is single where the operator is in fixed point.

#include "solvers/iteration.h"

namespace quda
{

class CG3 final : public Iteration
{
public:
  explicit CG3(const LinearOperator &A)
      : A_(A)
  {
  }
  const char *name() const override { return "CG3"; }
  void start(const ColorSpinorField &r) override;
  Cycle run(const Goal &goal) override;
  void take(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  void drop(int i) override;
  bool positive_only() const override { return true; }

private:
  /// Of the step before; w is 0 where there was none.
  struct Before {
    double g = 0, w = 0, norm2 = 0;
  };
  const LinearOperator &A_;
  Columns r_, d_, e_, product_;
  Correction x_;
  Residuals rr_;
  std::vector<Before> before_;
};

} // namespace quda
