#pragma once
/// BiCGstab(l) (Sleijpen and Fokkema, ETNA 1 (1993) 11) for any A: l steps of bi-conjugate gradients, then the least
/// residual over l powers of A in place of l times one. If eigenvalues are near the imaginary axis, l of 2 or 4
/// converges where l = 1 stagnates.
///   rho = -w rho; for i < l:
///     b = a <s, r_i> / rho, rho = <s, r_i>;  u_k = r_k - b u_k (k <= i);  u_i+1 = A u_i
///     a = rho / <s, u_i+1>;  x += a u_0;  r_k -= a u_k+1 (k <= i);  r_i+1 = A r_i
///   g : |r_0 - sum_k g_k r_k| is least, k = 1 ... l;  w = g_l
///   x += sum_k g_k r_k-1;  u_0 -= sum_k g_k u_k;  r_0 -= sum_k g_k r_k
/// s is the residual of the start (or another vector: shadow.h); a replaced residual keeps s and u_0. Where <s, u_i+1>
/// is small against the norms of its factors, the residual is minimised over the i powers that exist, and the
/// recursion begins again for all right-hand sides, since all are half way through a step. It begins again for one
/// right-hand side if rho is small or w is 0. If it has made no step since it began, it breaks down.
/// A step is one of the l steps, with two products.
/// Fields: s, l + 1 each of r and u, and x; x is single where the operator is in fixed point.

#include <complex>

#include "solvers/krylov_method.h"
#include "solvers/shadow.h"

namespace quda
{

class BiCGstabL final : public KrylovMethod
{
public:
  BiCGstabL(const LinearOperator &A, int l);
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  Together together() const override { return Together::none; }
  int applications() const override { return 2; }

private:
  void begin(const ColorSpinorField &r) override;
  using Complex = std::complex<double>;
  struct Column {
    double shadow2 = 0;       // |s|^2
    Complex rho = 1, dot = 0; // dot: <s, r_0>
    Complex a = 0, w = 1;
  };
  void go_on_from(const ColorSpinorField &r);
  /// Begins again with the present residual of right-hand side j.
  void begin_again(std::size_t j);
  /// <s, r_0> and |r_0|^2.
  std::vector<double> look();

  const int l_;
  Kept<ActiveColumns> shadow_ {this};
  Kept<blas::VectorSet> r_, u_;
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
  PerRhs<Column> columns_ {this};
  PerRhs<Breakdowns> broken_ {this};
};

} // namespace quda
