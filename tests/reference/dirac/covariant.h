/// Colour vectors and spinors carried along by links, written from their formulas: fields of n spins a site, spin the
/// row.
#pragma once

#include <functional>

#include "reference/field.h"

namespace reference
{

template <int n> using SpinVector = Eigen::Matrix<Complex, n, 3, Eigen::RowMajor>;
template <int n> using SpinVectors = std::vector<SpinVector<n>>; // all slots of a lattice

/// The first n spins of each site.
template <int n> SpinVectors<n> spins_of(const Spinors &psi)
{
  SpinVectors<n> out(psi.size());
  for (std::size_t i = 0; i < psi.size(); i++) out[i] = psi[i].template topRows<n>();
  return out;
}

/// U_mu(x) psi(x + l mu) with sense +1, U_mu(x - l mu)^dag psi(x - l mu) with -1.
template <int n>
SpinVectors<n> carried(const GaugeField &gauge, const SpinVectors<n> &psi, int mu, int sense, int length = 1)
{
  const Lattice &lattice = gauge.lattice;
  SpinVectors<n> out(psi.size());
  for (std::size_t slot = 0; slot < psi.size(); slot++) {
    const Coords x = lattice.coords(slot), y = lattice.shifted(x, mu, sense * length);
    if (sense > 0)
      out[slot] = psi[lattice.slot(y)] * gauge.at(mu, x).transpose();
    else
      out[slot] = psi[lattice.slot(y)] * gauge.at(mu, y).conjugate();
  }
  return out;
}

/// a x + b y
template <int n> SpinVectors<n> combined(Complex a, const SpinVectors<n> &x, Complex b, const SpinVectors<n> &y)
{
  SpinVectors<n> out(x.size());
  for (std::size_t i = 0; i < x.size(); i++) out[i] = a * x[i] + b * y[i];
  return out;
}

/// The sum over both neighbours in all directions but one (omitted > 3: in all).
template <int n>
SpinVectors<n> neighbours(const GaugeField &gauge, const SpinVectors<n> &psi, int omitted, int length = 1)
{
  SpinVectors<n> sum(psi.size(), SpinVector<n>::Zero());
  for (int mu = 0; mu < 4; mu++)
    for (const int sense : {+1, -1})
      if (mu != omitted) sum = combined<n>(1, sum, 1, carried(gauge, psi, mu, sense, length));
  return sum;
}

/// U_mu(x) U_mu(x + mu)
inline GaugeField two_link(const GaugeField &gauge)
{
  GaugeField out(gauge.lattice);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++) {
      const Coords x = gauge.lattice.coords(slot);
      out.at(mu, x) = gauge.at(mu, x) * gauge.at(mu, gauge.lattice.shifted(x, mu, 1));
    }
  return out;
}

/// Host array of one rank, (parity, x_cb, spin, color, re/im): both parities, or one.
template <class real, int n>
std::vector<real> to_host(const SpinVectors<n> &full, const Lattice &lattice, const Part &part, int parity = -1)
{
  const std::size_t sites = parity < 0 ? part.local.volume() : part.local.half();
  const std::size_t first = parity == 1 ? part.local.half() : 0;
  std::vector<real> out(6 * n * sites);
  for (std::size_t i = 0; i < sites; i++) {
    const SpinVector<n> &psi = full[lattice.slot(part.global_coords(first + i))];
    for (int k = 0; k < 3 * n; k++) {
      out[6 * n * i + 2 * k] = static_cast<real>(psi.data()[k].real());
      out[6 * n * i + 2 * k + 1] = static_cast<real>(psi.data()[k].imag());
    }
  }
  return out;
}

} // namespace reference
