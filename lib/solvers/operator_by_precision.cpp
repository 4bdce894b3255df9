#include "solvers/operator_by_precision.h"

#include "core/error.h"

namespace quda
{

void check_symmetry(const KrylovMethod &method, const LinearOperator &A)
{
  if (method.needs_positive() && A.symmetry() != Symmetry::positive)
    fail(ErrorKind::bad_argument,
         text("%s: the operator is not hermitian and positive; solve a normal system", method.name()));
}

const LinearOperator &OperatorByPrecision::at(Precision precision)
{
  if (precision == outer_.precision()) return outer_;
  for (const auto &known : made_)
    if (known->precision() == precision) return *known;
  if (!make_)
    fail(ErrorKind::internal,
         text("OperatorByPrecision: no operator of %d bytes a real can be made", bytes_of(precision)));
  made_.push_back(make_(precision));
  return *made_.back();
}

std::unique_ptr<LinearOperator> seen_by_method(System system, const LinearOperator &A)
{
  if (system == System::normal_residual) return std::make_unique<Normal>(A);
  if (system == System::normal_error) return std::make_unique<NormalError>(A);
  return nullptr;
}

} // namespace quda
