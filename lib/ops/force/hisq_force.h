#pragma once
/// The force of HISQ fermions: the chain rule from outer products of quark fields to thin links,
///   U -> V = fat7(U) -> W = V (V^dag V)^(-1/2) -> fat(W), long(W)
/// taken backwards (ops/force/link_gradient.h, ops/links/fat_links.h).

#include "ops/links/fat_links.h"
#include "ops/links/link_set.h"

#include <optional>

namespace quda
{

/// If the smallest eigenvalue of V^dag V is below this, all three are raised by as much; the default.
constexpr double hisq_force_filter = 5e-5;

/// The links of each level; whole links, without border.
struct HisqLinks {
  LinkSet thin;
  GaugeField fat7;
  LinkSet unitary;
  bool special = false; // unitary links are in SU(3), else in U(3)
  double filter = hisq_force_filter;
};

/// Gradients (ops/force/outer_products.h) with respect to the second level's fat links, to long links of weight 1, and,
/// if any, to the single links W in other Naik terms.
struct HisqGradients {
  GaugeField fat, straight;
  std::optional<GaugeField> single {};
};

/// The gradient with respect to U. The memory of the input gradients serves as work space. Collective.
GaugeField hisq_gradient(const HisqLinks &links, const FatWeights &fat7, const FatWeights &level2,
                         HisqGradients &&gradients);

/// Its flops a site.
long long hisq_gradient_flops(const FatWeights &fat7, const FatWeights &level2);

} // namespace quda
