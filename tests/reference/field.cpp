#include "reference/field.h"

#include <cmath>

namespace reference
{

namespace
{

  /// Where in a host array the complex number of (slot, spin, colour) stands, in complex numbers. `slots` is the array's
  /// number of sites if it holds both parities, 0 if it holds one.
  std::size_t spinor_index(SpinorOrder order, std::size_t slots, std::size_t slot, int spin, int colour)
  {
    if (order == SpinorOrder::qdp) return slot * 12 + colour * 4 + spin;
    if (order == SpinorOrder::cps_wilson && slots != 0) slot = slot < slots / 2 ? slot + slots / 2 : slot - slots / 2;
    return slot * 12 + spin * 3 + colour;
  }

} // namespace

GaugeField::GaugeField(const Lattice &lattice)
    : lattice(lattice)
{
  for (auto &links : U) links.assign(lattice.volume(), Link::Identity());
}

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

template <class real> std::vector<real> to_milc(const GaugeField &gauge, const Part &part)
{
  const QdpLinks<real> qdp = to_qdp<real>(gauge, part);
  std::vector<real> out(72 * part.local.volume());
  for (std::size_t slot = 0; slot < part.local.volume(); slot++)
    for (int mu = 0; mu < 4; mu++)
      for (int k = 0; k < 18; k++) out[(4 * slot + mu) * 18 + k] = qdp[mu][18 * slot + k];
  return out;
}

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

Spinors half_of(const Spinors &full, int parity)
{
  const auto half = static_cast<std::ptrdiff_t>(full.size() / 2);
  return Spinors(full.begin() + parity * half, full.begin() + (parity + 1) * half);
}

void set_half(Spinors &full, int parity, const Spinors &half)
{
  for (std::size_t i = 0; i < half.size(); i++) full[parity * half.size() + i] = half[i];
}

template <class real>
std::vector<real> to_host(const Spinors &full, const Lattice &lattice, const Part &part, int parity, SpinorOrder order)
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

template <class real> Spinors from_host(const std::vector<real> &host, bool both, SpinorOrder order)
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

double norm2(const Spinors &psi)
{
  double sum = 0;
  for (const Spinor &s : psi) sum += s.squaredNorm();
  return sum;
}

Complex inner_product(const Spinors &a, const Spinors &b)
{
  Complex sum = 0;
  for (std::size_t i = 0; i < a.size(); i++) sum += (a[i].conjugate().array() * b[i].array()).sum();
  return sum;
}

double deviation(const Spinors &a, const Spinors &b)
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

double deviation(const GaugeField &a, const GaugeField &b)
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

template QdpLinks<float> to_qdp(const GaugeField &gauge, const Part &part);
template QdpLinks<float> to_qdp(const GaugeField &gauge);
template std::vector<float> to_milc(const GaugeField &gauge, const Part &part);
template void from_qdp(GaugeField &gauge, const Part &part, const float *const links[4]);
template GaugeField from_qdp(const Lattice &lattice, const QdpLinks<float> &links);
template std::vector<float> to_host(const Spinors &full, const Lattice &lattice, const Part &part, int parity,
                                    SpinorOrder order);
template Spinors from_host(const std::vector<float> &host, bool both, SpinorOrder order);

template QdpLinks<double> to_qdp(const GaugeField &gauge, const Part &part);
template QdpLinks<double> to_qdp(const GaugeField &gauge);
template std::vector<double> to_milc(const GaugeField &gauge, const Part &part);
template void from_qdp(GaugeField &gauge, const Part &part, const double *const links[4]);
template GaugeField from_qdp(const Lattice &lattice, const QdpLinks<double> &links);
template std::vector<double> to_host(const Spinors &full, const Lattice &lattice, const Part &part, int parity,
                                     SpinorOrder order);
template Spinors from_host(const std::vector<double> &host, bool both, SpinorOrder order);

} // namespace reference
