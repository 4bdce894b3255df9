#pragma once
/// Galerkin operator of a coarser grid, M_c = P^dag M P, kept in parts as
///
///   M_c = hop H + term T + one + i twist s3
/// with H = P^dag D P of the hops, T = P^dag C P of a clover term 1 + C, and s3 the coarse gamma5. So another mass,
/// clover coefficient or twist on the same vectors is a sum, without a new product with M.
///
/// Only forward hops are multiplied: one hop times the columns of P, restricted, gives the columns of a matrix: from
/// sites where it leaves the aggregate, the hop to the next aggregate; from others, the term at the site. Backward hops
/// are their adjoints to the bit, B_mu(x + mu) = s3 F_mu(x)^dag s3, unless H^dag is not s3 H s3.
///
/// Sums run over the sites of an aggregate in a fixed order, so that M_c has the same bits on any rank grid.
/// Collective over the lattices' communicator.

#include <memory>
#include <optional>

#include "dirac/dirac_coarse.h"
#include "dirac/dirac_param.h"
#include "multigrid/fine_transfer.h"
#include "multigrid/row_transfer.h"
#include "ops/links/link_set.h"

namespace quda
{

/// H and T of a coarse grid, in the precision of its vectors.
struct CoarsePieces {
  int rows;
  bool hermitian;                       // H^dag = s3 H s3
  ColorSpinorField hops;                // 9 legs of Legs::neighbours()
  std::optional<ColorSpinorField> term; // one leg; none: 0
};

/// Coefficients of M_c: hop, term, one and twist.
struct PieceFactors {
  double hop = 1, term = 1, one = 1, twist = 0;
};

/// The matrices of M_c: the sum of the pieces with these factors.
std::shared_ptr<const CoarseMatrices> sum_of(const CoarsePieces &pieces, const PieceFactors &factors);

/// Pieces of the finer operator, multiplied with columns of P.
class GalerkinPieces
{
public:
  /// Numbers of the pieces: forward hops along 0 to 3, backward hops, the part of the hops that stays at its site, the
  /// clover term, and two-site hops, forward and backward.
  enum : int { behind = 4, stays = 8, term = 9, far = 10 };

  virtual ~GalerkinPieces() = default;
  /// Whether H^dag = s3 H s3: then no backward hops are needed.
  virtual bool hermitian() const { return true; }
  virtual bool has(int piece) const = 0;
  /// Shape of a piece times this number of columns.
  virtual ColorSpinorParam shape(int columns) const = 0;
  /// out: column Y count + j is the piece times vector first + j of P, restricted to chirality Y.
  virtual void apply(ColorSpinorField &out, int piece, int first, int count) const = 0;
};

/// Pieces of an operator on rows.
class RowPieces : public GalerkinPieces
{
public:
  explicit RowPieces(const RowTransfer &P)
      : P_(P)
  {
  }
  ColorSpinorParam shape(int columns) const override { return P_.fine_shape(columns); }
  void apply(ColorSpinorField &out, int piece, int first, int count) const override;

protected:
  /// out = piece in.
  virtual void multiply(ColorSpinorField &out, const ColorSpinorField &in, int piece) const = 0;

private:
  const RowTransfer &P_;
  Scratch scratch_;
};

/// Error: unsupported, with the kind of an operator that cannot be coarsened. kaehler_dirac: with
/// multigrid/kaehler_dirac.h, which takes only staggered fermions with nonzero mass.
void check_coarsened(const DiracParam &dirac, bool kaehler_dirac);
/// Pieces of an operator on links.
std::unique_ptr<GalerkinPieces> fine_pieces(const DiracParam &dirac, const LinkSet &links, LinkStorage storage,
                                            const FineTransfer &P);
/// Pieces of a coarse grid's operator; they refer to the ones given.
std::unique_ptr<GalerkinPieces> coarse_pieces(const CoarsePieces &pieces, const RowTransfer &P);
/// Pieces of such an operator that is not a sum: its own matrices.
std::unique_ptr<GalerkinPieces> coarse_pieces(std::shared_ptr<const CoarseMatrices> M, const RowTransfer &P);

/// The factors of an operator on links; its clover term is `term` times that of its pieces.
PieceFactors factors_of(const DiracParam &dirac, double term);

/// H and T of the coarser grid, in `precision`. Two-site hops beyond the next aggregate, which occur if aggregates have
/// one site, are left out.
CoarsePieces galerkin_product(const GalerkinPieces &pieces, const Transfer &P, Precision precision);

} // namespace quda
