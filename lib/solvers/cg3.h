#pragma once
/// Conjugate gradients by three-term recurrences, for hermitian positive A, which carry the changes of solution and
/// residual in place of the solution and residual themselves (Rutishauser; see Gutknecht and Strakos, SIAM J. Matrix
/// Anal. Appl. 22 (2000) 213):
///   g = |r|^2 / <r, A r>,  w = 1 / (1 - (g / g') (|r|^2 / |r'|^2) / w')                primes: of the step before
///   d = w g r + (w - 1) d,  x += d;  e = -w g A r + (w - 1) e,  r += e
/// w = 1 begins anew; it is taken if rounding leaves no w of 1 or more. e loses digits with the condition number
/// of A; a replaced residual keeps d and e.
/// Fields: r, d, e, A r and x; x is single where the operator is in fixed point.

#include "solvers/krylov_method.h"

namespace quda
{

class CG3 final : public KrylovMethod
{
public:
  explicit CG3(const LinearOperator &A)
      : KrylovMethod(A, "CG3", true)
  {
  }
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  Together together() const override { return Together::none; }

private:
  void begin(const ColorSpinorField &r) override;
  /// Numbers of the step before; w is 0 if there was none.
  struct Before {
    double g = 0, w = 0, norm2 = 0;
  };
  Kept<ActiveColumns> r_ {this}, d_ {this}, e_ {this};
  Kept<ScratchColumns> product_ {this};
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
  PerRhs<Before> before_ {this};
};

} // namespace quda
