#pragma once
/// What the functions of the linear algebra share: checks of their operands, and the launch of a formula.

#include <array>
#include <complex>

#include "fields/color_spinor_field.h"
#include "ops/blas/blas_table.h"

namespace quda
{

/// The formulas of the target in use.
const BlasTable &blas_table();

} // namespace quda

namespace quda::blas
{

/// A field and what its function calls it.
struct Operand {
  const char *name;
  const ColorSpinorField *field;
};

/// A call of a formula.
struct Request {
  const char *function; // "axpy": the name in tuning, profile and errors
  const BlasFormula &formula;
  std::array<Operand, blas_operands> operand; // x, y, z, w, u of the formula; none where it reads and writes none
  std::array<std::complex<double>, blas_coefficients> coefficient;
  int flops; // of one complex number
};

/// Checks and launches; sums (null where the formula has none) are this rank's. Errors: bad_argument where operands
/// differ in shape, precision or layout, are not native, or share memory that the formula would spoil.
void launch(const Request &request, ExactLimbs *sums);

/// The same, for formulas with n sums over all ranks. Collective over the fields' communicator.
template <int n> std::array<double, n> launch_sums(const Request &request);

} // namespace quda::blas
