/// Functions of the C interface that this build does not have: each reports kind "unsupported" with its name, so that a
/// host code links and starts, and is told what is missing when it calls it. A function moves out of here when it is
/// written.
///
/// Returns   : nothing, zero or a null pointer, if the application's handler lets the call return
/// Errors    : always
/// Collective: no

#include "quda.h"
#include "quda_milc_interface.h"

#include "core/error.h"
#include "interface/guard.h"

#include <string>

namespace
{

template <class Result> Result refuse(const char *function)
{
  return quda::guard(function, [function]() -> Result {
    quda::fail(quda::ErrorKind::unsupported,
               std::string(function) + " is not supported by this build of libquda: it has not been built into it");
  });
}

} // namespace

// The compiler compares each line with the function's declaration in the public header.
#define UNSUPPORTED(result, name, ...)                                                                                 \
  extern "C" result name(__VA_ARGS__) { return refuse<result>(#name); }

// clang-format off

// quda.h: gauge fields and links
UNSUPPORTED(void, pack_ghost, void **, void **, int, QudaPrecision)
UNSUPPORTED(void, set_dim, int *)

// quda.h: eigenvectors. QUDA declares this one, has no such function, and does not say what it would do
UNSUPPORTED(void, lanczosQuda, int, int, void *, void *, void *, void *, void *, QudaEigParam *)

// quda_milc_interface.h: forces and momenta
UNSUPPORTED(void, qudaAsqtadForce, int, const double *, const void *const *, const void *const *, const void *const,
            void *const)
UNSUPPORTED(void, qudaComputeOprod, int, int, int, double **, double, void **, void **)

// quda_milc_interface.h: clover term
UNSUPPORTED(void, qudaCloverDerivative, void *, void *, void *, int, int, double, int, int, int)
UNSUPPORTED(void, qudaCloverTrace, void *, void *, int, int)

// quda_milc_interface.h: solvers
UNSUPPORTED(void, qudaDDInvert, int, int, double, QudaInvertArgs_t, double, double, const int *const, const void *const,
            const void *const, void *, void *, double *const, double *const, int *)
// clang-format on
