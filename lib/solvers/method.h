#pragma once
/// The Krylov methods by name.

#include "solvers/krylov_solver.h"

namespace quda
{

enum class Method {
  cg,
  cgne, ///< cg on A A^dag y = b, x = A^dag y
  cgnr, ///< cg on A^dag A x = A^dag b, judged by b - A x
  bicgstab,
  gcr
};

/// As users know it.
const char *method_name(Method method);

/// restart: steps between two restarts of GCR; of no meaning to the others.
MakeIteration make_iteration(Method method, int restart);

/// What the method sees of A x = b.
System system_of(Method method);

} // namespace quda
