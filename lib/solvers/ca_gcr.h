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

class CAGCR final : public Iteration
{
public:
  CAGCR(const LinearOperator &A, int s, Polynomials polynomials, const Spectrum &spectrum)
      : A_(A)
      , basis_(A, s, polynomials, spectrum)
  {
  }
  const char *name() const override { return "CA-GCR"; }
  void start(const ColorSpinorField &r) override;
  Cycle run(const Goal &goal) override;
  void take(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  void drop(int i) override;

private:
  const LinearOperator &A_;
  KrylovBasis basis_;
  Columns r_;
  Correction x_;
  Residuals rr_;
};

} // namespace quda
