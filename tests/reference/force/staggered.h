/// Energies of staggered quark fields, which forces are derivatives of:
///   S = sum_{x mu} eps(x) sum_i Re { fat_i q_i(x)^dag F_mu(x) q_i(x+mu) + single_i q_i(x)^dag W_mu(x) q_i(x+mu)
///                                    + straight_i q_i(x)^dag W_mu(x) W_mu(x+mu) W_mu(x+2mu) q_i(x+3mu) }
/// eps = +1 on even sites, -1 on odd ones; F fat links of the links W.
#pragma once

#include <functional>
#include <vector>

#include "reference/dirac/staggered.h"
#include "reference/links/fat_links.h"

namespace reference
{

struct QuarkTerm {
  ColorVectors q;
  double fat, single, straight;
};

/// eps(x) sum_i w_i q_i(x) q_i(x + reach mu)^dag
GaugeField outer_products(const Lattice &lattice, const std::vector<QuarkTerm> &terms, int reach,
                          const std::function<double(const QuarkTerm &)> &weight);

/// sum Re tr(G^dag X)
double inner_product(const GaugeField &g, const GaugeField &x);

/// V (V^dag V + e)^(-1/2), e = least where the smallest eigenvalue of V^dag V is below it, else 0.
GaugeField filtered_unitary_links(const GaugeField &links, double least);

/// The energy of HISQ quarks in thin links. special: unitary links in SU(3).
double hisq_energy(const GaugeField &thin, const std::vector<QuarkTerm> &terms, const PathWeights &fat7,
                   const PathWeights &level2, double filter, bool special = false);

/// dS/ds at s = 0 of links exp(s P) U, or U + s P, from four values.
template <class Energy, class Moved> double slope(const Energy &energy, const Moved &moved, double step)
{
  const auto at = [&](double s) { return energy(moved(s)); };
  return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
}

} // namespace reference
