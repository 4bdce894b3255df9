#pragma once
/// Generalised conjugate residuals, s steps at a time, that keep nothing of the steps before (Hoemmen, thesis, Berkeley
/// 2010). With S a basis of r's Krylov space and P = A S,
///   (P^dag P) y = P^dag r,  x += S y,  r -= P y
/// so that |r| is minimal over the basis; two reductions a cycle: all scalar products are one reduction.
/// Directions that rounding makes dependent are dropped. For any A.
/// Fields: 2 s, r and x; x is single where the operator is in fixed point.

#include "solvers/krylov_basis.h"

namespace quda
{

class CAGCR final : public KrylovMethod
{
public:
  CAGCR(const LinearOperator &A, int s, Polynomials polynomials, const Spectrum &spectrum)
      : KrylovMethod(A, "CA-GCR")
      , basis_(this, A, s, polynomials, spectrum)
  {
  }
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  Together together() const override { return Together::none; }

private:
  void begin(const ColorSpinorField &r) override;
  Kept<KrylovBasis> basis_;
  Kept<ActiveColumns> r_ {this};
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
};

} // namespace quda
