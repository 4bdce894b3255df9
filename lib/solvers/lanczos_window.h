#pragma once
/// Low modes of a Hermitian positive matrix as by-products of conjugate gradients, without a product of their own:
/// eigCG(n, m) (Stathopoulos and Orginos, SIAM J. Sci. Comput. 32 (2010) 439, 0707.0131). The residuals of the recursion
/// are Lanczos vectors but for their lengths, and its coefficients a, b give the projected matrix T = V^dag A V,
///   A v_k = - |r_k+1| / (a_k |r_k|) v_k+1 + (1 / a_k + b_k-1 / a_k-1) v_k - |r_k| / (a_k-1 |r_k-1|) v_k-1
/// When the window of m vectors is full, it begins anew with orthonormal combinations of the n lowest Ritz vectors of T
/// and the n lowest of T without its last row and column, which span about what optimal steps would keep: V <- V Q,
/// T <- Q^dag T Q, diagonal. The next residual couples to all of them by the last row of Q, those after it to their
/// neighbours alone. The recursion itself knows nothing of the window, and its numbers are those of conjugate gradients.
/// Where it begins anew after the window was full once, as in a better precision, the window stays as it is.
/// Fields: m, of the precision of the recursion; one right-hand side.

#include <memory>
#include <vector>

#include "dirac/linear_operator.h"
#include "ops/blas/vector_set.h"

namespace quda
{

class LanczosWindow
{
public:
  /// m, n: vectors of the window, and Ritz vectors wanted. Errors: bad_argument unless 1 <= n and 2 n < m, and m is no
  /// more than VectorSet::most_rotated().
  LanczosWindow(int m, int n);

  // what conjugate gradients tell
  /// The first residual. Errors: bad_argument where it has several right-hand sides.
  void start(const ColorSpinorField &r, double norm2);
  /// The length of the step from the last residual told.
  void step(double alpha);
  /// The residual after that step; beta: of the direction that follows.
  void residual(const ColorSpinorField &r, double norm2, double beta);

  /// How often the window was full.
  int restarts() const { return restarts_; }
  /// The wanted Ritz vectors, orthonormal, fewer where the recursion was shorter than that; null where there are none.
  /// values: theirs, ascending.
  std::unique_ptr<ColorSpinorField> ritz(std::vector<double> *values = nullptr) const;

private:
  void restart();

  const int m_, n_;
  blas::VectorSet V_;
  blas::Matrix T_;
  int filled_ = 0;                  // vectors
  int known_ = 0;                   // whose diagonal of T is known
  double alpha_ = 0;                // of the last step,
  double norm_ = 0;                 // the residual before it,
  double beta_ = 0;                 // and b / a of the step before
  std::vector<blas::Complex> last_; // the vector of that residual, by those of the window, conjugate
  bool open_ = false;               // residuals are taken
  int restarts_ = 0;
};

} // namespace quda
