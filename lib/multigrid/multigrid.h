#pragma once
/// Multigrid: a preconditioner whose error on coarser grids is solved for there.
///
///   K r : z = before steps of the smoother;  z += P M_c^-1 R (r - M z);  after steps of the smoother
/// The vectors of P are near to the kernel of M, sought at the set-up; M_c = P^dag M P is an operator like any other, so
/// that its system is solved by a Krylov method with the next level as its preconditioner (recursive, K-cycle), or by
/// that alone (V-cycle), on the last level by the method itself. Each level works on the sites of one parity, by the
/// symmetric Schur complement of its operator: the residual of what it stands for, A r on that parity and zero on the
/// other, is what goes to the coarser grid, whose operator is that of all sites.
///
/// Fields     : those of the system to be preconditioned, of any precision; within, vectors are of single or double
///              precision (MultigridForm::precision), the smoother has a storage of its own.
/// Lattices   : the finest level has a lattice of its own where lanes of the operator's do not hold whole aggregates.
/// Bits       : depend neither on threads, tuning, instruction set, nor on ranks where aggregates are the same.
/// Collective : everything. Errors: bad_argument and unsupported, naming the level, what was asked and what is allowed.
/// Source     : Babich et al., Phys. Rev. Lett. 105 (2010) 201602; Frommer et al., SIAM J. Sci. Comput. 36 (2014) A1581.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/log.h"
#include "dirac/dirac_param.h"
#include "ops/links/link_set.h"
#include "solvers/dirac_solver.h"

namespace quda
{

/// How vectors near to the kernel of a level's operator are sought: from random ones, by a method on M x = 0 that begins
/// with them, or on M x = b with themselves for b.
struct SetupForm {
  Method method = Method::cgnr;
  MethodOptions options {};
  double tolerance = 5e-6; // of the residual, relative to the first one
  int steps = 500;
  int rounds = 1;        // each from what the one before left
  int refresh_steps = 0; // of an update
  int together = 0;      // right-hand sides of a solve; 0: all
  bool inverse = false;  // M x = b
  int bootstrap = 0;     // rounds of the level's own cycle on its vectors afterwards
};

struct SmootherForm {
  Method method = Method::ca_gcr;
  MethodOptions options {};
  int before = 0, after = 8; // steps
  std::optional<SchwarzForm> schwarz {};
  int cycles = 1; // of Schwarz
};

/// How the system of a level is solved for the finer one.
struct CoarseForm {
  Method method = Method::gcr;
  MethodOptions options {};
  double tolerance = 0.25; // relative
  int steps = 16;
};

struct MultigridLevel {
  CoarseForm solve {}; // not of the finest
  Verbosity verbosity = Verbosity::silent;
  double mu_factor = 1; // on the twist; not of the finest
  // of all but the last:
  int block[4] = {4, 4, 4, 4};
  int vectors = 24;
  Precision stored = Precision::single; // of P's vectors; half: fixed point
  SetupForm setup {};
  SmootherForm smoother {};
  bool recursive = true;
  std::shared_ptr<const ColorSpinorField> given {}; // of the finest, on all sites: its vectors, in place of a search
};

struct MultigridForm {
  std::vector<MultigridLevel> levels; // two at least
  Precision precision = Precision::single;
  LinkStorage smoothing {Precision::single, Reconstruct::none}; // of the finest level's smoother
  MatPC matpc = MatPC::even_even;                               // symmetric; of all levels
  bool all_levels =
      true; // each level seeks its own vectors; false: the finer one's, restricted, where their numbers allow
  bool verify = false; // invariants are measured after the set-up, and a violation is an error
};

/// What a level is, for people.
struct LevelReport {
  std::string lattice;
  int rows = 0;      // complex numbers a site
  double setup = 0;  // seconds of its vectors, operator and what is derived from it
  double cycles = 0; // seconds in all cycles, without those of coarser levels
  long long solves = 0, iterations = 0;
  double bytes = 0; // of vectors and matrices
};

class Multigrid final : public PreconditionerSource
{
public:
  /// Seeks the vectors. fine: the finest operator, on links and clover term that must outlive nothing here: they are
  /// copied. Errors: unsupported for operators that are not coarsened.
  Multigrid(const DiracParam &fine, const LinkSet &links, const MultigridForm &form);
  ~Multigrid() override;

  /// The same vectors on other links, or with other parameters of the same kind of operator. refresh: they are improved
  /// by so many steps first. thin: the finest level's operators alone are exchanged.
  void update(const DiracParam &fine, const LinkSet &links, bool thin);
  /// The same with other solvers, smoothers, mu_factor and steps of a refresh; levels, blocks and vectors must be those
  /// that there are.
  void update(const DiracParam &fine, const LinkSet &links, const MultigridForm &form, bool thin);

  /// Of a system that this is near to the inverse of: M or M_pc of the operator's own parity, not its adjoint nor normal
  /// form.
  std::unique_ptr<Preconditioner> preconditioner(const DiracSystemForm &form) override;

  const MultigridForm &form() const;
  /// Those of the finest level, on all sites, before they were made orthonormal.
  const ColorSpinorField &vectors() const;
  std::vector<LevelReport> report() const;

private:
  struct Hierarchy;
  std::unique_ptr<Hierarchy> hierarchy_;
};

} // namespace quda
