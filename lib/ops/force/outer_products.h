#pragma once
/// Outer products of colour vectors at sites in a row: the gradient of staggered hops with respect to their links.

#include <span>
#include <vector>

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"

namespace quda
{

/// One of several sums over the same vectors.
struct OuterProductSum {
  GaugeField &gradient;        // native, whole matrices without border
  int reach;                   // steps between the factors
  std::vector<double> weights; // one a right-hand side
};

/// gradient_mu(x) = eps(x) sum_i w_i q_i(x) q_i(x + reach mu)^dag for each sum, eps = +1 on even sites and -1 on odd
/// ones; add: to what it holds. quarks: native full fields of one spin, one right-hand side a term, of the gradients'
/// precision. A rank needs `reach` sites in directions that are cut. Terms are added in their order, by however many
/// calls they come. Collective over the lattice's communicator.
void outer_products(const ColorSpinorField &quarks, std::span<const OuterProductSum> sums, bool add);

/// Terms that one call takes at most in one launch: as many are worth handing over at once.
constexpr int outer_terms_together = 16;

} // namespace quda
