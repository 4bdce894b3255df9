#pragma once
/// The operator of a coarser grid, M_c = P^dag M P, kept apart as
///
///   M_c = hop H + term T + one + i twist s3
/// with H = P^dag D P of the hops, T = P^dag C P of a clover term 1 + C, and s3 what gamma5 becomes: so that another mass,
/// coefficient of the clover term or twist on the same vectors is a sum, and no product with M is made again.
///
/// Hops ahead alone are multiplied: one, times the columns of P, restricted, is the columns of a matrix: from the sites of an
/// aggregate that it leads out of, of the hop to the neighbouring aggregate; from the others, of what stays. Hops from
/// behind are their adjoints, B_mu(x + mu) = s3 F_mu(x)^dag s3, to the bit, unless H^dag is not s3 H s3.
///
/// Sums run over the sites of an aggregate in one order, so that M_c has the same bits on any rank grid.
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

/// hop and so on of M_c.
struct PieceFactors {
  double hop = 1, term = 1, one = 1, twist = 0;
};

/// The matrices of M_c.
std::shared_ptr<const CoarseMatrices> sum_of(const CoarsePieces &pieces, const PieceFactors &factors);

/// The same of the finer operator, times columns of P.
class GalerkinPieces
{
public:
  /// Numbers of pieces: hops ahead along 0 to 3 and from behind, what of hops stays at its site, the clover term, hops of
  /// two sites along 0 to 3 and from behind.
  enum : int { behind = 4, stays = 8, term = 9, far = 10 };

  virtual ~GalerkinPieces() = default;
  /// Whether H^dag = s3 H s3: hops from behind are not asked for then.
  virtual bool hermitian() const { return true; }
  virtual bool has(int piece) const = 0;
  /// Shape of a piece times so many columns.
  virtual ColorSpinorParam shape(int columns) const = 0;
  /// out: column Y count + j is the piece times vector first + j of P on chirality Y alone.
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

/// Error (unsupported) that names the kind of an operator that is not coarsened. kaehler_dirac: by way of
/// multigrid/kaehler_dirac.h, which takes staggered fermions of a mass other than 0 and no others.
void check_coarsened(const DiracParam &dirac, bool kaehler_dirac);
/// Pieces of an operator on links.
std::unique_ptr<GalerkinPieces> fine_pieces(const DiracParam &dirac, const LinkSet &links, LinkStorage storage,
                                            const FineTransfer &P);
/// Pieces of an operator of a coarse grid, which refer to those given.
std::unique_ptr<GalerkinPieces> coarse_pieces(const CoarsePieces &pieces, const RowTransfer &P);
/// Pieces of such an operator that is no sum of others: its own matrices.
std::unique_ptr<GalerkinPieces> coarse_pieces(std::shared_ptr<const CoarseMatrices> M, const RowTransfer &P);

/// The factors of an operator on links, its term being `term` times that of its pieces.
PieceFactors factors_of(const DiracParam &dirac, double term);

/// H and T of the coarser grid, in `precision`. Hops of two sites that lead beyond the next aggregate, where aggregates are of
/// one, are left out.
CoarsePieces galerkin_product(const GalerkinPieces &pieces, const Transfer &P, Precision precision);

} // namespace quda
