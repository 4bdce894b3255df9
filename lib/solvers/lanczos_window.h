#pragma once
/// Window of Lanczos vectors: low modes of a Hermitian positive matrix as by-products of conjugate gradients: eigCG(n,
/// m) (Stathopoulos and Orginos, SIAM J. Sci. Comput. 32 (2010) 439, 0707.0131). The residuals of the recursion are
/// Lanczos vectors except for their lengths, and its coefficients give the projected matrix T = V^dag A V,
///   A v_k = - |r_k+1| / (a_k |r_k|) v_k+1 + (1 / a_k + b_k-1 / a_k-1) v_k - |r_k| / (a_k-1 |r_k-1|) v_k-1
/// When the window of m vectors is full, it begins anew with orthonormal combinations of the n lowest Ritz vectors of T
/// and the n lowest of T without its last row and column, which span about the same space as optimal steps would keep:
/// V <- V Q, T <- Q^dag T Q, diagonal. The next residual couples to all of them by the last row of Q, later ones only
/// to their neighbours. The recursion does not see the window; its numbers are those of conjugate gradients. If the
/// recursion begins anew after the window was full once, as in a better precision, the window stays as it is.
/// Fields: m, in the precision of the recursion; one right-hand side.

#include <memory>
#include <vector>

#include "dirac/linear_operator.h"
#include "ops/blas/vector_set.h"

namespace quda
{

class LanczosWindow
{
public:
  /// m, n: vectors of the window, and wanted Ritz vectors. Errors: bad_argument unless 1 <= n and 2 n < m, and m is at
  /// most VectorSet::most_rotated().
  LanczosWindow(int m, int n);

  // called by conjugate gradients
  /// The first residual. Errors: bad_argument for several right-hand sides.
  void start(const ColorSpinorField &r, double norm2);
  /// The length of the step from the last residual.
  void step(double alpha);
  /// The residual after that step; beta: coefficient of the next direction.
  void residual(const ColorSpinorField &r, double norm2, double beta);

  /// Number of times that the window was full.
  int restarts() const { return restarts_; }
  /// The wanted Ritz vectors, orthonormal, fewer if the recursion was shorter; null if there are none. values: their
  /// Ritz values, ascending.
  std::unique_ptr<ColorSpinorField> ritz(std::vector<double> *values = nullptr) const;

private:
  void restart();

  const int m_, n_;
  blas::VectorSet V_;
  blas::Matrix T_;
  int filled_ = 0;                  // vectors
  int known_ = 0;                   // number of them with known diagonal of T
  double alpha_ = 0;                // of the last step,
  double norm_ = 0;                 // the residual before it,
  double beta_ = 0;                 // and b / a of the step before
  std::vector<blas::Complex> last_; // the vector of that residual in terms of the window's vectors, conjugate
  bool open_ = false;               // takes residuals
  int restarts_ = 0;
};

} // namespace quda
