#include "reference/links/fat_links.h"

#include "reference/gauge/project.h"
#include "reference/smear/projected.h"

namespace reference
{

PathWeights phased(PathWeights c)
{
  for (const int i : {2, 4}) c[i] = -c[i];
  return c;
}

GaugeField staples(const GaugeField &around, const GaugeField &gauge, int mu, int nu)
{
  GaugeField out = around;
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
    out.U[mu][slot] = staple_pair(around, gauge, gauge.lattice.coords(slot), mu, nu);
  return out;
}

GaugeField fat_links(const GaugeField &gauge, const PathWeights &c)
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

GaugeField long_links(const GaugeField &gauge, const PathWeights &c)
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

GaugeField unitary_links(const GaugeField &gauge)
{
  GaugeField out = gauge;
  for (auto &links : out.U)
    for (Link &u : links) u = unitary_factor(Link(u));
  return out;
}

} // namespace reference
