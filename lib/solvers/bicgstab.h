#pragma once
/// Stabilised bi-conjugate gradients (van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631) for any A:
///   v = A p, a = rho / <s, v>;  r -= a v;  t = A r, w = <t, r> / |t|^2;  x += a p + w r;  r -= w t;
///   rho' = <s, r>, b = (rho' / rho) (a / w);  p = r + b (p - w v)
/// s is the residual of the start (or another vector: shadow.h); a replaced residual keeps s and p. Where rho or <s, v>
/// is small against the norms of its factors, or w is 0, the recursion breaks down.
/// Fields: s, r, p, v, t and x; x is single where the operator is in fixed point.

#include <complex>

#include "solvers/krylov_method.h"
#include "solvers/shadow.h"

namespace quda
{

class BiCGstab final : public KrylovMethod
{
public:
  explicit BiCGstab(const LinearOperator &A)
      : KrylovMethod(A, "BiCGstab")
  {
  }
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  Together together() const override { return Together::none; }
  int applications() const override { return 2; }

private:
  void begin(const ColorSpinorField &r) override;
  /// rho and |r|^2.
  void begin_sums();
  using Complexes = std::vector<std::complex<double>>;
  Kept<ActiveColumns> shadow_ {this}, r_ {this}, p_ {this};
  Kept<ScratchColumns> v_ {this}, t_ {this};
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
  PerRhs<std::complex<double>> rho_ {this};
  PerRhs<double> shadow2_ {this}; // |s|^2
  PerRhs<Breakdowns> broken_ {this};
};

} // namespace quda
