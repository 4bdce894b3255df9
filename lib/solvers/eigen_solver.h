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
  int pairs = 1;       // that are wanted
  int search = 1;      // Ritz vectors that a restart keeps at least
  int space = 16;      // vectors of the space
  int block = 1;       // of methods that have blocks
  double tol = 1e-10;  // of |A v - lambda v| / |lambda|
  int restarts = 100;  // at most
  int degree = 0;      // of the polynomial; 0: none
  double least = 0;    // of its window; not above 0: found, so that few more than those wanted lie outside
  double most = 0;     // likewise: above all eigenvalues
};

struct EigenReport {
  std::vector<blas::Complex> values; // in the order that was asked for
  std::vector<double> residuals;     // |A v - lambda v|
  bool converged = false;            // all of them
  int good = 0;                      // how many have
  int restarts = 0;
  long long products = 0; // of A and one vector
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
  const char *name() const { return row_->name; }
  /// Eigenvector i, of unit length; of the inner precision.
  const ColorSpinorField &vector(int i) const;

private:
  void check() const;
  void find_window();
  /// The polynomial of window_, where there is one, and a space of it.
  void begin(const ColorSpinorField *start);
  /// Whether wanted eigenvalues lie in the window, where the polynomial has no order: it then becomes smaller.
  bool shrink_window(const std::vector<blas::Complex> &values);
  /// Good pairs among the wanted, by their residuals; all: their number.
  int good_ones(const RitzPairs &ritz) const;
  void restart(const RitzPairs &ritz, int good);
  /// lambda and |A v - lambda v| of the wanted pairs, whether they are good, and by how much the worst is not.
  double judge(EigenReport &report);
  void turn_to_eigenvectors();

  const LinearOperator &outer_, &inner_;
  EigenOptions options_;
  const EigenMethodRow *row_;
  SpectralWindow window_ {};
  double end_found_ = 0; // of the window, towards what is wanted: as find_window() would have it
  std::unique_ptr<Chebyshev> polynomial_;
  std::unique_ptr<KrylovSpace> space_;
  int locked_ = 0;
  double tol_ = 0;                           // of the recursion's residuals
  std::vector<blas::Complex> ritz_, locked_values_; // of the space as it is
  blas::Matrix Y_;                           // its Ritz vectors
  std::vector<int> order_;                   // of the eigenvectors in the space
  long long products_ = 0; // of A, before those of the space
};

} // namespace quda
