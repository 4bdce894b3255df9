/// Gradients of Wilson-type operators between pairs of quark fields, term by term from the formulas: dS = sum Re
/// tr(G^dag dU).
#pragma once

#include <array>
#include <vector>

#include "reference/dirac/wilson.h"

namespace reference
{

/// Full fields l and r with a weight.
struct QuarkPair {
  Spinors left, right;
  double weight;
};

/// That of sum_i w_i Re l_i^dag D r_i.
GaugeField hop_gradient(const Lattice &lattice, const std::vector<QuarkPair> &pairs);

/// A colour matrix for each slot and plane (1,0), (2,0), (2,1), (3,0), (3,1), (3,2).
using PlaneMatrices = std::vector<std::array<Link, 6>>;

/// T_{mu nu}(x) = sum_i w_i of_parity sum_spin [gamma_mu gamma_nu r_i](x) l_i(x)^dag
PlaneMatrices clover_tensor(const Lattice &lattice, const std::vector<QuarkPair> &pairs,
                            const std::array<double, 2> &of_parity);

/// That of sum_x sum_{mu > nu} Re tr(F_{mu nu}(x) T_{mu nu}(x)), leaf by leaf.
GaugeField leaves_gradient(const GaugeField &links, const PlaneMatrices &tensor);

GaugeField sum_of(const GaugeField &a, const GaugeField &b);

} // namespace reference
