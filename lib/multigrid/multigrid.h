#pragma once
/// Multigrid preconditioner: the error of a smoother is reduced on coarser grids.
///
///   K r : z = before steps of the smoother;  z += P M_c^-1 R (r - M z);  after steps of the smoother
/// The vectors of P are near the kernel of M and sought at the set-up; M_c = P^dag M P is an operator like any other.
/// Its system is solved by a Krylov method with the next level as its preconditioner (recursive, K-cycle), by the next
/// level only (V-cycle), or on the last level by the method itself. Each level works on the sites of one parity, with
/// the symmetric Schur complement of its operator. The residual of the full system, A r on that parity and zero on the
/// other, goes to the coarser grid, whose operator is that of all sites.
///
/// Fields     : those of the preconditioned system, in any precision; inside, vectors are in single or double precision
///              (MultigridForm::precision), and the smoother has its own storage.
/// Lattices   : the finest level has its own lattice if lanes of the operator's lattice do not hold whole aggregates.
/// Bits       : independent of threads, tuning and instruction set; of ranks, too, if aggregates are the same.
/// Collective : everything. Errors: bad_argument and unsupported, with the level, the value and the allowed values.
/// Source     : Babich et al., Phys. Rev. Lett. 105 (2010) 201602; Frommer et al., SIAM J. Sci. Comput. 36 (2014) A1581.

#include <complex>
#include <functional>
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

/// Set-up by polynomials of A = M_pc^dag M_pc in place of solves: T_order(A) of some random vectors, then T_step(A) of
/// each repeatedly, with T small on all of A's spectrum except the lowest part.
/// Source: Boyle, arXiv:2103.05034.
struct FilterForm {
  int order = 0; // 0: none
  int step = 25;
  int sources = 4; // random vectors, processed together
};

/// Search for vectors near the kernel of a level's operator: from random ones, by a method on M x = 0 that begins with
/// them, or on M x = b with b the vectors; or by a filter.
struct SetupForm {
  Method method = Method::cgnr;
  MethodOptions options {};
  double tolerance = 5e-6; // of the residual, relative to the first one
  int steps = 500;
  int rounds = 1;        // each from the result of the one before
  int refresh_steps = 0; // in an update
  int together = 0;      // right-hand sides per solve; 0: all
  bool inverse = false;  // M x = b
  FilterForm filter {};  // replaces the method, except in refreshes
  int bootstrap = 0;     // rounds of the level's own cycle on its vectors afterwards
};

struct SmootherForm {
  Method method = Method::ca_gcr;
  MethodOptions options {};
  int before = 0, after = 8; // steps
  std::optional<SchwarzForm> schwarz {};
  int cycles = 1; // of Schwarz
};

/// Steps that a CA smoother makes at once: equal parts of all steps, at most 8 with a power basis, which single
/// precision bears, or 16 with Chebyshev polynomials.
inline int equal_part(int steps, Polynomials polynomials)
{
  const int longest = polynomials == Polynomials::chebyshev ? 16 : 8, all = steps > 1 ? steps : 1;
  const int parts = (all + longest - 1) / longest;
  return (all + parts - 1) / parts;
}

/// Solver of a level's system for the finer level.
struct CoarseForm {
  Method method = Method::gcr;
  MethodOptions options {};
  double tolerance = 0.25; // relative
  int steps = 16;
};

/// Right singular vectors of a level's M_pc with the smallest values, eigenvectors of M_pc^dag M_pc. The last level's
/// solver removes them from a system before it begins (solvers/deflation.h); other levels make P's vectors from them.
struct LowModeForm {
  EigenOptions options {};
  int used = 0; // of the solver; 0: all
  Precision kept = Precision::single;
  bool required = false; // all must converge; else a warning says how many did
};

struct MultigridLevel {
  CoarseForm solve {}; // not for the finest level
  Verbosity verbosity = Verbosity::silent;
  double mu_factor = 1; // factor of the twist; not for the finest level
  std::optional<LowModeForm> low_modes {};
  // for all levels except the last:
  int block[4] = {4, 4, 4, 4};
  int vectors = 24;
  Precision stored = Precision::single; // of P's vectors; half: fixed point
  SetupForm setup {};
  SmootherForm smoother {};
  bool recursive = true;
  // vectors, in place of a search; on the finest level on all sites, else their numbers in the order of to_host()
  std::shared_ptr<const ColorSpinorField> given {};
  std::shared_ptr<const std::vector<std::complex<double>>> given_rows {};
};

struct MultigridForm {
  std::vector<MultigridLevel> levels; // two at least
  Precision precision = Precision::single;
  LinkStorage smoothing {Precision::single, Reconstruct::none}; // of the finest level's smoother
  MatPC matpc = MatPC::even_even;                               // symmetric; of all levels
  bool all_levels =
      true; // each level seeks its own vectors; false: restricts the finer level's, where their numbers allow
  bool keep_low_modes = false; // of the last level: updates do not recompute them
  bool verify = false;         // checks invariants after the set-up; a violation is an error
  // For staggered quarks: level 1 is the preconditioned operator on hypercubes (kaehler_dirac.h). The parameters of P
  // in levels[0] are then not read: block, vectors, set-up.
  bool kaehler_dirac = false;
  // Puts the long links of improved fermions into level 1, too, which then works on all sites; and into coarser levels,
  // unless aggregates of level 1 are single hypercubes.
  bool long_links = false;

  /// Whether a level works on all sites.
  bool whole(int level) const { return kaehler_dirac && long_links && level == 1; }
  /// Whether coarse matrices have 16 bits: links of the finest smoother have, and fields are in single precision.
  bool narrow() const
  {
    return !kaehler_dirac && precision == Precision::single && bytes_of(smoothing.precision) < bytes_of(precision);
  }
};

/// Report on a level, for users.
struct LevelReport {
  std::string lattice;
  int rows = 0;                                       // complex numbers per site
  double setup = 0;                                   // seconds for its vectors, operator and derived data
  double cycles = 0;                                  // seconds in all cycles, without coarser levels; of these
  double smoothers = 0, operators = 0, transfers = 0; // in smoothers, residuals and even-odd forms, R and P;
  double method() const { return cycles - smoothers - operators - transfers; } // the rest: in its solver
  int products = 0;                                                            // P^dag M P made for its operator so far
  long long solves = 0, iterations = 0;
  double flops = 0;                 // of products with its operators, R and P, on this rank
  double bytes = 0;                 // of vectors and matrices
  std::vector<double> low_modes {}; // their values, if its solver has low modes
};

/// Difference of two reports of a level; the set-up is that of the later one.
LevelReport operator-(LevelReport after, const LevelReport &before);
/// One line on how a level's time was spent.
std::string text_of(const LevelReport &level, int number);

class Multigrid final : public PreconditionerSource
{
public:
  /// Seeks the vectors. fine: the finest operator; its links and clover term are copied and need not outlive this.
  /// Errors: unsupported for operators that cannot be coarsened.
  Multigrid(const DiracParam &fine, const LinkSet &links, const MultigridForm &form);
  ~Multigrid() override;

  /// Uses the same vectors on other links, or with other parameters of the same kind of operator. If the links are the
  /// same, with the same clover term or a multiple of it, the coarse operators are sums of the known pieces
  /// (galerkin.h), without a product. refresh: improves the vectors first by the form's refresh_steps. thin: replaces
  /// only the finest level's operators.
  void update(const DiracParam &fine, const LinkSet &links, bool thin);
  /// The same with other solvers, smoothers, mu_factor and refresh steps; levels, blocks and vectors must be the
  /// same.
  void update(const DiracParam &fine, const LinkSet &links, const MultigridForm &form, bool thin);

  /// Sets other solvers, smoothers and steps on the same operators; levels, blocks and vectors must be the same.
  void set_methods(const MultigridForm &form);

  /// Preconditioner of M, of M_pc of either parity, of their adjoints, or of the normal form of either; the inverse of
  /// a normal form is the product of two inverses.
  std::unique_ptr<Preconditioner> preconditioner(const DiracSystemForm &form) override;

  const MultigridForm &form() const;
  /// Vectors of any level except the last, on all sites, not yet orthonormalised; level 0 of staggered quarks has none.
  const ColorSpinorField &vectors(int level = 0) const;
  /// Calls work() on a level's fields on the ranks that solve it, while others wait, if there are several copies of it
  /// (multigrid/gathering.h). If it fails, on all of its ranks, all ranks get the error. Collective.
  void once(int level, const std::function<void()> &work) const;
  std::vector<LevelReport> report() const;
  /// Operator of a level, 0 to the last.
  const Dirac &level_operator(int level) const;

private:
  struct Hierarchy;
  std::unique_ptr<Hierarchy> hierarchy_;
};

} // namespace quda
