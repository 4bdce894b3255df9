#include "reference/random.h"

#include <cmath>

namespace reference
{

SiteRandom::SiteRandom(std::uint64_t seed, std::uint64_t site, std::uint64_t use)
{
  state_ = seed;
  state_ = word() ^ (site * 0xd1342543de82ef95u);
  state_ = word() ^ (use * 0xaf251af3b0f025b5u);
  word();
}

Complex SiteRandom::gaussian()
{
  const double radius = std::sqrt(-std::log(uniform()));
  const double angle = 6.283185307179586 * uniform();
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

Link special_unitary(const Link &m)
{
  Eigen::RowVector3cd a = m.row(0), b = m.row(1);
  a /= a.norm();
  b -= a.dot(b) * a; // dot() conjugates its left side
  b /= b.norm();
  Link u;
  u.row(0) = a;
  u.row(1) = b;
  for (int i = 0; i < 3; i++) u(2, i) = std::conj(a((i + 1) % 3) * b((i + 2) % 3) - a((i + 2) % 3) * b((i + 1) % 3));
  return u;
}

Link random_link(Kind kind, std::uint64_t seed, std::uint64_t global_site, int mu)
{
  SiteRandom random(seed, global_site, static_cast<std::uint64_t>(mu));
  Link m;
  for (int k = 0; k < 9; k++) m.data()[k] = random.gaussian();
  if (kind == Kind::general) return m;
  if (kind == Kind::weak) m = Link::Identity() + 0.2 * m;
  return special_unitary(m);
}

Spinor random_spinor(std::uint64_t seed, std::uint64_t global_site)
{
  SiteRandom random(seed, global_site, 16);
  Spinor psi;
  for (int k = 0; k < 12; k++) psi.data()[k] = random.gaussian();
  return psi;
}

GaugeField random_gauge(const Lattice &lattice, std::uint64_t seed, Kind kind)
{
  GaugeField gauge(lattice);
#pragma omp parallel for
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++)
      gauge.U[mu][slot] = random_link(kind, seed, lattice.lexicographic(lattice.coords(slot)), mu);
  return gauge;
}

Spinors random_spinors(const Lattice &lattice, std::uint64_t seed)
{
  Spinors psi(lattice.volume());
#pragma omp parallel for
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    psi[slot] = random_spinor(seed, lattice.lexicographic(lattice.coords(slot)));
  return psi;
}

} // namespace reference
