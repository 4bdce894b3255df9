#include "reference/gauge/links.h"

#include <algorithm>
#include <cmath>

namespace reference
{

namespace
{

  Complex rounded_to(double unit, Complex z)
  {
    return Complex(std::nearbyint(z.real() / unit), std::nearbyint(z.imag() / unit)) * unit;
  }

} // namespace

double link_factor(const Lattice &lattice, const Coords &x, int mu, double anisotropy, int t_boundary)
{
  if (mu < 3) return 1 / anisotropy;
  return x[3] == lattice.X[3] - 1 ? t_boundary : 1;
}

void set_up_links(GaugeField &gauge, double anisotropy, int t_boundary)
{
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
      gauge.U[mu][slot] *= link_factor(gauge.lattice, gauge.lattice.coords(slot), mu, anisotropy, t_boundary);
}

GaugeField reconstructed_12(const GaugeField &gauge, double anisotropy, int t_boundary)
{
  GaugeField out = gauge;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++) {
      Link &u = out.U[mu][slot];
      const double f = link_factor(gauge.lattice, gauge.lattice.coords(slot), mu, anisotropy, t_boundary);
      for (int i = 0; i < 3; i++)
        u(2, i) = std::conj(u(0, (i + 1) % 3) * u(1, (i + 2) % 3) - u(0, (i + 2) % 3) * u(1, (i + 1) % 3)) / f;
    }
  return out;
}

GaugeField rounded_to_single(const GaugeField &gauge)
{
  GaugeField out = gauge;
  for (auto &links : out.U)
    for (Link &u : links) u = u.cast<std::complex<float>>().cast<Complex>().eval();
  return out;
}

Spinors rounded_to_single(const Spinors &psi)
{
  Spinors out = psi;
  for (Spinor &s : out) s = s.cast<std::complex<float>>().cast<Complex>().eval();
  return out;
}

GaugeField rounded_to_half(const GaugeField &gauge)
{
  GaugeField out = gauge;
  for (auto &links : out.U)
    for (Link &u : links) u = u.unaryExpr([](Complex z) { return rounded_to(1.0 / 32767, z); }).eval();
  return out;
}

Spinors rounded_to_half(const Spinors &psi)
{
  Spinors out = psi;
  for (Spinor &s : out) {
    const double most = std::max(s.real().cwiseAbs().maxCoeff(), s.imag().cwiseAbs().maxCoeff());
    if (most > 0) s = s.unaryExpr([&](Complex z) { return rounded_to(most / 32767, z); }).eval();
  }
  return out;
}

} // namespace reference
