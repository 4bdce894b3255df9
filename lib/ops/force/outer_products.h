#pragma once
/// Outer products of colour vectors along a line: the gradient of staggered hops with respect to their links.

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
  std::vector<double> weights; // one for each right-hand side
};

/// gradient_mu(x) = eps(x) sum_i w_i q_i(x) q_i(x + reach mu)^dag for each sum, eps = +1 on even sites and -1 on odd
/// ones; add: to the old gradient. quarks: native full fields of one spin, a right-hand side a term, in the gradients'
/// precision. A rank needs `reach` sites in directions that are cut. Terms are added in their order, over any number of
/// calls. Collective over the lattice's communicator.
void outer_products(const ColorSpinorField &quarks, std::span<const OuterProductSum> sums, bool add);

/// Terms that one call puts into one launch at most: a good number for a caller to collect.
constexpr int outer_terms_together = 16;

} // namespace quda
