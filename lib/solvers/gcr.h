#pragma once
/// Generalised conjugate residuals with restarts (Eisenstat, Elman and Schultz, SIAM J. Numer. Anal. 20 (1983) 345),
/// flexible: the preconditioner may differ from step to step.
///   p = K r, q = A p;  q made orthogonal to those before and normalised;  g = <q, r>;  r -= g q
/// Where K r is of no use, r takes its place. |r| never grows. The solution is put together once a cycle, from the p
/// and the triangle of coefficients. Fields: r, a product, and p, q for each step of a cycle.

#include "solvers/iteration.h"

namespace quda
{

class GCR final : public Iteration
{
public:
  /// restart: steps of a cycle. K: null for none; must outlive the iteration.
  GCR(const LinearOperator &A, int restart, Preconditioner *K = nullptr);
  const char *name() const override { return "GCR"; }
  void start(const ColorSpinorField &r) override;
  Cycle run(const Goal &goal) override;
  void take(ColorSpinorField &x) override;
  void replace(const ColorSpinorField &r) override { start(r); }
  void drop(int i) override;

private:
  using Complex = std::complex<double>;
  /// q orthogonal to the first k directions: their coefficients are added to row j's triangle.
  void orthogonalise(ColorSpinorField &q, int k);
  /// r in place of a K r of which A makes nothing, or nothing finite; whether there was one.
  bool leave_useless(ColorSpinorField &p, const std::vector<double> &product2);

  const LinearOperator &A_;
  const int restart_;
  Preconditioner *const K_;
  Columns r_;
  FieldRow p_, q_;
  int used_ = 0;                               // directions of this cycle
  std::vector<std::vector<Complex>> along_;    // [rhs][step]: g
  std::vector<std::vector<Complex>> triangle_; // [rhs][step restart + earlier step], the norm on the diagonal
  Residuals rr_;
};

} // namespace quda
