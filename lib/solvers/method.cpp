#include "solvers/method.h"

#include <algorithm>

#include "solvers/bicgstab.h"
#include "solvers/cg.h"
#include "solvers/gcr.h"

namespace quda
{

namespace
{

  using Made = std::unique_ptr<Iteration>;
  using Operator = LinearOperator;
  using Options = MethodOptions;

  template <class M> Made plain(const Operator &A, const Options &) { return std::make_unique<M>(A); }
  Made gcr(const Operator &A, const Options &o) { return std::make_unique<GCR>(A, o.krylov); }

  // number, name, system, positive, krylov, maker
  constexpr MethodRow rows[] = {
      {Method::cg, "CG", System::direct, true, false, plain<CG>},
      {Method::bicgstab, "BiCGstab", System::direct, false, false, plain<BiCGstab>},
      {Method::gcr, "GCR", System::direct, false, true, gcr},
      {Method::cgne, "CGNE", System::normal_error, false, false, plain<CG>},
      {Method::cgnr, "CGNR", System::normal_residual, false, false, plain<CG>},
  };

} // namespace

std::span<const MethodRow> methods() { return rows; }

const MethodRow *find_method(int number)
{
  const auto row = std::find_if(std::begin(rows), std::end(rows),
                                [=](const MethodRow &one) { return static_cast<int>(one.method) == number; });
  return row == std::end(rows) ? nullptr : row;
}

} // namespace quda
