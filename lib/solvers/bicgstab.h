#pragma once
/// Stabilised bi-conjugate gradients (van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631) for any A:
///   v = A p, a = rho / <s, v>;  r -= a v;  t = A r, w = <t, r> / |t|^2;  x += a p + w r;  r -= w t;
///   rho' = <s, r>, b = (rho' / rho) (a / w);  p = r + b (p - w v)
/// s is the residual of the start; a replaced residual keeps s and p. Where rho or <s, v> is small against the norms
/// it is made of, or w is 0, the recursion breaks down.
/// Fields: s, r, p, v, t and x; x is single where the operator is in fixed point.

#include <complex>

#include "solvers/iteration.h"

namespace quda
{

class BiCGstab final : public Iteration
{
public:
  explicit BiCGstab(const LinearOperator &A)
      : A_(A)
  {
  }
  const char *name() const override { return "BiCGstab"; }
  void start(const ColorSpinorField &r) override;
  Cycle run(const Goal &goal) override;
  void take(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  void drop(int i) override;
  int applications() const override { return 2; }

private:
  using Complexes = std::vector<std::complex<double>>;
  const LinearOperator &A_;
  Columns shadow_, r_, p_, v_, t_;
  Correction x_;
  Residuals rr_;
  Complexes rho_;
  std::vector<double> shadow2_; // |s|^2
};

} // namespace quda
