#pragma once
/// Base of the functions of the linear algebra: checks of their operands, and the launch of a formula.

#include <array>
#include <variant>
#include <vector>

#include "core/exact_limbs.h"
#include "fields/color_spinor_field.h"
#include "kernels/blas/blas_call.h"
#include "ops/blas/coefficients.h"

namespace quda
{

/// The formulas of the target in use.
const BlasTable &blas_table();

} // namespace quda

namespace quda::blas
{

/// A field and its name in the calling function.
struct Operand {
  const char *name;
  const ColorSpinorField *field;
};

/// A coefficient of any kind.
class Coefficient
{
public:
  Coefficient(double a = 0.0)
      : a_(Coefficients(a))
  {
  }
  Coefficient(const Coefficients &a)
      : a_(a)
  {
  }
  Coefficient(const ComplexCoefficients &a)
      : a_(a)
  {
  }
  bool listed() const
  {
    return std::visit([](const auto &a) { return a.listed(); }, a_);
  }
  std::size_t size() const
  {
    return std::visit([](const auto &a) { return a.size(); }, a_);
  }
  Complex operator[](std::size_t rhs) const
  {
    return std::visit([rhs](const auto &a) { return Complex(a[rhs]); }, a_);
  }

private:
  std::variant<Coefficients, ComplexCoefficients> a_;
};

/// A call of a formula.
struct Request {
  const char *function; // "axpy": the name in tuning, profile and errors
  const BlasFormula &formula;
  std::array<Operand, blas_operands> operand; // x, y, z, w, u of the formula; null if it does not use one
  std::array<Coefficient, blas_coefficients> coefficient;
  int flops; // of one complex number
};

/// Range of the sums.
enum class Sums { whole, each_rhs };

/// Checks and launches; returns the formula's sums over all ranks: one set, or one set for each right-hand side, one
/// after the other. Collective over the fields' communicator if there are sums. Errors: bad_argument if operands differ
/// in shape, precision or layout, are not native, or share memory that the formula would spoil, and for lists of
/// coefficients of the wrong length.
std::vector<double> launch(const Request &request, Sums over = Sums::whole);
/// The same with only this rank's part of the sums.
std::vector<ExactLimbs> launch_here(const Request &request, Sums over);

/// Whether two operands must agree in precision; shape and layout must, except for the number of right-hand sides.
enum class Precisions { equal, any };
void check_alike(const char *function, const Operand &a, const Operand &b, Precisions precisions = Precisions::equal);
/// Native, and not in quarter precision.
void check_operand(const char *function, const Operand &a);
/// The instance of a formula.
LaunchFunction<BlasCall> kernel_of(const BlasFormula &formula, const char *function, Precision precision);
/// Whether the fields share any number.
bool overlap(const ColorSpinorField &x, const ColorSpinorField &y);

} // namespace quda::blas
