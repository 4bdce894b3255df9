#include "reference/dirac/covariant.h"

namespace reference
{

template <int n> SpinVectors<n> spins_of(const Spinors &psi)
{
  SpinVectors<n> out(psi.size());
  for (std::size_t i = 0; i < psi.size(); i++) out[i] = psi[i].template topRows<n>();
  return out;
}

template <int n>
SpinVectors<n> carried(const GaugeField &gauge, const SpinVectors<n> &psi, int mu, int sense, int length)
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

template <int n> SpinVectors<n> combined(Complex a, const SpinVectors<n> &x, Complex b, const SpinVectors<n> &y)
{
  SpinVectors<n> out(x.size());
  for (std::size_t i = 0; i < x.size(); i++) out[i] = a * x[i] + b * y[i];
  return out;
}

template <int n> SpinVectors<n> neighbours(const GaugeField &gauge, const SpinVectors<n> &psi, int omitted, int length)
{
  SpinVectors<n> sum(psi.size(), SpinVector<n>::Zero());
  for (int mu = 0; mu < 4; mu++)
    for (const int sense : {+1, -1})
      if (mu != omitted) sum = combined<n>(1, sum, 1, carried(gauge, psi, mu, sense, length));
  return sum;
}

GaugeField two_link(const GaugeField &gauge)
{
  GaugeField out(gauge.lattice);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < gauge.lattice.volume(); slot++) {
      const Coords x = gauge.lattice.coords(slot);
      out.at(mu, x) = gauge.at(mu, x) * gauge.at(mu, gauge.lattice.shifted(x, mu, 1));
    }
  return out;
}

template <class real, int n>
std::vector<real> to_host(const SpinVectors<n> &full, const Lattice &lattice, const Part &part, int parity)
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

template SpinVectors<1> spins_of<1>(const Spinors &psi);
template SpinVectors<1> carried<1>(const GaugeField &gauge, const SpinVectors<1> &psi, int mu, int sense, int length);
template SpinVectors<1> combined<1>(Complex a, const SpinVectors<1> &x, Complex b, const SpinVectors<1> &y);
template SpinVectors<1> neighbours<1>(const GaugeField &gauge, const SpinVectors<1> &psi, int omitted, int length);
template std::vector<float> to_host<float, 1>(const SpinVectors<1> &full, const Lattice &lattice, const Part &part,
                                              int parity);
template std::vector<double> to_host<double, 1>(const SpinVectors<1> &full, const Lattice &lattice, const Part &part,
                                                int parity);

template SpinVectors<4> spins_of<4>(const Spinors &psi);
template SpinVectors<4> carried<4>(const GaugeField &gauge, const SpinVectors<4> &psi, int mu, int sense, int length);
template SpinVectors<4> combined<4>(Complex a, const SpinVectors<4> &x, Complex b, const SpinVectors<4> &y);
template SpinVectors<4> neighbours<4>(const GaugeField &gauge, const SpinVectors<4> &psi, int omitted, int length);
template std::vector<float> to_host<float, 4>(const SpinVectors<4> &full, const Lattice &lattice, const Part &part,
                                              int parity);
template std::vector<double> to_host<double, 4>(const SpinVectors<4> &full, const Lattice &lattice, const Part &part,
                                                int parity);

} // namespace reference
