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

/// Vectors made by polynomials of A = M_pc^dag M_pc in place of solves: T_order(A) of some random ones, and of each T_step(A)
/// again and again, where T is small where all but the lowest part of A's spectrum lies.
/// Source: Boyle, arXiv:2103.05034.
struct FilterForm {
  int order = 0; // 0: none
  int step = 25;
  int sources = 4; // random vectors, side by side
};

/// How vectors near to the kernel of a level's operator are sought: from random ones, by a method on M x = 0 that begins
/// with them, or on M x = b with themselves for b; or by a filter.
struct SetupForm {
  Method method = Method::cgnr;
  MethodOptions options {};
  double tolerance = 5e-6; // of the residual, relative to the first one
  int steps = 500;
  int rounds = 1;        // each from what the one before left
  int refresh_steps = 0; // of an update
  int together = 0;      // right-hand sides of a solve; 0: all
  bool inverse = false;  // M x = b
  FilterForm filter {};  // in place of the method, but for refreshes
  int bootstrap = 0;     // rounds of the level's own cycle on its vectors afterwards
};

struct SmootherForm {
  Method method = Method::ca_gcr;
  MethodOptions options {};
  int before = 0, after = 8; // steps
  std::optional<SchwarzForm> schwarz {};
  int cycles = 1; // of Schwarz
};

/// Steps of a CA smoother that are made at once: equal parts of all, of at most 8 of a power basis, as single precision
/// bears, or 16 of Chebyshev polynomials.
inline int equal_part(int steps, Polynomials polynomials)
{
  const int longest = polynomials == Polynomials::chebyshev ? 16 : 8, all = steps > 1 ? steps : 1;
  const int parts = (all + longest - 1) / longest;
  return (all + parts - 1) / parts;
}

/// How the system of a level is solved for the finer one.
struct CoarseForm {
  Method method = Method::gcr;
  MethodOptions options {};
  double tolerance = 0.25; // relative
  int steps = 16;
};

/// Right singular vectors of a level's M_pc with the smallest values, eigenvectors of M_pc^dag M_pc. Of the last level its
/// solver takes them from a system before it begins (solvers/deflation.h); of the others P's vectors are made of them.
struct LowModeForm {
  EigenOptions options {};
  int used = 0; // by the solver; 0: all
  Precision kept = Precision::single;
  bool required = false; // that all converge; else a warning says how many have
};

struct MultigridLevel {
  CoarseForm solve {}; // not of the finest
  Verbosity verbosity = Verbosity::silent;
  double mu_factor = 1; // on the twist; not of the finest
  std::optional<LowModeForm> low_modes {};
  // of all but the last:
  int block[4] = {4, 4, 4, 4};
  int vectors = 24;
  Precision stored = Precision::single; // of P's vectors; half: fixed point
  SetupForm setup {};
  SmootherForm smoother {};
  bool recursive = true;
  // vectors, in place of a search; of the finest, on all sites, and of others their numbers, as to_host() has them
  std::shared_ptr<const ColorSpinorField> given {};
  std::shared_ptr<const std::vector<std::complex<double>>> given_rows {};
};

struct MultigridForm {
  std::vector<MultigridLevel> levels; // two at least
  Precision precision = Precision::single;
  LinkStorage smoothing {Precision::single, Reconstruct::none}; // of the finest level's smoother
  MatPC matpc = MatPC::even_even;                               // symmetric; of all levels
  bool all_levels =
      true; // each level seeks its own vectors; false: the finer one's, restricted, where their numbers allow
  bool keep_low_modes = false; // the last level's: updates do not find them anew
  bool verify = false;         // invariants are measured after the set-up, and a violation is an error
  // Of staggered quarks: level 1 is their operator on hypercubes, preconditioned (kaehler_dirac.h). Of levels[0]
  // nothing is read then that makes a P: block, vectors, set-up.
  bool kaehler_dirac = false;
  // The long links of improved ones are in level 1, too, on all sites then, not on one parity; and in what is below it, but
  // where aggregates of level 1 are of one hypercube.
  bool long_links = false;

  /// Whether a level works on all sites.
  bool whole(int level) const { return kaehler_dirac && long_links && level == 1; }
  /// Whether matrices of coarse grids are of 16 bits: where links of the finest smoother are, and fields of single precision.
  bool narrow() const
  {
    return !kaehler_dirac && precision == Precision::single && bytes_of(smoothing.precision) < bytes_of(precision);
  }
};

/// What a level is, for people.
struct LevelReport {
  std::string lattice;
  int rows = 0;      // complex numbers a site
  double setup = 0;  // seconds of its vectors, operator and what is derived from it
  double cycles = 0; // seconds in all cycles, without those of coarser levels; of these
  double smoothers = 0, operators = 0, transfers = 0; // in smoothers, residuals and even-odd forms, and R and P;
  double method() const { return cycles - smoothers - operators - transfers; } // the rest is its solver's
  int products = 0;                                                            // P^dag M P made for its operator so far
  long long solves = 0, iterations = 0;
  double flops = 0;                 // of products with its operators, R and P, on this rank
  double bytes = 0;                 // of vectors and matrices
  std::vector<double> low_modes {}; // their values, where its solver has such
};

/// What was done between two reports of a level; its set-up is that of the later one.
LevelReport operator-(LevelReport after, const LevelReport &before);
/// Where a level's time went, a line.
std::string text_of(const LevelReport &level, int number);

class Multigrid final : public PreconditionerSource
{
public:
  /// Seeks the vectors. fine: the finest operator, on links and clover term that must outlive nothing here: they are
  /// copied. Errors: unsupported for operators that are not coarsened.
  Multigrid(const DiracParam &fine, const LinkSet &links, const MultigridForm &form);
  ~Multigrid() override;

  /// The same vectors on other links, or with other parameters of the same kind of operator. On the links that there are,
  /// with the same clover term or a multiple of it, the coarse operators are sums of what there is (galerkin.h), without a
  /// product. refresh: they are improved
  /// by so many steps first. thin: the finest level's operators alone are exchanged.
  void update(const DiracParam &fine, const LinkSet &links, bool thin);
  /// The same with other solvers, smoothers, mu_factor and steps of a refresh; levels, blocks and vectors must be those
  /// that there are.
  void update(const DiracParam &fine, const LinkSet &links, const MultigridForm &form, bool thin);

  /// Other solvers, smoothers and steps on the same operators; levels, blocks and vectors must be those that there are.
  void set_methods(const MultigridForm &form);

  /// Preconditioner of M, of M_pc of either parity, of their adjoints, or of the normal form of either; the inverse of a
  /// normal form is the product of two inverses.
  std::unique_ptr<Preconditioner> preconditioner(const DiracSystemForm &form) override;

  const MultigridForm &form() const;
  /// Vectors of any level except the last, on all sites, before they were made orthonormal. Level 0 of staggered quarks has none.
  const ColorSpinorField &vectors(int level = 0) const;
  /// work() on a level's fields by the ranks that solve it, while others wait, where several have copies of it
  /// (multigrid/gathering.h). Where it fails, on all of its ranks, all are told. Collective.
  void once(int level, const std::function<void()> &work) const;
  std::vector<LevelReport> report() const;
  /// Operator of a level, 0 to the last.
  const Dirac &level_operator(int level) const;

private:
  struct Hierarchy;
  std::unique_ptr<Hierarchy> hierarchy_;
};

} // namespace quda
