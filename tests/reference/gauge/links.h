/// What a host program does to links before it hands them over, and what storing two rows of them does.
#pragma once

#include "reference/field.h"

namespace reference
{

/// The factor a link carries after set_up_links: 1/anisotropy in space, t_boundary on the t links of the last time
/// slice.
inline double link_factor(const Lattice &lattice, const Coords &x, int mu, double anisotropy, int t_boundary)
{
  if (mu < 3) return 1 / anisotropy;
  return x[3] == lattice.X[3] - 1 ? t_boundary : 1;
}

/// Divides spatial links by the anisotropy and multiplies the t links of the last time slice by t_boundary (1 or -1).
inline void set_up_links(GaugeField &gauge, double anisotropy, int t_boundary)
{
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++)
      gauge.U[mu][slot] *= link_factor(gauge.lattice, gauge.lattice.coords(slot), mu, anisotropy, t_boundary);
}

/// Reconstruct 12: the third row remade from the first two, of links that set_up_links prepared with the same numbers.
/// With a, b = f times the first rows of an SU(3) matrix, the third is conj(a x b) / f; f is its own inverse where it
/// is a sign.
inline GaugeField reconstructed_12(const GaugeField &gauge, double anisotropy = 1, int t_boundary = 1)
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

/// The field as single precision holds it.
inline GaugeField rounded_to_single(const GaugeField &gauge)
{
  GaugeField out = gauge;
  for (auto &links : out.U)
    for (Link &u : links) u = u.cast<std::complex<float>>().cast<Complex>().eval();
  return out;
}

inline Spinors rounded_to_single(const Spinors &psi)
{
  Spinors out = psi;
  for (Spinor &s : out) s = s.cast<std::complex<float>>().cast<Complex>().eval();
  return out;
}

/// The field as 16-bit fixed point holds it: elements of links are multiples of 1/32767; those of a spinor at a site,
/// of the largest real or imaginary part there over 32767.
inline Complex rounded_to(double unit, Complex z)
{
  return Complex(std::nearbyint(z.real() / unit), std::nearbyint(z.imag() / unit)) * unit;
}

inline GaugeField rounded_to_half(const GaugeField &gauge)
{
  GaugeField out = gauge;
  for (auto &links : out.U)
    for (Link &u : links) u = u.unaryExpr([](Complex z) { return rounded_to(1.0 / 32767, z); }).eval();
  return out;
}

inline Spinors rounded_to_half(const Spinors &psi)
{
  Spinors out = psi;
  for (Spinor &s : out) {
    const double most = std::max(s.real().cwiseAbs().maxCoeff(), s.imag().cwiseAbs().maxCoeff());
    if (most > 0) s = s.unaryExpr([&](Complex z) { return rounded_to(most / 32767, z); }).eval();
  }
  return out;
}

} // namespace reference
