#pragma once
/// Staggered quarks on hypercubes of 2^4 sites, preconditioned by the blocks of their operator:
///
///   K = X^-1 M,   M = 2 m - D with the fat links only,   X: the part of M inside a hypercube, 48 rows
///
/// The eigenvalues of D lie on a line through 0 and give a coarse operator P^dag M P with small eigenvalues of its own;
/// those of K lie around a circle away from 0, as those of Wilson fermions do, and P^dag K P is a coarse operator like
/// theirs. Rows are split by the parity of the site, the chirality of M: M^dag = s3 M s3.
/// Links  : long links lead to the second hypercube, too, which has the parity of the first. Without them K has only
///          nearest neighbours and has forms on one parity of the hypercubes; with them it is applied on all sites as
///          X^-1 P^dag M P. X has the fat links only: no long link stays in a hypercube.
/// Matrices: those of hops have columns only for the 24 rows of the face through which they enter a hypercube.
/// Adjoint: K^dag = s3 M X^-1 s3, the hops of M applied after X^-1; made when it is first used.
/// Source : Brower, Clark, Strelchenko and Weinberg, Phys. Rev. D 97 (2018) 114513.

#include "dirac/dirac_coarse.h"
#include "dirac/dirac_param.h"
#include "multigrid/galerkin.h"
#include "multigrid/hypercube_transfer.h"
#include "ops/links/link_set.h"

namespace quda
{

/// The pieces of M on unit vectors of hypercubes, numbered as the legs of DiracCoarse.
std::unique_ptr<GalerkinPieces> hypercube_pieces(double mass, const LinkSet &fat, LinkStorage storage,
                                                 const HypercubeTransfer &P);

/// Transfer that restricts to X^-1 P^dag r, the right-hand side of K. Columns and boxes are those of P only.
class KaehlerDiracTransfer final : public HypercubeTransfer
{
public:
  /// inverse: X^-1, 48 right-hand sides on the lattice of hypercubes.
  KaehlerDiracTransfer(std::shared_ptr<const Lattice> fine, std::shared_ptr<const ColorSpinorField> inverse);
  void restrict(ColorSpinorField &coarse, const ColorSpinorField &fine) const override;
  /// out = X^-1 in or, with dagger, X^-dag in.
  void invert(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const;
  const std::shared_ptr<const ColorSpinorField> &inverse() const { return inverse_; }

private:
  Legs legs_;
  std::shared_ptr<const ColorSpinorField> inverse_;
  mutable Scratch scratch_;
};

struct KaehlerDirac {
  std::unique_ptr<KaehlerDiracTransfer> P;
  std::unique_ptr<DiracOnRows> dirac; // K
};

/// fat: links on the quarks' lattice, which must exist as long as the adjoint may be used. coarse: a lattice of rows
/// with half the extents. Errors: bad_argument with a hypercube whose X has no inverse. Collective.
KaehlerDirac kaehler_dirac(double mass, const LinkSet &fat, std::shared_ptr<const Lattice> coarse, Precision precision);

/// The same with long links. fermions: their long links are on the fat links' lattice, and must exist as long.
KaehlerDirac long_kaehler_dirac(const StaggeredFermions &fermions, const LinkSet &fat,
                                std::shared_ptr<const Lattice> coarse, Precision precision);

/// Pieces of its K, or of s3 K^dag s3 = M X^-1, times columns of P; pieces far + mu, far + 4 + mu only for long links.
std::unique_ptr<GalerkinPieces> long_pieces(const StaggeredFermions &fermions, const LinkSet &fat,
                                            const KaehlerDiracTransfer &hypercubes, const RowTransfer &P,
                                            bool mirrored);

} // namespace quda
