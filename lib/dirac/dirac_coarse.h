#pragma once
/// Operators of coarse grids, on row fields of n rows (ops/multigrid/rows.h):
///
///   M v(x) = X(x) v(x) + H v(x),   H v(x) = sum_mu F_mu(x) v(x + mu) + B_mu(x) v(x - mu)
///
/// In the words of dirac.h A is X, D is -H and kappa 1: M_pc = 1 - X_t^-1 H_to X_o^-1 H_ot, or asymmetric
/// X_t - H_to X_o^-1 H_ot.
/// Adjoint : M^dag = s3 M s3, s3 = +1 on the first half of the rows (chirality 0) and -1 on the second. Of twisted
///           operators, whose X has a part i a s3, M^dag = s3 M' s3, where M' has -a. What neither is true of has no use of
///           `dagger` here.
/// Matrices: double, single or half; fields in double, of the other two in single precision. Products with one are
/// those of ops/multigrid/row_product.h: a right-hand side among others has the bits that it has alone, on any ranks.

#include "dirac/dirac.h"
#include "ops/links/link_set.h"
#include "ops/multigrid/row_product.h"

namespace quda
{

/// The matrices of a coarse operator, on all sites, as they are applied.
struct CoarseMatrices {
  ColorSpinorField plain; // legs of Legs::neighbours(): F_mu, B_mu, X
  ColorSpinorField hat;   // X^-1 F_mu, X^-1 B_mu, X^-1
  int rows;
  double twist; // a

  /// plain: in double or single precision. X is inverted in double on the host. Error (bad_argument) that names a site
  /// whose X has no inverse. Collective: while kernels are tuned.
  CoarseMatrices(ColorSpinorField &&plain, int rows, double twist = 0);
  /// The same in another precision.
  CoarseMatrices(const CoarseMatrices &of, Precision precision);

  /// The same with i a s3 added to X. Of matrices in half precision: internal error.
  CoarseMatrices twisted(double a) const;
};

class DiracCoarse final : public Dirac
{
public:
  /// matrices: in double or single precision where they are twisted.
  explicit DiracCoarse(std::shared_ptr<const CoarseMatrices> matrices);

  int rows() const { return matrices_->rows; }
  const CoarseMatrices &matrices() const { return *matrices_; }

  ColorSpinorParam shape(int parity, int rhs) const override;
  /// Of the matrices.
  LinkStorage storage() const override;
  /// Asked for `dagger`, twisted operators make a second set of matrices from those that they were first made of.
  std::unique_ptr<Dirac> clone(LinkStorage storage) const override;
  std::unique_ptr<Dirac> inside(const Domains &domains, LinkStorage storage, bool even_odd) const override;

  std::unique_ptr<LinearOperator> full() const override;
  std::unique_ptr<LinearOperator> schur(MatPC) const override;
  /// -X^-1 H, with dagger -X^-dag H^dag.
  void dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;
  double dslash_flops(int rhs) const override;
  void prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC, bool dagger) const override;
  void prepare_guess(ColorSpinorField &x_t, MatPC, bool dagger) const override;
  void residual_of_full(ColorSpinorField &r_t, MatPC, bool dagger) const override;
  void reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC, bool dagger) const override;

  /// out = M_l in alone, of one of the nine legs of Legs::neighbours().
  void leg(int l, ColorSpinorField &out, const ColorSpinorField &in) const;

private:
  friend class CoarseOperator;

  /// Which rows change sign.
  struct Flips {
    bool in = false, out = false;
  };
  DiracCoarse(std::shared_ptr<const CoarseMatrices> matrices, std::shared_ptr<const CoarseMatrices> first);
  /// Those between s3 and s3 in the adjoint, or matrices().
  const CoarseMatrices &set(bool dagger) const;
  void multiply(ColorSpinorField &out, const ColorSpinorField &in, const ColorSpinorField &matrices,
                std::span<const int> list, Flips flips, const RowEnd &end = {}) const;
  ColorSpinorField scratch(int number, int parity, int rhs) const;

  std::shared_ptr<const CoarseMatrices> matrices_, first_; // first_: that twisted ones are copies of
  mutable std::unique_ptr<const CoarseMatrices> adjoint_;
  std::shared_ptr<const Legs> legs_;
  Scratch scratch_;
};

} // namespace quda
