#pragma once
/// Deflation by low modes of an operator: the part of a system in their span is solved exactly.
///
///   x += V (V^dag H V)^-1 V^dag s,   H = A,       s = b - A x          if A is Hermitian and positive,
///                                    H = A^dag A, s = A^dag (b - A x)  otherwise,
/// V being eigenvectors of H with the smallest eigenvalues: for A^dag A the right singular vectors of A. Of all x + V c
/// this has the smallest error in the norm of A, or the smallest residual, and V^dag s becomes 0: the remaining system
/// has the condition number of the modes above these. V^dag H V is computed with the vectors as they are stored,
/// in the precision of the solve, and inverted as a whole. So all this holds whatever the precision and quality of the
/// vectors, which only decide how soon a recursion finds the modes again and another correction is due.
///
/// If conjugate gradients go on after a correction, their direction p is corrected likewise, with s = - A p; else the
/// modes would come back at once.
/// Instead of computing all vectors with find(), a few at a time may be added from elsewhere with append().
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
  /// Finds the eigenvectors that the options ask for of the Hermitian H, and keeps them in this precision or the
  /// next better one that is built; inner: H in the precision of the search. of: the name of H, by which holds()
  /// recognises it. All of them are in use then.
  EigenReport find(const LinearOperator &H, const LinearOperator &inner, const EigenOptions &options, Precision kept,
                   const std::string &of);
  /// Adds any vectors for the H of this name, up to `most` in all; memory for these is allocated with the first ones,
  /// in this precision or the next better one that is built. Each is made orthogonal to those before it; a remainder
  /// that is rounding is dropped. One product with H each. All vectors are in use then. Returns the number added.
  int append(const LinearOperator &H, const ColorSpinorField &fresh, int most, Precision kept, const std::string &of);
  /// Turns the vectors into the Ritz vectors of H, with ascending values; this takes the same memory again for a
  /// moment, and one product with H each. Returns |H v - lambda v| of each.
  std::vector<double> turn(const LinearOperator &H);
  /// Computes V^dag H V anew, for the same H.
  void project(const LinearOperator &H) { project_from(H, 0); }
  /// Diagonal of V^dag H V.
  std::vector<double> values() const;
  /// The largest |V^dag V - 1|.
  double off_orthonormal() const;
  /// Whether there are n modes of the H of this name.
  bool holds(const std::string &of, int n) const { return size() >= n && of_ == of; }
  int size() const { return size_; }
  /// Makes corrections from the first n vectors; n is 1 to size().
  void use(int n);
  int used() const { return factor_.size(); }
  /// The eigenvectors, right-hand sides of a field; with append() it has space for more after them.
  const ColorSpinorField &vectors() const { return *vectors_; }
  void clear() { *this = {}; }

  /// x += V (V^dag H V)^-1 V^dag s for each right-hand side; both in H's precision.
  void correct(ColorSpinorField &x, const ColorSpinorField &s);

  /// Keeps A V, where H = A^dag A, in as much memory again; to be called again after project().
  void keep_images(const LinearOperator &A);
  /// The same as correct() with s = A^dag r, without a product: r becomes the new residual r - A V c. Needs the images.
  void correct_by_images(ColorSpinorField &x, ColorSpinorField &r);
  /// y += A V (V^dag H V)^-1 V^dag s: the part of A^dag y = s in the modes. Needs the images.
  void correct_adjoint(ColorSpinorField &y, const ColorSpinorField &s);
  /// Makes x orthogonal to A V or, without `images`, to the modes in use, which are orthonormal.
  void take_out(ColorSpinorField &x, bool images);

private:
  /// Computes the columns from `first` on; those before it are known. Returns |H v - (v^dag H v) v| of the new ones.
  std::vector<double> project_from(const LinearOperator &H, int first);
  /// V^dag s for the vectors V in use, modes or images.
  blas::Matrix along(const ColorSpinorField &V, const ColorSpinorField &s);
  /// (V^dag H V)^-1 h
  blas::Matrix solved(blas::Matrix h) const;
  /// x += V c
  void add(const ColorSpinorField &V, const blas::Matrix &c, ColorSpinorField &x);
  /// Makes the last vector, not counted yet, orthogonal to the others. Returns whether anything is left.
  bool orthogonalise_next();

  std::string of_;
  std::unique_ptr<ColorSpinorField> vectors_, images_;
  int size_ = 0;           // number of vectors
  blas::Matrix projected_; // V^dag H V, its lower triangle
  GramFactor factor_;      // of the rows in use
  Precision precision_ {}; // of H
  ActiveColumns source_, change_;
};

/// (1 - Q) A, the operator of a system without its low modes; products no longer lead back to the modes. Q projects on
/// A V; for the adjoint system A^dag y = s, whose solution in the modes is A V c, it projects on V. The objects that it
/// refers to must outlive it; A: the matrix of the system, A or its adjoint.
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
