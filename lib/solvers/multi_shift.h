#pragma once
/// Systems (A + s_k) x_k = b with several shifts, A hermitian and positive or zero, from one Krylov space: that of
/// the smallest shift, whose conjugate gradients KrylovSolver drives and the other systems go along with
/// (solvers/shifted_systems.h), each until its residual is small enough, the last of them its end. Then each x_k is the
/// guess of a solve of its own, which ends at once where the true residual is below the tolerance: so it is where all
/// is done in the outer precision, and elsewhere conjugate gradients finish it (refinement). Shifts may come in any
/// order and be equal. Right-hand sides: any number, as in KrylovSolver. Collective, bits and errors: as there.

#include <functional>
#include <memory>
#include <vector>

#include "solvers/krylov_solver.h"

namespace quda
{

struct ShiftedSolve {
  std::vector<double> shifts;
  std::vector<Tolerance> tolerances; // of each; nothing asked: as good as the Krylov space of the smallest shift makes
                                     // it, or the outer precision
  Precision sloppy = Precision::double_, refinement = Precision::double_; // iterations begin in
  Limits limits {}, refinement_limits {};
  bool refine = true; // no: solutions are left as the Krylov space made them, and judged by its residuals
};

struct ShiftedReport {
  std::vector<SolveReport> shift; // of each; iterations: of the smallest shift the Krylov space's, of others those of
                                  // their refinement. Not refined: no true residuals
  int iterations = 0;             // the sum
  double flops = 0;               // of this rank
  double seconds = 0;

  bool converged() const;
};

class MultiShiftSolver
{
public:
  /// A + shift in a precision.
  using Make = std::function<std::unique_ptr<LinearOperator>(double shift, Precision)>;
  MultiShiftSolver(Make make, Precision outer)
      : make_(std::move(make))
      , outer_(outer)
  {
  }
  /// x: one field a shift, each of all right-hand sides.
  ShiftedReport solve(std::vector<ColorSpinorField> &x, const ColorSpinorField &b, const ShiftedSolve &how);

private:
  Make make_;
  Precision outer_;
};

} // namespace quda
