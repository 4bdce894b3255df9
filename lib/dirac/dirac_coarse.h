#pragma once
/// Operators of coarse grids, on row fields of n rows (ops/multigrid/rows.h):
///
///   M v(x) = X(x) v(x) + H v(x),   H v(x) = sum_mu F_mu(x) v(x + mu) + B_mu(x) v(x - mu)
///
/// In the words of dirac.h A is X, D is -H and kappa 1: M_pc = 1 - X_t^-1 H_to X_o^-1 H_ot, or asymmetric
/// X_t - H_to X_o^-1 H_ot.
/// Adjoint : M^dag = s3 M' s3, s3 = +1 on the first half of the rows (chirality 0) and -1 on the second. M' is M, or of
///           twisted operators, whose X has a part i a s3, that with -a, or what whoever makes the operator says.
/// Matrices: double, single or half; fields in double, of the other two in single precision. Products with one are
/// those of ops/multigrid/row_product.h: a right-hand side among others has the bits that it has alone, on any ranks.

#include <functional>

#include "dirac/dirac.h"
#include "ops/links/link_set.h"
#include "ops/multigrid/row_product.h"

namespace quda
{

/// The matrices of a coarse operator, on all sites, as they are applied.
struct CoarseMatrices {
  ColorSpinorField plain; // F_mu, B_mu, X
  ColorSpinorField hat;   // X^-1 F_mu, X^-1 B_mu, X^-1
  int rows;
  double twist; // a
  /// Legs::neighbours() of all rows, or, where X is 1, those of the hops alone.
  std::shared_ptr<const Legs> legs;
  /// Matrix before each hop, one a site, if X is 1: H = hops times it. Null: 1.
  std::shared_ptr<const ColorSpinorField> first {};

  /// plain: in double or single precision. X is inverted in double on the host. Error (bad_argument) that names a site
  /// whose X has no inverse, on all ranks alike. Collective: while kernels are tuned.
  CoarseMatrices(ColorSpinorField &&plain, int rows, double twist = 0);
  /// The same in another precision.
  CoarseMatrices(const CoarseMatrices &of, Precision precision);
  /// Matrices of an operator whose X is 1 and is not stored: plain and hat are the same memory, with columns for the rows
  /// that the legs read.
  static CoarseMatrices of_hops(ColorSpinorField &&hops, int rows, std::shared_ptr<const Legs> legs,
                                std::shared_ptr<const ColorSpinorField> first = {});

  /// X is 1 and no matrix of it is there.
  bool unit() const { return legs->count() < 9; }
  /// A piece of M: out = what stays, leg 8, or another leg alone of in; fields of one shape.
  void leg(ColorSpinorField &out, const ColorSpinorField &in, int leg) const;
  /// The same with i a s3 added to X. Of matrices in half precision: internal error.
  CoarseMatrices twisted(double a) const;

private:
  CoarseMatrices(ColorSpinorField &&plain, ColorSpinorField &&hat, int rows, double twist,
                 std::shared_ptr<const Legs> legs);
};

/// X^-1 of a field's nine matrices a site, as its columns lie, and of these its precision. Errors as of CoarseMatrices.
ColorSpinorField inverse_of_sites(const ColorSpinorField &plain, int rows);

/// Operators on row fields.
class DiracOnRows : public Dirac
{
public:
  virtual int rows() const = 0;
  /// Error: unsupported. No link is read.
  double gradient_pair(ColorSpinorField &left, ColorSpinorField &right, std::optional<MatPC> matpc) const final;
};

class DiracCoarse final : public DiracOnRows
{
public:
  /// Makes M', in double or single precision, once `dagger` is asked for, or at once where ranks have copies of the grid
  /// (fields/field_together.h), which need not all ask; none: M.
  using Mirror = std::function<CoarseMatrices()>;
  /// matrices: in double or single precision where they are twisted, which makes a mirror for them.
  explicit DiracCoarse(std::shared_ptr<const CoarseMatrices> matrices, Mirror mirror = {});

  int rows() const override { return matrices_->rows; }
  /// mirrored: of M', made now.
  const CoarseMatrices &matrices(bool mirrored = false) const { return *set(mirrored); }
  std::shared_ptr<const CoarseMatrices> shared_matrices(bool mirrored = false) const { return set(mirrored); }

  ColorSpinorParam shape(int parity, int rhs) const override;
  /// Storage of the matrices.
  LinkStorage storage() const override;
  /// Asked for `dagger`, it makes a second set of matrices of its own where the operator has a mirror.
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

private:
  friend class CoarseOperator;

  /// Which rows change sign.
  struct Flips {
    bool in = false, out = false;
  };
  /// M' of an operator and its clones.
  struct Mirrored {
    Mirror make;
    std::shared_ptr<const CoarseMatrices> made {};
  };
  DiracCoarse(std::shared_ptr<const CoarseMatrices> matrices, std::shared_ptr<Mirrored> mirror);
  /// Matrices to multiply by: those between s3 and s3 for the adjoint, else matrices().
  const std::shared_ptr<const CoarseMatrices> &set(bool dagger) const;
  void multiply(ColorSpinorField &out, const ColorSpinorField &in, const ColorSpinorField &matrices,
                std::span<const int> list, Flips flips, const RowEnd &end = {}) const;
  void hop(ColorSpinorField &out, const ColorSpinorField &in, const CoarseMatrices &set,
           ColorSpinorField CoarseMatrices::*matrices, Flips flips, const RowEnd &end = {}) const;
  int columns_of_hops() const;
  ColorSpinorField scratch(int number, int parity, int rhs) const;

  std::shared_ptr<const CoarseMatrices> matrices_;
  std::shared_ptr<Mirrored> mirror_; // null: M' is M
  mutable std::shared_ptr<const CoarseMatrices> adjoint_;
  Legs at_site_;
  Scratch scratch_;
};

} // namespace quda
