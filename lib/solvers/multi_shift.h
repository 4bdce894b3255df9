#pragma once
/// Multi-shift solver: systems (A + s_k) x_k = b with several shifts, A hermitian and positive or zero, from the Krylov
/// space of the smallest shift. KrylovSolver drives the conjugate gradients of that one; the other systems go along
/// (solvers/shifted_systems.h), each until its residual is small enough, the last one ends it. Then all other x_k are
/// the guesses of one solve, right-hand sides with a shift and a tolerance each, which read the links together. They
/// leave it when converged, at once if the true residual is below the tolerance: so it is if all was done in the outer
/// precision; otherwise conjugate gradients finish them (refinement). Shifts may come in any order and be equal.
/// Right-hand sides: any number, as in KrylovSolver. Collective, bits and errors: as there.

#include <functional>
#include <memory>
#include <vector>

#include "solvers/krylov_solver.h"

namespace quda
{

struct ShiftedSolve {
  std::vector<double> shifts;
  std::vector<Tolerance> tolerances; // one per shift; 0: as good as the Krylov space of the smallest shift makes it,
                                     // or as the outer precision allows
  Precision sloppy = Precision::double_, refinement = Precision::double_; // iterations begin in
  Limits limits {}, refinement_limits {};
  bool refine = true; // false: solutions stay as the Krylov space made them, judged by its residuals
};

struct ShiftedReport {
  std::vector<SolveReport> shift; // one per shift; iterations: of the Krylov space for the smallest shift, of
                                  // the refinement for others. Not refined: no true residuals
  int iterations = 0;             // of the Krylov space, and of the refinement of all shifts
  double flops = 0;               // on this rank
  double seconds = 0;

  bool converged() const;
};

class MultiShiftSolver
{
public:
  /// Makes A in a precision.
  using Make = std::function<std::unique_ptr<LinearOperator>(Precision)>;
  MultiShiftSolver(Make make, Precision outer)
      : make_(std::move(make))
      , outer_(outer)
  {
  }
  /// x: the right-hand sides of b for each shift, shift by shift.
  ShiftedReport solve(ColorSpinorField &x, const ColorSpinorField &b, const ShiftedSolve &how);

private:
  Make make_;
  Precision outer_;
};

} // namespace quda
