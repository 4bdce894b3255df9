#pragma once

/// Common parts of calls that solve linear systems (invert.cpp, multi_shift.cpp).
/// Errors     : bad_argument, with function, argument or member and value.

#include "quda.h"

#include "fields/color_spinor_field.h"
#include "interface/quark_job.h"
#include "solvers/dirac_solver.h"

#include <functional>
#include <string>

namespace quda
{

bool on_one_parity(QudaSolveType type);
bool by_normal_operator(QudaSolveType type);
bool by_normal_error(QudaSolveType type);
bool of_normal_operator(QudaSolutionType type);

/// Checks what every solve reads, except inverter and tolerances.
void check_solve(Checks &checks, const QudaInvertParam &param);

/// Checks inverter, tolerances and preconditioner, in addition.
void check_inverter(Checks &checks, const QudaInvertParam &param);
/// The solve that checked parameters describe, without a hierarchy or low modes.
DiracSolve solve_of(Session &session, const QuarkJob &job, const QudaInvertParam &param);

/// Factor of the source.
double source_factor(const QudaInvertParam &param);

/// Sets the residuals in param to NaN until they are computed, since a host may look at them.
void forget_results(QudaInvertParam *param);
/// The same for an array of n numbers, if there is one.
void forget_results(double *residuals, int n);

/// Value of param.iter. Hosts compare it with maxiter: it is smaller if and only if the solve has converged.
int told_iterations(bool converged, int iterations, const QudaInvertParam &param);

/// The refusal of a source or a first guess, by the name of the host's array. given: whether guesses are the host's.
FoundTogether refusal_by_name(const char *function, const NotFinite &found, const QuarkJob &job, bool given);

/// Refuses numbers that are not finite, on all ranks if on one. name: of the host's array of a right-hand side.
void check_finite(const char *function, const std::function<std::string(std::size_t)> &name,
                  const ColorSpinorField &field);

} // namespace quda
