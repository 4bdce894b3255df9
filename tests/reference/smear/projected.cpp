#include "reference/smear/projected.h"

#include "reference/gauge/project.h"

namespace reference
{

namespace
{

  /// P[ (1 - alpha) + weight C U^dag ] U
  Link projected_sum(const Link &u, double alpha, double weight, const Link &staples)
  {
    return projected(Link((1 - alpha) * Link::Identity() + weight * staples * u.adjoint())) * u;
  }

} // namespace

Link staple_pair(const GaugeField &parallel, const GaugeField &sides, const Coords &x, int mu, int nu)
{
  const Lattice &lattice = parallel.lattice;
  const Coords up = lattice.shifted(x, nu, 1), down = lattice.shifted(x, nu, -1);
  return sides.at(nu, x) * parallel.at(mu, up) * sides.at(nu, lattice.shifted(x, mu, 1)).adjoint() +
         sides.at(nu, down).adjoint() * parallel.at(mu, down) * sides.at(nu, lattice.shifted(down, mu, 1));
}

GaugeField ape(const GaugeField &gauge, double alpha, const std::array<bool, 4> &smeared, double anisotropy)
{
  const int directions = smeared[0] + smeared[1] + smeared[2] + smeared[3];
  GaugeField out = gauge;
#pragma omp parallel for
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++) {
      if (!smeared[mu]) continue;
      Link sum = Link::Zero();
      for (int nu = 0; nu < 4; nu++)
        if (nu != mu && smeared[nu])
          sum +=
              (nu == 3 ? anisotropy * anisotropy : 1) * staple_pair(gauge, gauge, gauge.lattice.coords(slot), mu, nu);
      out.U[mu][slot] = projected_sum(gauge.U[mu][slot], alpha, alpha / (2 * (directions - 1)), sum);
    }
  return out;
}

GaugeField hyp(const GaugeField &gauge, const std::array<double, 3> &alpha, const std::array<bool, 4> &smeared)
{
  const Lattice &lattice = gauge.lattice;
  const bool all = smeared[0] && smeared[1] && smeared[2] && smeared[3];
  // [i]: staples with sides along i alone, later: without staples with sides along i
  std::array<GaugeField, 4> inner {gauge, gauge, gauge, gauge}, middle = inner;
  GaugeField out = gauge;
  const auto for_links = [&](auto &&f) {
#pragma omp parallel for
    for (std::size_t slot = 0; slot < lattice.volume(); slot++)
      for (int mu = 0; mu < 4; mu++)
        if (smeared[mu]) f(mu, slot, lattice.coords(slot));
  };
  const auto other = [&](int nu, auto... not_these) { return smeared[nu] && ((nu != not_these) && ...); };
  for_links([&](int mu, std::size_t slot, const Coords &x) {
    for (int eta = 0; eta < 4; eta++)
      if (other(eta, mu))
        inner[eta].U[mu][slot] =
            projected_sum(gauge.U[mu][slot], alpha[2], alpha[2] / 2, staple_pair(gauge, gauge, x, mu, eta));
  });
  if (!all) {
    for_links([&](int mu, std::size_t slot, const Coords &x) {
      Link sum = Link::Zero();
      for (int nu = 0; nu < 4; nu++)
        for (int rho = 0; rho < 4; rho++)
          if (other(nu, mu) && other(rho, mu, nu)) sum += staple_pair(inner[rho], inner[rho], x, mu, nu);
      out.U[mu][slot] = projected_sum(gauge.U[mu][slot], alpha[1], alpha[1] / 4, sum);
    });
    return out;
  }
  for_links([&](int mu, std::size_t slot, const Coords &x) {
    for (int nu = 0; nu < 4; nu++) {
      if (!other(nu, mu)) continue;
      Link sum = Link::Zero();
      for (int rho = 0; rho < 4; rho++)
        if (other(rho, mu, nu)) {
          const int sigma = 6 - mu - nu - rho;
          sum += staple_pair(inner[sigma], inner[sigma], x, mu, rho);
        }
      middle[nu].U[mu][slot] = projected_sum(gauge.U[mu][slot], alpha[1], alpha[1] / 4, sum);
    }
  });
  for_links([&](int mu, std::size_t slot, const Coords &x) {
    Link sum = Link::Zero();
    for (int nu = 0; nu < 4; nu++)
      if (other(nu, mu)) sum += staple_pair(middle[nu], middle[mu], x, mu, nu);
    out.U[mu][slot] = projected_sum(gauge.U[mu][slot], alpha[0], alpha[0] / 6, sum);
  });
  return out;
}

} // namespace reference
