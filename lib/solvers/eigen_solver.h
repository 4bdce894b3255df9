#pragma once
/// Eigenvalues and eigenvectors of an operator: the driver that all methods share. A space of n_kr vectors is expanded,
/// its projected problem solved (eigen_method.h), and the space begun anew with the best Ritz vectors, until the wanted
/// ones are good; of a Hermitian operator a Chebyshev polynomial of it may stand in its place (chebyshev.h).
/// What decides is |A v - lambda v| of every wanted vector, lambda = v^dag A v, computed in the outer precision with A
/// itself: below tol |lambda|, or below what rounding leaves of it. Where residuals of the recursion, or those of the
/// polynomial, were too hopeful, it goes on with a smaller tolerance.
/// Pairs whose residual is rounding are locked: they leave the projected problem, and nothing that follows turns them.
/// Memory  : that of the space (krylov_space.h), told before it is taken.
/// Results : independent of ranks and threads to the bit.

#include <memory>

#include "solvers/chebyshev.h"
#include "solvers/eigen_method.h"
#include "solvers/krylov_space.h"

namespace quda
{

struct EigenOptions {
  EigenMethod method = EigenMethod::tr_lanczos;
  Wanted wanted = Wanted::smallest_real;
  int pairs = 1;      // that are wanted
  int search = 1;     // Ritz vectors that a restart keeps at least
  int space = 16;     // vectors of the space
  int block = 1;      // of methods that have blocks
  double tol = 1e-10; // of |A v - lambda v| / |lambda|
  int restarts = 100; // at most
  int degree = 0;     // of the polynomial; 0: none
  double least = 0;   // of its window; 0: found, so that few more than those wanted lie outside
  double most = 0;    // likewise; not above 0: above all eigenvalues
  /// Several problems at once, and the ranks that decide together where not all have the same; null: those of A.
  ProblemSet problems {};
  Communicator *together = nullptr;
  RandomDirections random = nullptr; // where the space begins; null: of all numbers of a field
};

struct EigenReport {
  std::vector<blas::Complex> values; // in the order that was asked for, problem by problem
  std::vector<double> residuals;     // |A v - lambda v|
  bool converged = false;            // all of them, on all ranks
  int good = 0;                      // how many have, of the problem with fewest
  double worst = 0;                  // the largest residual, of all ranks
  int restarts = 0;
  long long products = 0; // of A and one vector of each problem
  double flops = 0;       // of this rank
  double seconds = 0;
  SpectralWindow window {}; // of the polynomial
};

class EigenSolver
{
public:
  /// outer: decides; inner: the same matrix in the precision of the space. Both must outlive it.
  /// Errors: bad_argument for sizes that do not fit each other or the operator, and for operators that a method or a
  /// polynomial must find Hermitian and that are not.
  EigenSolver(const LinearOperator &outer, const LinearOperator &inner, const EigenOptions &options);
  /// start: the direction of the first vector, or null.
  EigenReport solve(const ColorSpinorField *start = nullptr);
  /// Vectors that come from elsewhere, in place of those that solve() would find: their values, and whether they are
  /// good. each: of unit length and of the inner operator's shape, a right-hand side a problem, as many as pairs are
  /// wanted. roundoff: of what they have gone through; residuals that it explains are good.
  EigenReport judge_given(std::vector<ColorSpinorField> each, double roundoff);
  /// Eigenvector i of each problem, of unit length, in the inner precision; until the next is asked for.
  const ColorSpinorField &vector(int i);
  const char *name() const { return row_->name; }

private:
  /// What is known of a problem's space, after a restart.
  struct Known {
    std::vector<blas::Complex> locked, ritz; // values: of the locked ones, and of all
    blas::Matrix Y;                          // Ritz vectors, those that are not locked, in the basis of the space
    std::vector<int> order;                  // of the eigenvectors in the space
  };

  void check() const;
  Wanted of_space() const { return polynomial_ ? Wanted::largest_real : options_.wanted; }
  Communicator &together() const;
  double rounding(int p) const;
  void find_window();
  /// The polynomial of window_, where there is one, and a space of it.
  void begin(const ColorSpinorField *start);
  /// Whether wanted eigenvalues lie in the window, where the polynomial has no order: it then becomes smaller.
  bool shrink_window(const std::vector<blas::Complex> &values);
  std::vector<RitzPairs> ritz_pairs() const;
  /// How many of the wanted are good, from the first on, by their residuals; of the problem with fewest.
  int good_ones(const std::vector<RitzPairs> &ritz) const;
  /// The space grows until it is full, or good enough: the pairs, and how many of the wanted are good.
  int expand(std::vector<RitzPairs> &ritz);
  void restart(const std::vector<RitzPairs> &ritz);
  /// lambda and |A v - lambda v| of the wanted pairs, whether they are good, and by how much the worst is not.
  double judge(EigenReport &report);
  double scale(int p) const;
  void assemble(int i);

  const LinearOperator &outer_, &inner_;
  EigenOptions options_;
  const EigenMethodRow *row_;
  SpectralWindow window_ {};
  double end_found_ = 0; // of the window, towards what is wanted: as find_window() would have it
  std::unique_ptr<Chebyshev> polynomial_;
  std::unique_ptr<KrylovSpace> space_;
  int locked_ = 0;
  double tol_ = 0; // of the recursion's residuals
  std::vector<Known> known_;
  std::unique_ptr<ColorSpinorField> vector_;
  std::vector<ColorSpinorField> given_; // in place of those of the space
  double roundoff_;                     // of the vectors
  long long products_ = 0;              // of A, before those of the space
};

} // namespace quda
