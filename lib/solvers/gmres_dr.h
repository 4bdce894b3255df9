#pragma once
/// GMRES with deflated restarts (Morgan, SIAM J. Sci. Comput. 24 (2002) 20), for any A:
///   A V_j = V_{j+1} H (Arnoldi),  min | c - H y | with r = V_{j+1} c,  x += V_j y
/// When m directions are full the space begins anew with the k harmonic Ritz vectors of smallest |theta|,
///   (H_m + |h|^2 H_m^-dag e_m e_m^dag) g = theta g,  h = H(m + 1, m),
/// and the residual, in which A V_k = V_{k+1} H holds again: what was learned of the smallest eigenvalues is not lost.
/// A replaced residual keeps the space, its c is V^dag r; where too much of it lies outside, all begins anew.
/// Fields: m + 1 for V, one for products.

#include "solvers/krylov_method.h"

namespace quda
{

class GMRESDR final : public KrylovMethod
{
public:
  /// m, k: directions of a cycle, and those kept of it. Errors: bad_argument unless 0 < k < m - 1.
  GMRESDR(const LinearOperator &A, int m, int k);
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override;
  void replace(const ColorSpinorField &r) override;

private:
  void begin(const ColorSpinorField &r) override;
  using Complex = blas::Complex;
  /// The small problem of a right-hand side: T H = R is triangular, g = T c.
  struct Small {
    blas::Matrix H, T, R;
    std::vector<Complex> c, g;

    Small() = default;
    explicit Small(int m);
    /// T, R and g of the first n columns of H and of c, in the first `rows` rows.
    void factorise(int n, int rows);
    /// Column j of R, which has `rows` rows.
    void rotate(int j, int rows);
    /// | c - H y | for the best y of n columns.
    double residual(int n, int rows) const;
    std::vector<Complex> solution(int n) const;
    /// What the restart keeps: m + 1 rows, k + 1 columns, orthonormal; none where there are no Ritz vectors.
    bool kept(int k, blas::Matrix &P) const;
  };
  /// w made orthogonal to the first n of V; sums of coefficients are added to column j of H, or dropped where j < 0.
  void orthogonalise(ColorSpinorField &w, int n, int j);
  /// Divides by its norm, which is returned; what is zero stays so.
  std::vector<double> normalise(ColorSpinorField &v);
  /// Whether V and H are now those of the deflated space.
  bool deflate();

  const int m_, k_;
  Kept<blas::VectorSet> V_;
  Kept<ActiveColumns> w_ {this};
  PerRhs<Small> small_ {this}; // of each right-hand side
  int used_ = 0;               // columns of H
  Kept<Residuals> rr_ {this};
};

} // namespace quda
