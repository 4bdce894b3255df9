#pragma once
/// The Krylov methods, a row each: all that is known of one outside of its class. A new method is an Iteration
/// (solvers/iteration.h) and its row in method.cpp.

#include <memory>
#include <span>

#include "solvers/krylov_solver.h"

namespace quda
{

/// With the numbers that hosts know them by (QudaInverterType).
enum class Method : int { cg = 0, bicgstab = 1, gcr = 2, cgne = 14, cgnr = 15 };

struct MethodOptions {
  int krylov = 16; // GCR: steps between two restarts
};

struct MethodRow {
  Method method;
  const char *name; // as users know it
  System system;    // what it sees of A x = b
  bool positive;    // A itself must be Hermitian and positive
  bool krylov;      // whether it reads that option
  std::unique_ptr<Iteration> (*make)(const LinearOperator &, const MethodOptions &);
};

/// All of them, in the order of their numbers.
std::span<const MethodRow> methods();

/// Null where there is none of this number.
const MethodRow *find_method(int number);

inline const MethodRow &row_of(Method method) { return *find_method(static_cast<int>(method)); }

} // namespace quda
