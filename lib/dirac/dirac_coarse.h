#pragma once
/// Operators of coarse grids, on row fields of n rows (ops/multigrid/rows.h):
///
///   M v(x) = X(x) v(x) + H v(x),   H v(x) = sum_mu F_mu(x) v(x + mu) + B_mu(x) v(x - mu)
///
/// In the notation of dirac.h A is X, D is -H and kappa 1: M_pc = 1 - X_t^-1 H_to X_o^-1 H_ot, or asymmetric
/// X_t - H_to X_o^-1 H_ot.
/// Adjoint : M^dag = s3 M' s3, s3 = +1 on the first half of the rows (chirality 0) and -1 on the second. M' is M. For
///           twisted operators, whose X has a part i a s3, M' is M with -a, or what the operator's maker supplies.
/// Matrices: double, single or half; fields are double with double matrices, else single. Products with a matrix are
/// those of ops/multigrid/row_product.h: the bits of a right-hand side depend neither on the others nor on the ranks.

#include <functional>

#include "dirac/dirac.h"
#include "ops/links/link_set.h"
#include "ops/multigrid/row_product.h"

namespace quda
{

/// Matrices of a coarse operator, on all sites, as they are applied.
struct CoarseMatrices {
  ColorSpinorField plain; // F_mu, B_mu, X
  ColorSpinorField hat;   // X^-1 F_mu, X^-1 B_mu, X^-1
  int rows;
  double twist; // a
  /// Legs::neighbours() of all rows; if X is 1, only the legs of the hops.
  std::shared_ptr<const Legs> legs;
  /// Matrix applied before each hop, one per site, if X is 1: H = hops times it. Null: 1.
  std::shared_ptr<const ColorSpinorField> first {};

  /// plain: in double or single precision. X is inverted in double on the host. Error: bad_argument with a site whose X
  /// has no inverse, the same on all ranks. Collective: while kernels are tuned.
  CoarseMatrices(ColorSpinorField &&plain, int rows, double twist = 0);
  /// A copy of the matrices in another precision.
  CoarseMatrices(const CoarseMatrices &of, Precision precision);
  /// Matrices of an operator whose X is 1 and is not stored: plain and hat are the same memory, with columns for the
  /// rows that the legs read.
  static CoarseMatrices of_hops(ColorSpinorField &&hops, int rows, std::shared_ptr<const Legs> legs,
                                std::shared_ptr<const ColorSpinorField> first = {});

  /// Whether X is 1 and not stored.
  bool unit() const { return legs->count() < 9; }
  /// A piece of M: out = X in (leg 8), or one other leg times in; fields of one shape.
  void leg(ColorSpinorField &out, const ColorSpinorField &in, int leg) const;
  /// The matrices with i a s3 added to X. Error: internal for half precision.
  CoarseMatrices twisted(double a) const;

private:
  CoarseMatrices(ColorSpinorField &&plain, ColorSpinorField &&hat, int rows, double twist,
                 std::shared_ptr<const Legs> legs);
};

/// X^-1 from a field's nine matrices per site, in its order of columns and its precision. Errors: as CoarseMatrices.
ColorSpinorField inverse_of_sites(const ColorSpinorField &plain, int rows);

/// Operators on row fields.
class DiracOnRows : public Dirac
{
public:
  virtual int rows() const = 0;
  /// Error: unsupported, since no link is read.
  double gradient_pair(ColorSpinorField &left, ColorSpinorField &right, std::optional<MatPC> matpc) const final;
};

class DiracCoarse final : public DiracOnRows
{
public:
  /// Maker of M', in double or single precision. It is called when `dagger` is first needed, or at once if ranks have
  /// copies of the grid (fields/field_together.h), since not all of them may need it. Empty: M' is M.
  using Mirror = std::function<CoarseMatrices()>;
  /// matrices: in double or single precision if they are twisted, since a mirror is made from them.
  explicit DiracCoarse(std::shared_ptr<const CoarseMatrices> matrices, Mirror mirror = {});

  int rows() const override { return matrices_->rows; }
  /// mirrored: the matrices of M', made now.
  const CoarseMatrices &matrices(bool mirrored = false) const { return *set(mirrored); }
  std::shared_ptr<const CoarseMatrices> shared_matrices(bool mirrored = false) const { return set(mirrored); }

  ColorSpinorParam shape(int parity, int rhs) const override;
  /// Storage of the matrices.
  LinkStorage storage() const override;
  /// With `dagger` it makes a second set of matrices of its own if the operator has a mirror.
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

  /// Sides of a product on which half of the rows change sign.
  struct Flips {
    bool in = false, out = false;
  };
  /// M' shared by an operator and its clones.
  struct Mirrored {
    Mirror make;
    std::shared_ptr<const CoarseMatrices> made {};
  };
  DiracCoarse(std::shared_ptr<const CoarseMatrices> matrices, std::shared_ptr<Mirrored> mirror);
  /// Matrices of the product: for the adjoint those between s3 and s3, else matrices().
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
