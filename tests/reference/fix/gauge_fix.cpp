#include "reference/fix/gauge_fix.h"

#include <cmath>
#include <utility>
#include <vector>

#include "reference/gauge/transform.h"
#include "reference/random.h"

namespace reference
{

namespace
{

  /// sum over mu < D of [ U_mu(x-mu) - U_mu(x) ] less its adjoint, traceless
  Link gauge_gradient(const GaugeField &gauge, const Coords &x, int directions)
  {
    Link sum = Link::Zero();
    for (int mu = 0; mu < directions; mu++) sum += gauge.at(mu, gauge.lattice.shifted(x, mu, -1)) - gauge.at(mu, x);
    const Link delta = sum - sum.adjoint();
    return delta - delta.trace() / 3.0 * Link::Identity();
  }

} // namespace

double gauge_functional(const GaugeField &gauge, int directions)
{
  double sum = 0;
  for (int mu = 0; mu < directions; mu++)
    for (const Link &u : gauge.U[mu]) sum += u.trace().real();
  return sum / (3.0 * directions * static_cast<double>(gauge.lattice.volume()));
}

double gauge_theta(const GaugeField &gauge, int directions)
{
  double sum = 0;
  for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
    sum += gauge_gradient(gauge, gauge.lattice.coords(slot), directions).squaredNorm();
  return sum / (3.0 * static_cast<double>(gauge.lattice.volume()));
}

void over_relax(GaugeField &gauge, int directions, double boost)
{
  const Lattice &lattice = gauge.lattice;
  for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
    const Coords x = lattice.coords(slot);
    for (const auto &[p, q] : {std::pair {0, 1}, std::pair {1, 2}, std::pair {0, 2}}) {
      double a[4] = {};
      for (int mu = 0; mu < directions; mu++) {
        const Link &u = gauge.at(mu, x), &d = gauge.at(mu, lattice.shifted(x, mu, -1));
        a[0] += (d(p, p) + d(q, q) + u(p, p) + u(q, q)).real();
        a[1] += (d(p, q) + d(q, p) - u(p, q) - u(q, p)).imag();
        a[2] += (d(p, q) - d(q, p) - u(p, q) + u(q, p)).real();
        a[3] += (d(p, p) - d(q, q) - u(p, p) + u(q, q)).imag();
      }
      const double vector2 = a[1] * a[1] + a[2] * a[2] + a[3] * a[3];
      const double stretch = (boost * a[0] * a[0] + vector2) / (a[0] * a[0] + vector2);
      const double r = 1 / std::sqrt(a[0] * a[0] + stretch * stretch * vector2);
      for (int i = 0; i < 4; i++) a[i] *= i == 0 ? r : stretch * r;
      Link g = Link::Identity();
      g(p, p) = Complex(a[0], a[3]);
      g(p, q) = Complex(a[2], a[1]);
      g(q, p) = Complex(-a[2], a[1]);
      g(q, q) = Complex(a[0], -a[3]);
      for (int mu = 0; mu < 4; mu++) {
        gauge.at(mu, x) = (g * gauge.at(mu, x)).eval();
        Link &ends = gauge.at(mu, lattice.shifted(x, mu, -1));
        ends = (ends * g.adjoint()).eval();
      }
    }
  }
}

void descend(GaugeField &gauge, int directions, double alpha)
{
  const Lattice &lattice = gauge.lattice;
  const std::size_t volume = lattice.volume();
  std::vector<Link> field(volume);
  for (std::size_t slot = 0; slot < volume; slot++)
    field[slot] = gauge_gradient(gauge, lattice.coords(slot), directions);
  double modes = 1;
  for (const int sign : {-1, 1}) {
    for (int d = 0; d < directions; d++) {
      std::vector<Link> next(volume, Link::Zero());
      for (std::size_t slot = 0; slot < volume; slot++) {
        const Coords k = lattice.coords(slot);
        for (int j = 0; j < lattice.X[d]; j++) {
          Coords x = k;
          x[d] = j;
          next[slot] += std::polar(1.0, sign * 2 * M_PI * j * k[d] / lattice.X[d]) * field[lattice.slot(x)];
        }
      }
      field = next;
      if (sign < 0) modes *= lattice.X[d];
    }
    for (std::size_t slot = 0; slot < volume && sign < 0; slot++) {
      const Coords k = lattice.coords(slot);
      double s = 0;
      for (int d = 0; d < directions; d++) s += std::pow(std::sin(M_PI * k[d] / lattice.X[d]), 2);
      field[slot] *= s > 1e-12 ? 4 / (modes * s) : 0;
    }
  }
  Rotation g(volume);
  for (std::size_t slot = 0; slot < volume; slot++)
    g[slot] = special_unitary(Link(Link::Identity() + 0.5 * alpha * field[slot]));
  gauge = transformed(gauge, g);
}

} // namespace reference
