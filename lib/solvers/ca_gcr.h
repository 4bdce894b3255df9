#pragma once
/// Generalised conjugate residuals, s steps at a time, without memory of the steps before (Hoemmen, thesis, Berkeley
/// 2010): S a basis of r's Krylov space, P = A S,
///   (P^dag P) y = P^dag r,  x += S y,  r -= P y
/// so that |r| is the least that the basis allows; two reductions a cycle, all scalar products being one of them.
/// Directions that rounding makes dependent are left out. For any A.
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
