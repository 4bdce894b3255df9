/// Links of improved staggered fermions by their definitions: every path of staples on its own, staple by staple; no
/// phases.
///   fat_mu = (one - 6 lepage) U + sum_nu { three S_nu U + lepage S_nu S_nu U
///            + sum_rho { five S_rho S_nu U + sum_sigma seven S_sigma S_rho S_nu U } }, all directions different
#pragma once

#include "reference/gauge/project.h"
#include "reference/smear/projected.h"

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
inline PathWeights phased(PathWeights c)
{
  for (const int i : {2, 4}) c[i] = -c[i];
  return c;
}

/// The sum of both staples in the plane of mu and nu around links mu of a field.
inline GaugeField staples(const GaugeField &around, const GaugeField &gauge, int mu, int nu)
{
  GaugeField out = around;
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
    out.U[mu][slot] = staple_pair(around, gauge, gauge.lattice.coords(slot), mu, nu);
  return out;
}

inline GaugeField fat_links(const GaugeField &gauge, const PathWeights &c)
{
  GaugeField fat = gauge;
  for (int mu = 0; mu < 4; mu++) {
    const auto add = [&](double weight, const GaugeField &paths) {
      for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++) fat.U[mu][slot] += weight * paths.U[mu][slot];
    };
    for (Link &u : fat.U[mu]) u *= c[0] - 6 * c[5];
    for (int nu = 0; nu < 4; nu++) {
      if (nu == mu) continue;
      const GaugeField three = staples(gauge, gauge, mu, nu);
      add(c[2], three);
      add(c[5], staples(three, gauge, mu, nu));
      for (int rho = 0; rho < 4; rho++) {
        if (rho == mu || rho == nu) continue;
        const GaugeField five = staples(three, gauge, mu, rho);
        add(c[3], five);
        add(c[4], staples(five, gauge, mu, 6 - mu - nu - rho));
      }
    }
  }
  return fat;
}

inline GaugeField long_links(const GaugeField &gauge, const PathWeights &c)
{
  GaugeField out = gauge;
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++) {
      const Coords x = gauge.lattice.coords(slot);
      out.U[mu][slot] = c[1] * gauge.at(mu, x) * gauge.at(mu, gauge.lattice.shifted(x, mu, 1)) *
                        gauge.at(mu, gauge.lattice.shifted(x, mu, 2));
    }
  return out;
}

/// V (V^dag V)^(-1/2)
inline GaugeField unitary_links(const GaugeField &gauge)
{
  GaugeField out = gauge;
  for (auto &links : out.U)
    for (Link &u : links) u = unitary_factor(Link(u));
  return out;
}

} // namespace reference
