#pragma once
/// Systems (A + s_k) x_k = b with several shifts, A hermitian and positive or zero, from one Krylov space: that of
/// the smallest shift, whose conjugate gradients KrylovSolver drives and the other systems go along with
/// (solvers/shifted_systems.h), each until its residual is small enough, the last of them its end. Then all other x_k
/// are the guesses of one solve, right-hand sides with a shift and a tolerance each, which read the links together.
/// They leave it as they are done, at once where the true residual is below the tolerance: so it is where all was done
/// in the outer precision, and elsewhere conjugate gradients finish them (refinement). Shifts may come in any order
/// and be equal. Right-hand sides: any number, as in KrylovSolver. Collective, bits and errors: as there.

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
  int iterations = 0;             // of the Krylov space, and of the refinement of all
  double flops = 0;               // of this rank
  double seconds = 0;

  bool converged() const;
};

class MultiShiftSolver
{
public:
  /// A in a precision.
  using Make = std::function<std::unique_ptr<LinearOperator>(Precision)>;
  MultiShiftSolver(Make make, Precision outer)
      : make_(std::move(make))
      , outer_(outer)
  {
  }
  /// x: those of b for each shift, shift by shift.
  ShiftedReport solve(ColorSpinorField &x, const ColorSpinorField &b, const ShiftedSolve &how);

private:
  Make make_;
  Precision outer_;
};

} // namespace quda
