#pragma once
/// Staggered quarks on hypercubes of 2^4 sites, preconditioned by the blocks of their operator:
///
///   K = X^-1 M,   M = 2 m - D of the fat links alone,   X: what of M stays in a hypercube, 48 rows
///
/// The eigenvalues of D lie on a line through 0 and make a coarse operator P^dag M P with small eigenvalues of its own;
/// those of K lie around a circle away from 0, as those of Wilson fermions do, and P^dag K P is a coarse operator like
/// theirs. Rows are split by the parity of the site, the chirality of M: M^dag = s3 M s3.
/// Links  : long ones, which lead to the second hypercube, are left out.
/// Adjoint: K^dag = s3 M X^-1 s3, a second set of matrices, made when it is asked for first.
/// Source : Brower, Clark, Strelchenko and Weinberg, Phys. Rev. D 97 (2018) 114513.

#include "dirac/dirac_coarse.h"
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
  KaehlerDiracTransfer(std::shared_ptr<const Lattice> fine, ColorSpinorField &&inverse);
  void restrict(ColorSpinorField &coarse, const ColorSpinorField &fine) const override;

private:
  Legs legs_;
  ColorSpinorField inverse_;
  mutable Scratch scratch_;
};

struct KaehlerDirac {
  std::unique_ptr<KaehlerDiracTransfer> P;
  std::unique_ptr<DiracCoarse> dirac; // K
};

/// fat: links on whose lattice the quarks are, which must stay while the adjoint may be asked for. coarse: a lattice of rows
/// of half the extents. Errors: bad_argument that names a hypercube whose X has no inverse. Collective.
KaehlerDirac kaehler_dirac(double mass, const LinkSet &fat, std::shared_ptr<const Lattice> coarse, Precision precision);

} // namespace quda
