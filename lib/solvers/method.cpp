#include "solvers/method.h"

#include "solvers/bicgstab.h"
#include "solvers/cg.h"
#include "solvers/gcr.h"

namespace quda
{

const char *method_name(Method method)
{
  switch (method) {
  case Method::cg:
    return "CG";
  case Method::cgne:
    return "CGNE";
  case Method::cgnr:
    return "CGNR";
  case Method::bicgstab:
    return "BiCGstab";
  case Method::gcr:
    return "GCR";
  }
  return "";
}

MakeIteration make_iteration(Method method, int restart)
{
  switch (method) {
  case Method::bicgstab:
    return [](const LinearOperator &A) { return std::make_unique<BiCGstab>(A); };
  case Method::gcr:
    return [restart](const LinearOperator &A) { return std::make_unique<GCR>(A, restart); };
  default:
    return [](const LinearOperator &A) { return std::make_unique<CG>(A); };
  }
}

System system_of(Method method)
{
  return method == Method::cgne   ? System::normal_error
         : method == Method::cgnr ? System::normal_residual
                                  : System::direct;
}

} // namespace quda
