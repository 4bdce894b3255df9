#pragma once
/// Low modes of an operator, and what they do for linear systems: what of a system lies in them is solved exactly.
///
///   x += V (V^dag H V)^-1 V^dag s,   H = A,       s = b - A x          where A is Hermitian and positive,
///                                    H = A^dag A, s = A^dag (b - A x)  elsewhere,
/// V being eigenvectors of H with the smallest eigenvalues: of A^dag A the right singular vectors of A. Of all x + V c
/// this has the smallest error in the norm of A, or the smallest residual, and V^dag s is 0: what is left to a Krylov
/// method has the condition number of the modes above these. V^dag H V is computed with the vectors as they are stored,
/// in the precision of the solve, and inverted as a whole; so all this holds whatever the precision of the vectors and
/// however good they are, which only decides how soon a recursion finds the modes again and a correction is due again.
///
/// Conjugate gradients that go on after a correction have the same taken from their direction p, with s = - A p, in which
/// the modes would come back at once.
/// Instead of finding them all at once the vectors may come a few at a time, from elsewhere (append()).
///
/// Vectors    : the right-hand sides of one field, in any precision; a correction reads them twice for up to 16
///              right-hand sides of the system together. [8 n N numbers of a vector a pass]
/// Results    : independent of ranks and threads to the bit.
/// Collective : find(), append(), project(), turn() and correct(), over the communicator of the operator's lattice.

#include <memory>
#include <string>
#include <vector>

#include "solvers/eigen_solver.h"
#include "solvers/gram_factor.h"
#include "solvers/krylov_method.h"

namespace quda
{

class DeflationSpace
{
public:
  /// Finds the eigenvectors of H, which is Hermitian, that the options ask for, and keeps them in this precision or the
  /// next better one that is built; inner: H in the precision of the search. of: the name of H, by which holds() knows
  /// it again. All of them are in use then.
  EigenReport find(const LinearOperator &H, const LinearOperator &inner, const EigenOptions &options, Precision kept,
                   const std::string &of);
  /// More vectors for the H of this name, whatever they are, until there are `most`; room for these is made with the
  /// first ones, in this precision or the next better one that is built. Each is made orthogonal to those that are there;
  /// what is then rounding is left out. One product with H each. All vectors are in use then. How many were taken.
  int append(const LinearOperator &H, const ColorSpinorField &fresh, int most, Precision kept, const std::string &of);
  /// The vectors become the Ritz vectors of H, with ascending values, which need as much memory again for a moment; one
  /// product with H each. |H v - lambda v| of each.
  std::vector<double> turn(const LinearOperator &H);
  /// V^dag H V anew, of the same H.
  void project(const LinearOperator &H) { project_from(H, 0); }
  /// Its diagonal.
  std::vector<double> values() const;
  /// The largest |V^dag V - 1|.
  double off_orthonormal() const;
  /// Whether there are so many modes of the H of this name.
  bool holds(const std::string &of, int n) const { return size() >= n && of_ == of; }
  int size() const { return size_; }
  /// The first n are what corrections are made of; n is 1 to size().
  void use(int n);
  int used() const { return factor_.size(); }
  /// The eigenvectors, right-hand sides of a field; with append() it has room for more behind them.
  const ColorSpinorField &vectors() const { return *vectors_; }
  void clear() { *this = {}; }

  /// x += V (V^dag H V)^-1 V^dag s of each right-hand side; both of H's precision.
  void correct(ColorSpinorField &x, const ColorSpinorField &s);

  /// Keeps A V, where H = A^dag A, as many vectors again; to be called anew after project().
  void keep_images(const LinearOperator &A);
  /// The same as correct() with s = A^dag r, without a product: r becomes what is left, r - A V c. Needs the images.
  void correct_by_images(ColorSpinorField &x, ColorSpinorField &r);
  /// y += A V (V^dag H V)^-1 V^dag s: what of A^dag y = s lies in the modes. Needs the images.
  void correct_adjoint(ColorSpinorField &y, const ColorSpinorField &s);
  /// x becomes what is orthogonal to A V, or, where not `images`, to the modes in use, which are orthonormal.
  void take_out(ColorSpinorField &x, bool images);

private:
  /// The columns from `first` on; those before it are known. |H v - (v^dag H v) v| of these.
  std::vector<double> project_from(const LinearOperator &H, int first);
  /// V^dag s of those of V that are in use, vectors or images.
  blas::Matrix along(const ColorSpinorField &V, const ColorSpinorField &s);
  /// (V^dag H V)^-1 h
  blas::Matrix solved(blas::Matrix h) const;
  /// x += V c
  void add(const ColorSpinorField &V, const blas::Matrix &c, ColorSpinorField &x);
  /// The last vector, which is not counted yet, made orthogonal to the others: whether anything is left.
  bool orthogonalise_next();

  std::string of_;
  std::unique_ptr<ColorSpinorField> vectors_, images_;
  int size_ = 0;           // vectors that there are
  blas::Matrix projected_; // V^dag H V, its lower triangle
  GramFactor factor_;      // of the rows in use
  Precision precision_ {}; // of H
  ActiveColumns source_, change_;
};

/// (1 - Q) A, Q being the projector on A V, or, of the adjoint, whose system A^dag y = s has its solution A V c, on V: what
/// is left of a system without the modes, so that products lead no longer from the others back to these. What it is made of
/// must outlive it; A: the matrix of the system, A or its adjoint.
class WithoutModes final : public LinearOperator
{
public:
  WithoutModes(const LinearOperator &A, DeflationSpace &modes, bool of_adjoint)
      : A_(A)
      , modes_(modes)
      , of_adjoint_(of_adjoint)
  {
  }
  ColorSpinorParam shape(int rhs) const override { return A_.shape(rhs); }
  double flops(int rhs) const override;
  double bytes(int rhs) const override { return A_.bytes(rhs); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;

private:
  const LinearOperator &A_;
  DeflationSpace &modes_;
  const bool of_adjoint_;
};

} // namespace quda
