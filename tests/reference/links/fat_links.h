/// Links of improved staggered fermions by their definitions: every path of staples on its own, staple by staple; no
/// phases.
///   fat_mu = (one - 6 lepage) U + sum_nu { three S_nu U + lepage S_nu S_nu U
///            + sum_rho { five S_rho S_nu U + sum_sigma seven S_sigma S_rho S_nu U } }, all directions different
#pragma once

#include <array>

#include "reference/field.h"

namespace reference
{

/// As computeKSLinkQuda takes them: one link, three straight (not used here), staples of 3, 5 and 7, Lepage.
using PathWeights = std::array<double, 6>;

/// fat7 of HISQ's first level, both of the second, asqtad and the Naik correction; for links without phases.
inline constexpr PathWeights fat7_weights {1. / 8, 0, 1. / 16, 1. / 64, 1. / 384, 0},
    hisq_weights {1, -1. / 24, 1. / 16, 1. / 64, 1. / 384, -1. / 8},
    asqtad_weights {5. / 8, -1. / 24, 1. / 16, 1. / 64, 1. / 384, -1. / 16},
    naik_weights {1. / 8, -1. / 24, 0, 0, 0, 0};

/// For links with staggered phases, of which each pair of sides makes a sign.
PathWeights phased(PathWeights c);

/// The sum of both staples in the plane of mu and nu around links mu of a field.
GaugeField staples(const GaugeField &around, const GaugeField &gauge, int mu, int nu);

GaugeField fat_links(const GaugeField &gauge, const PathWeights &c);

GaugeField long_links(const GaugeField &gauge, const PathWeights &c);

/// V (V^dag V)^(-1/2)
GaugeField unitary_links(const GaugeField &gauge);

} // namespace reference
