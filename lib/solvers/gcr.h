#pragma once
/// Generalised conjugate residuals with restarts (Eisenstat, Elman and Schultz, SIAM J. Numer. Anal. 20 (1983) 345),
/// flexible: the preconditioner may differ from step to step.
///   p = K r, q = A p;  q made orthogonal to the earlier ones and normalised;  g = <q, r>;  r -= g q
/// If K r is of no use, r takes its place. |r| never grows. The solution is put together once a cycle, from the p
/// and the triangle of coefficients. Fields: r, a product, and p, q for each step of a cycle.

#include "solvers/krylov_method.h"

namespace quda
{

class GCR final : public KrylovMethod
{
public:
  /// restart: steps of a cycle. K: null for none; must outlive the method.
  GCR(const LinearOperator &A, int restart, Preconditioner *K = nullptr);
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override;
  void replace(const ColorSpinorField &r) override { start(r); }
  Together together() const override { return Together::turn; }
  void wait() override;

private:
  void begin(const ColorSpinorField &r) override;
  using Complex = std::complex<double>;
  /// Replaces K r by r if A K r is zero or not finite; returns whether it did for any right-hand side.
  bool leave_useless(ColorSpinorField &p, const std::vector<double> &product2);

  const int restart_;
  Preconditioner *const K_;
  Kept<ActiveColumns> r_ {this};
  Kept<blas::VectorSet> p_, q_;
  int used_ = 0;                                 // directions of this cycle
  bool waits_ = false;                           // for a new residual: the sum over the directions is done
  PerRhs<std::vector<Complex>> along_ {this};    // [rhs][step]: g
  PerRhs<std::vector<Complex>> triangle_ {this}; // [rhs][step restart + earlier step], the norm on the diagonal
  Kept<Residuals> rr_ {this};
};

} // namespace quda
