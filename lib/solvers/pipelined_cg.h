#pragma once
/// Pipelined conjugate gradients (Ghysels and Vanroose, Parallel Computing 40 (2014) 224) for hermitian positive A: one
/// sum over the ranks per step, which overlaps with the application of A. With w = A r, s = A p, z = A s carried along,
///   |r|^2, <w, r>, <s, r>  (start),  q = A w,  (finish)
///   p = r + b p, s = w + b s, z = q + b z, <p, A p> = <w, r> + 2 b <s, r> + b^2 <p, A p>, a = |r|^2 / <p, A p>
///   x += a p, r -= a s, w -= a z
/// b is |r|^2 / |r before|^2 or, if new and old residual are not nearly orthogonal, the b of CG in this case (cg.h),
/// with <r, r - r before> = -a <s, r>.
/// It costs three fields, three updates and a scalar product more than CG, and its r departs from b - A x faster. So it
/// comes back for the true residual each time that has fallen by `farthest`, and recomputes w, s, z from the replaced
/// r, and from p made orthogonal to it. In fixed point, rounding of the vectors carried along costs some steps.
/// Right-hand sides do not influence each other's bits.
/// Fields: r, w, q, p, s, z, x; x is single where the operator is in fixed point.

#include "solvers/krylov_method.h"

namespace quda
{

class PipelinedCG final : public KrylovMethod
{
public:
  explicit PipelinedCG(const LinearOperator &A)
      : KrylovMethod(A, "pipelined CG", true)
  {
  }
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;

private:
  void begin(const ColorSpinorField &r) override;
  static constexpr double farthest = 1e-4;
  static constexpr double nearly_orthogonal = 0.1; // <r, r before> / |r|^2

  Kept<ActiveColumns> r_ {this}, w_ {this}, q_ {this}, p_ {this}, s_ {this}, z_ {this};
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
  PerRhs<double> rr_before_ {this}; // after the last step; 0: there was none
  PerRhs<double> ps_ {this};        // <p, A p>
};

} // namespace quda
