#pragma once
/// Conjugate gradients (Hestenes and Stiefel, J. Res. Nat. Bur. Stand. 49 (1952) 409) for hermitian positive A:
///   a = |r|^2 / <p, A p>,  x += a p,  r -= a A p,  p = r + b p
/// If A = R^dag R + sigma, <p, A p> is |R p|^2 + sigma |p|^2, which rounding cannot make negative.
/// b is |r'|^2 / |r|^2 as long as new and old residual are nearly orthogonal, else max(0, <r', r' - r> / |r|^2) (Polak
/// and Ribiere): the first stagnates in low precision, the second costs iterations where it is not needed.
/// A replaced residual keeps the direction, made orthogonal to it (Strzodka and Goeddeke; Clark et al., 0911.3191).
/// Systems with other shifts can be solved along (solvers/shifted_systems.h), and low modes of A gathered
/// (solvers/lanczos_window.h).
/// Fields: r, p, x, and one or two for products; x is single where the operator is in fixed point.

#include "solvers/lanczos_window.h"
#include "solvers/shifted_systems.h"

namespace quda
{

class CG final : public KrylovMethod
{
public:
  /// shifted: null without other systems; must outlive this, and accompany the solver too (krylov_solver.h).
  explicit CG(const LinearOperator &A, ShiftedSystems *shifted = nullptr)
      : KrylovMethod(A, "CG", true)
      , shifted_(shifted)
  {
  }
  /// window: for one right-hand side, or null; must outlive this.
  CG(const LinearOperator &A, const char *name, LanczosWindow *window)
      : KrylovMethod(A, name, true)
      , window_(window)
  {
  }
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override { x_.move_to(x); }
  void replace(const ColorSpinorField &r) override;
  bool adopt_directions(KrylovMethod &before) override;
  ColorSpinorField *direction() override { return &*p_; }
  Together together() const override { return Together::none; }
  void go_on() override;

private:
  void begin(const ColorSpinorField &r) override;
  /// Returns <p, A p>; leaves R p or A p in product_.
  std::vector<double> curvature();
  /// r -= alpha A p; returns |r|^2 and Re <r, r - r before>.
  void step_residual(const std::vector<double> &alpha, std::vector<double> &norm2, std::vector<double> &change);

  ShiftedSystems *shifted_ = nullptr;
  LanczosWindow *window_ = nullptr;
  Kept<ActiveColumns> r_ {this}, p_ {this};
  Kept<ScratchColumns> product_ {this};
  Kept<Correction> x_ {this};
  Kept<Residuals> rr_ {this};
  PerRhs<double> rr_before_ {this}; // |r|^2 before the last step, after which the direction is not yet renewed,
  PerRhs<double> beta_ {this};      // and b of the next step
  bool owed_ = false;               // that renewal, after a run
};

} // namespace quda
