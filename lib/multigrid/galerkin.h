#pragma once
/// The operator of a coarser grid, M_c = P^dag M P, from the pieces of M: what leads from a site to each neighbour, and
/// what stays at it. A piece times the columns of P, restricted, is the columns of a matrix: from the sites of an
/// aggregate that it leads out of, of the hop to the neighbouring aggregate; from the others, of what stays.
///
/// Sums run over the sites of an aggregate in one order, so that M_c has the same bits on any rank grid.
/// Collective over the lattices' communicator.

#include <memory>

#include "dirac/dirac_coarse.h"
#include "dirac/dirac_param.h"
#include "multigrid/fine_transfer.h"
#include "multigrid/row_transfer.h"
#include "ops/links/link_set.h"

namespace quda
{

/// Pieces are numbered as the legs of DiracCoarse: hops ahead along 0 to 3, from behind, and what stays.
class GalerkinPieces
{
public:
  virtual ~GalerkinPieces() = default;
  /// Shape of a piece times so many columns.
  virtual ColorSpinorParam shape(int columns) const = 0;
  /// out: column Y count + j is the piece times vector first + j of P on chirality Y alone.
  virtual void apply(ColorSpinorField &out, int leg, int first, int count) const = 0;
};

/// Error (unsupported) that names the kind of an operator that is not coarsened.
void check_coarsened(const DiracParam &dirac);
/// Of an operator on links.
std::unique_ptr<GalerkinPieces> fine_pieces(const DiracParam &dirac, const LinkSet &links, LinkStorage storage,
                                            const FineTransfer &P);
/// Of an operator of a coarse grid.
std::unique_ptr<GalerkinPieces> coarse_pieces(const DiracCoarse &dirac, const RowTransfer &P);

/// The matrices of M_c: 9 rows right-hand sides on the coarse lattice (dirac/dirac_coarse.h), in `precision`.
ColorSpinorField galerkin_product(const GalerkinPieces &pieces, const Transfer &P, Precision precision);

} // namespace quda
