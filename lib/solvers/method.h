#pragma once
/// Table of the Krylov methods, one row each, with everything that other code must know of a method. A new method is a
/// KrylovMethod (solvers/krylov_method.h) and its row in method.cpp.

#include <memory>
#include <span>

#include "solvers/gmres_dr.h"
#include "solvers/krylov_basis.h"
#include "solvers/krylov_solver.h"

namespace quda
{

/// The methods, with the hosts' numbers (QudaInverterType, QudaInverterTypeExt).
enum class Method : int {
  cg = 0,
  bicgstab = 1,
  gcr = 2,
  mr = 3,
  sd = 4,
  pcg = 5,
  eigcg = 6,
  inc_eigcg = 7,
  gmresdr = 8,
  gmresdr_proj = 9,
  bicgstabl = 13,
  cgne = 14,
  cgnr = 15,
  cg3 = 16,
  cg3ne = 17,
  cg3nr = 18,
  ca_cg = 19,
  ca_cgne = 20,
  ca_cgnr = 21,
  ca_gcr = 22,
  block_cg = 1000,
  pipelined_cg = 1001
};

class LanczosWindow;

/// Largest number of directions of a Krylov space: each is a field, or two, and more would take all memory.
constexpr int most_directions = 1024;

struct MethodOptions {
  int krylov = 16;                              // GCR: steps between two restarts; BiCGstab(l): l; CA methods: s
  double omega = 1;                             // MR, SD: relaxation factor of the optimal step
  Polynomials polynomials = Polynomials::power; // CA methods
  Spectrum spectrum {};                         // of the system that the method solves, for polynomials that need it
  int space = 64, kept = 8;                     // GMRES-DR: directions of a cycle, and how many of them are kept
  Preconditioner *preconditioner = nullptr;     // GCR, PCG; must outlive the iteration
  LanczosWindow *window = nullptr;              // eigCG: gathers low modes; must outlive the iteration
  Recycling recycling {};                       // GMRES-Proj: vectors from earlier systems, and for later ones
};

struct MethodRow {
  enum Reads : unsigned {
    nothing = 0,
    krylov = 1,
    omega = 2,
    polynomials = 4,
    deflation = 8,
    preconditioner = 16,
    window = 32,
    recycling = 64
  };

  Method method;
  const char *name; // as users know it
  System system;    // the system that it solves for A x = b
  bool positive;    // whether A itself must be Hermitian and positive
  unsigned options; // options that it reads
  std::unique_ptr<KrylovMethod> (*make)(const LinearOperator &, const MethodOptions &);

  bool reads(Reads option) const { return options & option; }
  /// Whether its solves leave low modes for later ones (solvers/incremental.h).
  bool leaves_modes() const { return options & (window | recycling); }
};

/// All methods, in the order of their numbers.
std::span<const MethodRow> methods();

/// The method of this number; null if there is none.
const MethodRow *find_method(int number);

/// Estimates the spectrum from these right-hand sides if the method's polynomials need it and the options lack it; if
/// all are zero, takes powers. Returns whether it estimated.
bool estimate_spectrum(MethodOptions &options, const MethodRow &method, System system, const LinearOperator &A,
                       const ColorSpinorField &start);

inline const MethodRow &row_of(Method method) { return *find_method(static_cast<int>(method)); }

} // namespace quda
