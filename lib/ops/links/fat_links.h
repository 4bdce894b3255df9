#pragma once
/// Links of improved staggered fermions: fat7 and asqtad (Orginos, Toussaint and Sugar, hep-lat/9903032), Naik's long
/// links, and the reunitarised fat links of HISQ (Follana et al., hep-lat/0610092).
///   fat_mu = (one - 6 lepage) U_mu + sum_nu S_nu[ three U + lepage S_nu[U]
///                                                + sum_rho S_rho[ five U + seven S_sigma[U] ] ]_mu
/// nu, rho, sigma the directions that are not mu, rho and sigma not nu either; S_nu[F]_mu(x) = sum of the two staples
///   U_nu(x) F_mu(x+nu) U_nu(x+mu)^dag + U_nu(x-nu)^dag F_mu(x-nu) U_nu(x-nu+mu)
/// The pair of staples S_nu[U] is computed once for all its uses, and so is the outermost one of all paths that begin
/// with nu: 48 pairs a site instead of 84 for asqtad, in three passes that read and write 64 links a site.
/// No sign is added: links that carry staggered phases need negative weights of one and of three staples.

#include "fields/gauge_field.h"
#include "ops/links/link_set.h"

namespace quda
{

/// Weights of one link, of the paths of 3, 5 and 7 links, and of Lepage's path of 5.
struct FatWeights {
  double one, three = 0, five = 0, seven = 0, lepage = 0;
};

/// Native, in the precision of the links, 18 numbers each. links: native, reconstruct 18. Memory, if there are
/// staples of more than three links: six fields more. Collective over the lattice's communicator.
GaugeField fat_links(const LinkSet &links, const FatWeights &weights);

/// The gradient H of a function S of the links whose gradient of fat_links() is G:
///   dS = sum Re tr(G^dag d fat) = sum Re tr(H^dag dU), dU of all 18 numbers of a link
/// Level by level from the last to the first: a sum of staples as a function of the field at its centre is its own
/// transpose. gradient, of_fat: as the links, without border; add: to the old gradient. Memory, if there are
/// levels: nine fields more. 180 pairs of staples a site for asqtad. Collective.
void fat_links_gradient(GaugeField &gradient, const LinkSet &links, const FatWeights &weights, const GaugeField &of_fat,
                        bool add = false);

/// weight U_mu(x) U_mu(x+mu) U_mu(x+2mu), likewise. A rank needs two sites or more in directions that are cut.
GaugeField long_links(const LinkSet &links, double weight);

/// W = V (V^dag V)^(-1/2): the unitary factor of each link's polar decomposition, found by Newton's iteration
/// (device/projection.h), which allows equal singular values. special: without its phase, so that
/// the determinant is 1; staggered phases and boundary signs of the links are removed before and applied
/// after. Returns the number of links of the global lattice that fail: not unitary to within 1e-10, in single
/// precision 1e-6. out, in: native, reconstruct 18, without border, not one field. Collective.
long long unitary_links(GaugeField &out, const GaugeField &in, bool special);

/// Flops of fat_links() and of its gradient a site, as executed.
long long fat_links_flops(const FatWeights &weights);
long long fat_links_gradient_flops(const FatWeights &weights);

} // namespace quda
