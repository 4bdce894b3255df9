#pragma once

/// What calls that solve linear systems share (invert.cpp, multi_shift.cpp).
/// Errors     : bad_argument, naming function, argument or member and value.

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

/// Checks what every solve reads but inverter and tolerances.
void check_solve(Checks &checks, const QudaInvertParam &param);

/// Checks inverter, tolerances and preconditioner, beside that.
void check_inverter(Checks &checks, const QudaInvertParam &param);
/// The solve that checked parameters ask for, without a hierarchy or low modes.
DiracSolve solve_of(const QuarkJob &job, const QudaInvertParam &param);

/// What the source is multiplied by.
double source_factor(const QudaInvertParam &param);

/// Residuals that a host may look at become NaN, until they are computed.
void forget_results(QudaInvertParam *param);
/// The same of n numbers, where there is an array.
void forget_results(double *residuals, int n);

/// Value of param.iter. Hosts compare it with maxiter: it is below that if and only if the solve has converged.
int told_iterations(bool converged, int iterations, const QudaInvertParam &param);

/// Refuses, on all ranks, what some rank was given. name: of the host's array of a right-hand side.
void check_finite(const char *function, const std::function<std::string(std::size_t)> &name,
                  const ColorSpinorField &field);

} // namespace quda
