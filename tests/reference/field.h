/// Gauge and spinor fields of the plain reference: one Eigen matrix a link and one a spinor, double precision, slots of
/// the whole lattice in even-odd order; and the way between them and host arrays in QUDA's orders.
///
/// A link is row by row (row, column); a spinor is (spin, colour), spin the row, which in memory is QUDA_DIRAC_ORDER.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include <Eigen/Dense>

#include "reference/lattice.h"

namespace reference
{

using Complex = std::complex<double>;
using Link = Eigen::Matrix<Complex, 3, 3, Eigen::RowMajor>;
using Spinor = Eigen::Matrix<Complex, 4, 3, Eigen::RowMajor>;
using SpinMatrix = Eigen::Matrix<Complex, 4, 4, Eigen::RowMajor>;
using Spinors = std::vector<Spinor>; // all slots of a lattice, or those of one parity

struct GaugeField {
  explicit GaugeField(const Lattice &lattice)
      : lattice(lattice)
  {
    for (auto &links : U) links.assign(lattice.volume(), Link::Identity());
  }

  Link &at(int mu, const Coords &x) { return U[mu][lattice.slot(x)]; }
  const Link &at(int mu, const Coords &x) const { return U[mu][lattice.slot(x)]; }

  Lattice lattice;
  std::array<std::vector<Link>, 4> U; // (mu)(slot)
};

/// Host arrays of one rank in QUDA_QDP_GAUGE_ORDER: four arrays (parity, x_cb, row, column, re/im).
template <class real> using QdpLinks = std::array<std::vector<real>, 4>;

template <class real> QdpLinks<real> to_qdp(const GaugeField &gauge, const Part &part)
{
  QdpLinks<real> out;
  for (int mu = 0; mu < 4; mu++) {
    out[mu].resize(18 * part.local.volume());
    for (std::size_t slot = 0; slot < part.local.volume(); slot++) {
      const Link &link = gauge.at(mu, part.global_coords(slot));
      for (int k = 0; k < 9; k++) {
        out[mu][18 * slot + 2 * k] = static_cast<real>(link.data()[k].real());
        out[mu][18 * slot + 2 * k + 1] = static_cast<real>(link.data()[k].imag());
      }
    }
  }
  return out;
}

template <class real> QdpLinks<real> to_qdp(const GaugeField &gauge)
{
  return to_qdp<real>(gauge, Part(gauge.lattice));
}

/// Host array of one rank in QUDA_MILC_GAUGE_ORDER: (parity, x_cb, mu, row, column, re/im).
template <class real> std::vector<real> to_milc(const GaugeField &gauge, const Part &part)
{
  const QdpLinks<real> qdp = to_qdp<real>(gauge, part);
  std::vector<real> out(72 * part.local.volume());
  for (std::size_t slot = 0; slot < part.local.volume(); slot++)
    for (int mu = 0; mu < 4; mu++)
      for (int k = 0; k < 18; k++) out[(4 * slot + mu) * 18 + k] = qdp[mu][18 * slot + k];
  return out;
}

/// Writes one rank's QDP arrays into its part of a field on the whole lattice.
template <class real> void from_qdp(GaugeField &gauge, const Part &part, const real *const links[4])
{
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < part.local.volume(); slot++) {
      Link &link = gauge.at(mu, part.global_coords(slot));
      const real *u = links[mu] + 18 * slot;
      for (int k = 0; k < 9; k++) link.data()[k] = Complex(u[2 * k], u[2 * k + 1]);
    }
}

template <class real> GaugeField from_qdp(const Lattice &lattice, const QdpLinks<real> &links)
{
  GaugeField gauge(lattice);
  const real *pointers[4] = {links[0].data(), links[1].data(), links[2].data(), links[3].data()};
  from_qdp(gauge, Part(lattice), pointers);
  return gauge;
}

/// The slots of one parity.
inline Spinors half_of(const Spinors &full, int parity)
{
  const auto half = static_cast<std::ptrdiff_t>(full.size() / 2);
  return Spinors(full.begin() + parity * half, full.begin() + (parity + 1) * half);
}

inline void set_half(Spinors &full, int parity, const Spinors &half)
{
  for (std::size_t i = 0; i < half.size(); i++) full[parity * half.size() + i] = half[i];
}

enum class SpinorOrder {
  dirac,
  qdp,
  cps_wilson
}; // of one site: dirac (spin, colour), qdp (colour, spin); cps: odd sites first

/// Where in a host array the complex number of (slot, spin, colour) stands, in complex numbers. `slots` is the array's
/// number of sites if it holds both parities, 0 if it holds one.
inline std::size_t spinor_index(SpinorOrder order, std::size_t slots, std::size_t slot, int spin, int colour)
{
  if (order == SpinorOrder::qdp) return slot * 12 + colour * 4 + spin;
  if (order == SpinorOrder::cps_wilson && slots != 0) slot = slot < slots / 2 ? slot + slots / 2 : slot - slots / 2;
  return slot * 12 + spin * 3 + colour;
}

/// Host array of one rank from a field on the whole lattice: both parities, or one (parity 0 or 1).
template <class real> std::vector<real> to_host(const Spinors &full, const Lattice &lattice, const Part &part,
                                                int parity = -1, SpinorOrder order = SpinorOrder::dirac)
{
  const std::size_t sites = parity < 0 ? part.local.volume() : part.local.half();
  const std::size_t first = parity == 1 ? part.local.half() : 0;
  std::vector<real> out(24 * sites);
  for (std::size_t i = 0; i < sites; i++) {
    const Spinor &psi = full[lattice.slot(part.global_coords(first + i))];
    for (int s = 0; s < 4; s++)
      for (int c = 0; c < 3; c++) {
        const std::size_t at = spinor_index(order, parity < 0 ? sites : 0, i, s, c);
        out[2 * at] = static_cast<real>(psi(s, c).real());
        out[2 * at + 1] = static_cast<real>(psi(s, c).imag());
      }
  }
  return out;
}

/// The inverse, for a rank that holds the whole lattice or one parity of it.
template <class real>
Spinors from_host(const std::vector<real> &host, bool both, SpinorOrder order = SpinorOrder::dirac)
{
  const std::size_t sites = host.size() / 24;
  Spinors out(sites);
  for (std::size_t i = 0; i < sites; i++)
    for (int s = 0; s < 4; s++)
      for (int c = 0; c < 3; c++) {
        const std::size_t at = spinor_index(order, both ? sites : 0, i, s, c);
        out[i](s, c) = Complex(host[2 * at], host[2 * at + 1]);
      }
  return out;
}

inline double norm2(const Spinors &psi)
{
  double sum = 0;
  for (const Spinor &s : psi) sum += s.squaredNorm();
  return sum;
}

/// <a, b> = sum conj(a) b
inline Complex inner_product(const Spinors &a, const Spinors &b)
{
  Complex sum = 0;
  for (std::size_t i = 0; i < a.size(); i++) sum += (a[i].conjugate().array() * b[i].array()).sum();
  return sum;
}

/// The largest |a - b| of a site's components, in units of the root mean square of b's: the measure by which fields are
/// compared.
inline double deviation(const Spinors &a, const Spinors &b)
{
  if (a.size() != b.size() || b.empty()) return INFINITY;
  const double rms = std::sqrt(norm2(b) / (12.0 * static_cast<double>(b.size())));
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); i++) {
    const double here = (a[i] - b[i]).cwiseAbs().maxCoeff();
    if (!(here <= largest)) largest = here; // a NaN comes through
  }
  return largest / rms;
}

inline double deviation(const GaugeField &a, const GaugeField &b)
{
  double largest = 0, sum = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < b.U[mu].size(); i++) {
      const double here = (a.U[mu][i] - b.U[mu][i]).cwiseAbs().maxCoeff();
      if (!(here <= largest)) largest = here;
      sum += b.U[mu][i].squaredNorm();
    }
  return largest / std::sqrt(sum / (36.0 * static_cast<double>(b.lattice.volume())));
}

} // namespace reference
