#pragma once
/// Operator of a system in several precisions, and the system that a Krylov method solves.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dirac/linear_operator.h"
#include "solvers/krylov_method.h"

namespace quda
{

/// One operator in the precisions of a solve; each is made when first used.
class OperatorByPrecision
{
public:
  using Make = std::function<std::unique_ptr<LinearOperator>(Precision)>;
  using SelectRhs = std::function<void(std::span<const int>)>;
  /// outer must outlive this. make: makes the same operator in a lower precision. select_rhs, for operators that differ
  /// between right-hand sides: receives the caller's numbers of the columns in the next calls.
  OperatorByPrecision(const LinearOperator &outer, Make make = {}, SelectRhs select_rhs = {})
      : outer_(outer)
      , make_(std::move(make))
      , select_rhs_(std::move(select_rhs))
  {
  }
  const LinearOperator &outer() const { return outer_; }
  const LinearOperator &at(Precision precision);
  void select_rhs(std::span<const int> numbers) const
  {
    if (select_rhs_) select_rhs_(numbers);
  }

private:
  const LinearOperator &outer_;
  Make make_;
  SelectRhs select_rhs_;
  std::vector<std::unique_ptr<LinearOperator>> made_;
};

/// The system that a method solves for A x = b.
enum class System {
  direct,
  normal_residual, ///< A^dag A x = A^dag b; judged by b - A x
  normal_error     ///< A A^dag y = b, x = A^dag y
};

/// The operator of the method's system; null if that is A itself. A must outlive it.
std::unique_ptr<LinearOperator> seen_by_method(System system, const LinearOperator &A);
/// Errors: if the method needs a positive operator and A is not.
void check_symmetry(const KrylovMethod &method, const LinearOperator &A);

} // namespace quda
