#pragma once
/// Staggered quarks on hypercubes of 2^4 sites, preconditioned by the blocks of their operator:
///
///   K = X^-1 M,   M = 2 m - D of the fat links alone,   X: what of M stays in a hypercube, 48 rows
///
/// The eigenvalues of D lie on a line through 0 and make a coarse operator P^dag M P with small eigenvalues of its own;
/// those of K lie around a circle away from 0, as those of Wilson fermions do, and P^dag K P is a coarse operator like
/// theirs. Rows are split by the parity of the site, the chirality of M: M^dag = s3 M s3.
/// Links  : long ones lead to the second hypercube, too, which has the parity of the first: without them K is one of
///          nearest neighbours and has forms on one parity of the hypercubes, with them it is applied on the sites, on all of
///          them, X^-1 P^dag M P. X is that of the fat links: of long ones nothing stays in a hypercube.
/// Matrices: those of hops have columns for the 24 rows alone of the face that they enter a hypercube by.
/// Adjoint: K^dag = s3 M X^-1 s3, the hops of M, made when it is asked for first, after X^-1.
/// Source : Brower, Clark, Strelchenko and Weinberg, Phys. Rev. D 97 (2018) 114513.

#include "dirac/dirac_coarse.h"
#include "dirac/dirac_param.h"
#include "multigrid/galerkin.h"
#include "multigrid/hypercube_transfer.h"
#include "ops/links/link_set.h"

namespace quda
{

/// The pieces of M, as the legs of DiracCoarse number them, on unit vectors of hypercubes.
std::unique_ptr<GalerkinPieces> hypercube_pieces(double mass, const LinkSet &fat, LinkStorage storage,
                                                 const HypercubeTransfer &P);

/// A transfer that restricts to X^-1 P^dag r, the right-hand side of K. P alone is what it says of columns and boxes.
class KaehlerDiracTransfer final : public HypercubeTransfer
{
public:
  /// inverse: X^-1, 48 right-hand sides on the lattice of hypercubes.
  KaehlerDiracTransfer(std::shared_ptr<const Lattice> fine, std::shared_ptr<const ColorSpinorField> inverse);
  void restrict(ColorSpinorField &coarse, const ColorSpinorField &fine) const override;
  /// out = X^-1 in, or, with dagger, X^-dag in.
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

/// fat: links on whose lattice the quarks are, which must stay while the adjoint may be asked for. coarse: a lattice of rows
/// of half the extents. Errors: bad_argument that names a hypercube whose X has no inverse. Collective.
KaehlerDirac kaehler_dirac(double mass, const LinkSet &fat, std::shared_ptr<const Lattice> coarse, Precision precision);

/// The same with long links. fermions: whose long links are on the fat links' lattice, and stay as they do.
KaehlerDirac long_kaehler_dirac(const StaggeredFermions &fermions, const LinkSet &fat,
                                std::shared_ptr<const Lattice> coarse, Precision precision);

/// The pieces of its K, or of s3 K^dag s3 = M X^-1, times columns of P; pieces far + mu and far + 4 + mu of long links alone.
std::unique_ptr<GalerkinPieces> long_pieces(const StaggeredFermions &fermions, const LinkSet &fat,
                                            const KaehlerDiracTransfer &hypercubes, const RowTransfer &P,
                                            bool mirrored);

} // namespace quda
