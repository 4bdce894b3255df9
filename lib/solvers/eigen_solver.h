#pragma once
/// Eigensolver: eigenvalues and eigenvectors of an operator, the driver of all methods. A space of n_kr vectors is
/// expanded, its projected problem solved (eigen_method.h), and the space restarted with the best Ritz vectors, until
/// the wanted ones are good; the space may be that of a Chebyshev polynomial of a Hermitian operator (chebyshev.h).
/// |A v - lambda v| of every wanted vector decides, lambda = v^dag A v, computed in the outer precision with A itself:
/// it must be below tol |lambda|, or below rounding. If the recursion's residuals, or those of the polynomial, were too
/// optimistic, the iteration goes on with a smaller tolerance.
/// Pairs whose residual is rounding are locked: they leave the projected problem and are not changed any more.
/// Memory  : that of the space (krylov_space.h), reported before it is allocated.
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
  int pairs = 1;      // wanted ones
  int search = 1;     // Ritz vectors that a restart keeps, at least
  int space = 16;     // vectors of the space
  int block = 1;      // size, for methods that have blocks
  double tol = 1e-10; // of |A v - lambda v| / |lambda|
  int restarts = 100; // at most
  int degree = 0;     // of the polynomial; 0: none
  double least = 0;   // of its window; 0: chosen such that few more than the wanted ones lie outside
  double most = 0;    // likewise; not above 0: above all eigenvalues
  /// Several problems at once, and the ranks that decide together if they have different problems; null: A's ranks.
  ProblemSet problems {};
  Communicator *together = nullptr;
  RandomDirections random = nullptr; // first vector; null: random numbers in the whole field
};

struct EigenReport {
  std::vector<blas::Complex> values; // in the order that was asked for, problem by problem
  std::vector<double> residuals;     // |A v - lambda v|
  bool converged = false;            // all pairs, on all ranks
  int good = 0;                      // converged pairs, of the problem with fewest
  double worst = 0;                  // the largest residual on all ranks
  int restarts = 0;
  long long products = 0; // products of A with one vector of each problem
  double flops = 0;       // on this rank
  double seconds = 0;
  SpectralWindow window {}; // of the polynomial
};

class EigenSolver
{
public:
  /// outer: judges; inner: the same matrix in the precision of the space. Both must outlive this.
  /// Errors: bad_argument for sizes that do not fit each other or the operator, and for operators that are not
  /// Hermitian where the method or a polynomial requires it.
  EigenSolver(const LinearOperator &outer, const LinearOperator &inner, const EigenOptions &options);
  /// start: the direction of the first vector, or null.
  EigenReport solve(const ColorSpinorField *start = nullptr);
  /// Judges given vectors in place of those that solve() would find: their values, and whether they are good. each: of
  /// unit length and the inner operator's shape, one right-hand side per problem, as many as wanted pairs. roundoff: of
  /// the vectors' history; residuals that it explains are good.
  EigenReport judge_given(std::vector<ColorSpinorField> each, double roundoff);
  /// Eigenvector i of each problem, of unit length, in the inner precision; valid until the next call.
  const ColorSpinorField &vector(int i);
  const char *name() const { return row_->name; }

private:
  /// State of a problem's space after a restart.
  struct Known {
    std::vector<blas::Complex> locked, ritz; // values of the locked vectors, and of all
    blas::Matrix Y;                          // Ritz vectors that are not locked, in the basis of the space
    std::vector<int> order;                  // of the eigenvectors in the space
  };

  void check() const;
  Wanted of_space() const { return polynomial_ ? Wanted::largest_real : options_.wanted; }
  Communicator &together() const;
  double rounding(int p) const;
  void find_window();
  /// Sets up the polynomial of window_, if there is one, and a space for it.
  void begin(const ColorSpinorField *start);
  /// Whether wanted eigenvalues lie in the window, where the polynomial has no order; if so, shrinks the window.
  bool shrink_window(const std::vector<blas::Complex> &values);
  std::vector<RitzPairs> ritz_pairs() const;
  /// Number of good ones among the wanted pairs, from the first on, by residuals; of the problem with fewest.
  int good_ones(const std::vector<RitzPairs> &ritz) const;
  /// Grows the space until it is full, or good enough; gives the pairs, and returns how many wanted ones are good.
  int expand(std::vector<RitzPairs> &ritz);
  void restart(const std::vector<RitzPairs> &ritz);
  /// lambda and |A v - lambda v| of the wanted pairs, and whether they are good. Returns how far the worst is off.
  double judge(EigenReport &report);
  double scale(int p) const;
  void assemble(int i);

  const LinearOperator &outer_, &inner_;
  EigenOptions options_;
  const EigenMethodRow *row_;
  SpectralWindow window_ {};
  double end_found_ = 0; // the window's end towards the wanted values, as find_window() would set it
  std::unique_ptr<Chebyshev> polynomial_;
  std::unique_ptr<KrylovSpace> space_;
  int locked_ = 0;
  double tol_ = 0; // on the recursion's residuals
  std::vector<Known> known_;
  std::unique_ptr<ColorSpinorField> vector_;
  std::vector<ColorSpinorField> given_; // replace the vectors of the space
  double roundoff_;                     // of the vectors' precision and history
  long long products_ = 0;              // with A, before those of the space
};

} // namespace quda
