#pragma once
/// GMRES with deflated restarts (Morgan, SIAM J. Sci. Comput. 24 (2002) 20), for any A:
///   A V_j = V_{j+1} H (Arnoldi),  min | c - H y | with r = V_{j+1} c,  x += V_j y
/// When m directions are full the space begins anew with the k harmonic Ritz vectors of smallest |theta|,
///   (H_m + |h|^2 H_m^-dag e_m e_m^dag) g = theta g,  h = H(m + 1, m),
/// and the residual, in which A V_k = V_{k+1} H holds again: what was learned of the smallest eigenvalues is not lost.
/// A replaced residual keeps the space, its c is V^dag r; where too much of it lies outside, all begins anew.
/// What a restart keeps can be left for the systems that follow: U, whose images C = A U are then taken out of every
/// direction, so that all of it is done for the projected matrix (GCRO, Parks et al., SIAM J. Sci. Comput. 28 (2006) 1651),
///   A V_j = V_j+1 H + C B,  r = V_j+1 c + C d,  x += V_j y + U (d - B y).
/// Fields: m + 1 for V, one for products; two for each vector of U.

#include <memory>
#include <optional>

#include "solvers/gram_factor.h"
#include "solvers/krylov_method.h"

namespace quda
{

/// What GMRES-DR takes over from earlier systems, and what it leaves to later ones. Either may be null.
struct Recycling {
  const ColorSpinorField *from = nullptr; // U, right-hand sides of a field, whatever they are
  struct HarmonicModes *left = nullptr;
};

/// What the last restart of a solve with one right-hand side kept: an orthonormal basis of the harmonic Ritz vectors.
struct HarmonicModes {
  std::unique_ptr<ColorSpinorField> vectors; // right-hand sides of a field; null: there was no restart
  int restarts = 0;
};

class GMRESDR final : public KrylovMethod
{
public:
  /// m, k: directions of a cycle, and those kept of it, which `left` gets a copy of at each restart. All that `others`
  /// names must outlive the method; one product for each vector of U, here. Errors: bad_argument unless 0 < k < m - 1;
  /// where it starts with several right-hand sides and `left`.
  GMRESDR(const LinearOperator &A, int m, int k, const Recycling &others = {});
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override;
  void replace(const ColorSpinorField &r) override;

private:
  void begin(const ColorSpinorField &r) override;
  using Complex = blas::Complex;
  /// The small problem of a right-hand side: T H = R is triangular, g = T c.
  struct Small {
    blas::Matrix H, T, R, B;
    std::vector<Complex> c, d, g;

    Small() = default;
    Small(int m, int recycled);
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
  /// U and C.
  struct Projection {
    ColorSpinorField U, C;
    GramFactor factor;
    Projection(const LinearOperator &A, const ColorSpinorField &from);
    /// h, of which w - C h is orthogonal to C.
    blas::Matrix part_of(const ColorSpinorField &w) const;
    /// w -= C h; h.
    blas::Matrix take_from(ColorSpinorField &w) const;
  };
  int recycled() const { return projection_ ? projection_->U.rhs() : 0; }
  /// w made orthogonal to the first n of V; sums of coefficients are added to column j of H, or dropped where j < 0.
  void orthogonalise(ColorSpinorField &w, int n, int j);
  /// Divides by its norm, which is returned; what is zero stays so.
  std::vector<double> normalise(ColorSpinorField &v);
  /// Whether V and H are now those of the deflated space.
  bool deflate();

  const int m_, k_;
  HarmonicModes *const left_;
  std::optional<Projection> projection_;
  Kept<blas::VectorSet> V_;
  Kept<ActiveColumns> w_ {this};
  PerRhs<Small> small_ {this}; // of each right-hand side
  int used_ = 0;               // columns of H
  Kept<Residuals> rr_ {this};
};

} // namespace quda
