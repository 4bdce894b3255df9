#pragma once
/// The operator of a system in several precisions, and what of the system a Krylov method sees.

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dirac/linear_operator.h"
#include "solvers/krylov_method.h"

namespace quda
{

/// One operator in the precisions a solve may use, each made when it is asked for first.
class OperatorByPrecision
{
public:
  using Make = std::function<std::unique_ptr<LinearOperator>(Precision)>;
  using SelectRhs = std::function<void(std::span<const int>)>;
  /// outer must outlive this. make: the same operator in a lower precision. select_rhs, of operators that differ from
  /// one right-hand side to the next: told which of the caller's the columns of the calls to come are.
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

/// What the method sees of A x = b.
enum class System {
  direct,
  normal_residual, ///< A^dag A x = A^dag b; judged by b - A x
  normal_error     ///< A A^dag y = b, x = A^dag y
};

/// The operator of what the method sees; null where that is A itself, which must outlive it.
std::unique_ptr<LinearOperator> seen_by_method(System system, const LinearOperator &A);
/// Refuses an operator that is not positive where the method needs one that is.
void check_symmetry(const KrylovMethod &method, const LinearOperator &A);

} // namespace quda
