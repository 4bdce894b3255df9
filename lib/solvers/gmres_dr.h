#pragma once
/// GMRES with deflated restarts (Morgan, SIAM J. Sci. Comput. 24 (2002) 20), for any A:
///   A V_j = V_{j+1} H (Arnoldi),  min | c - H y | with r = V_{j+1} c,  x += V_j y
/// When m directions are full, the space begins anew with the k harmonic Ritz vectors of smallest |theta|,
///   (H_m + |h|^2 H_m^-dag e_m e_m^dag) g = theta g,  h = H(m + 1, m),
/// and the residual, for which A V_k = V_{k+1} H holds again: the information on the smallest eigenvalues is not lost.
/// A replaced residual keeps the space, with c = V^dag r; if too much of it lies outside the space, all begins anew.
/// Vectors that a restart keeps can serve later systems as U: their images C = A U are projected out of every
/// direction, so that all is done for the projected matrix (GCRO, Parks et al., SIAM J. Sci. Comput. 28 (2006) 1651),
///   A V_j = V_j+1 H + C B,  r = V_j+1 c + C d,  x += V_j y + U (d - B y).
/// Fields: m + 1 for V, one for products; two for each vector of U.

#include <memory>
#include <optional>

#include "solvers/gram_factor.h"
#include "solvers/krylov_method.h"

namespace quda
{

/// Vectors that GMRES-DR takes over from earlier systems and leaves to later ones. Either may be null.
struct Recycling {
  const ColorSpinorField *from = nullptr; // U, arbitrary vectors, as right-hand sides of a field
  struct HarmonicModes *left = nullptr;
};

/// Modes that the last restart of a solve for one source kept: an orthonormal basis of the harmonic Ritz vectors.
struct HarmonicModes {
  std::unique_ptr<ColorSpinorField> vectors; // right-hand sides of a field; null: there was no restart
  int restarts = 0;
};

class GMRESDR final : public KrylovMethod
{
public:
  /// m, k: directions of a cycle, and of them those that a restart keeps and copies to `left`. All objects in `others`
  /// must outlive the method; one product for each vector of U, here. Errors: bad_argument unless 0 < k < m - 1, and
  /// if it starts with several right-hand sides and `left`.
  GMRESDR(const LinearOperator &A, int m, int k, const Recycling &others = {});
  CycleResult run(const CycleTarget &goal) override;
  void add_correction_to(ColorSpinorField &x) override;
  void replace(const ColorSpinorField &r) override;

private:
  void begin(const ColorSpinorField &r) override;
  using Complex = blas::Complex;
  /// Projected problem of a right-hand side: T H = R is triangular, g = T c.
  struct Small {
    blas::Matrix H, T, R, B;
    std::vector<Complex> c, d, g;

    Small() = default;
    Small(int m, int recycled);
    /// Computes T, R and g of the first n columns of H and of c, in the first `rows` rows.
    void factorise(int n, int rows);
    /// Makes column j of R, with `rows` rows, triangular.
    void rotate(int j, int rows);
    /// Minimum of | c - H y | over y in n columns.
    double residual(int n, int rows) const;
    std::vector<Complex> solution(int n) const;
    /// The basis that the restart keeps: m + 1 rows, k + 1 columns, orthonormal; false if there are no Ritz vectors.
    bool kept(int k, blas::Matrix &P) const;
  };
  /// U and C.
  struct Projection {
    ColorSpinorField U, C;
    GramFactor factor;
    Projection(const LinearOperator &A, const ColorSpinorField &from);
    /// The h for which w - C h is orthogonal to C.
    blas::Matrix part_of(const ColorSpinorField &w) const;
    /// w -= C h; returns h.
    blas::Matrix take_from(ColorSpinorField &w) const;
  };
  int recycled() const { return projection_ ? projection_->U.rhs() : 0; }
  /// Makes w orthogonal to the first n of V; adds the coefficients to column j of H, or drops them if j < 0.
  void orthogonalise(ColorSpinorField &w, int n, int j);
  /// Divides by the norm, which it returns; zero stays zero.
  std::vector<double> normalise(ColorSpinorField &v);
  /// Deflates the space; returns whether V and H are now those of the deflated space.
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
