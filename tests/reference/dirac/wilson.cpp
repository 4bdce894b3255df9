#include "reference/dirac/wilson.h"

namespace reference
{

Wilson::Wilson(const GaugeField &gauge, Basis basis)
    : gauge_(gauge)
{
  for (int mu = 0; mu < 4; mu++) {
    minus_[mu] = SpinMatrix::Identity() - gamma(basis, mu);
    plus_[mu] = SpinMatrix::Identity() + gamma(basis, mu);
  }
}

Spinor Wilson::hop_at(const Coords &x, bool dagger, const std::function<Spinor(const Coords &)> &psi) const
{
  const Lattice &lattice = gauge_.lattice;
  const auto &ahead = dagger ? plus_ : minus_, &behind = dagger ? minus_ : plus_;
  Spinor sum = Spinor::Zero();
  for (int mu = 0; mu < 4; mu++) {
    const Coords there = lattice.shifted(x, mu, 1), back = lattice.shifted(x, mu, -1);
    sum += ahead[mu] * psi(there) * gauge_.at(mu, x).transpose();
    sum += behind[mu] * psi(back) * gauge_.at(mu, back).conjugate();
  }
  return sum;
}

Spinors Wilson::hop(const Spinors &in, bool dagger) const
{
  const Lattice &lattice = gauge_.lattice;
  Spinors out(lattice.volume());
#pragma omp parallel for
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    out[slot] = hop_at(lattice.coords(slot), dagger, [&](const Coords &y) { return in[lattice.slot(y)]; });
  return out;
}

Spinors Wilson::hop_to(int parity, const Spinors &in, bool dagger) const
{
  const Lattice &lattice = gauge_.lattice;
  const std::size_t first_in = parity == 0 ? lattice.half() : 0, first_out = parity * lattice.half();
  Spinors out(lattice.half());
#pragma omp parallel for
  for (std::size_t i = 0; i < lattice.half(); i++)
    out[i] =
        hop_at(lattice.coords(first_out + i), dagger, [&](const Coords &y) { return in[lattice.slot(y) - first_in]; });
  return out;
}

Spinors Wilson::matrix(const Spinors &in, double kappa, bool dagger) const
{
  Spinors out = hop(in, dagger);
  for (std::size_t i = 0; i < in.size(); i++) out[i] = in[i] - kappa * out[i];
  return out;
}

Spinors Wilson::matrix_pc(int parity, const Spinors &in, double kappa, bool dagger) const
{
  Spinors out = hop_to(parity, hop_to(1 - parity, in, dagger), dagger);
  for (std::size_t i = 0; i < in.size(); i++) out[i] = in[i] - kappa * kappa * out[i];
  return out;
}

double normalisation_factor(Normalisation normalisation, bool pc, double kappa)
{
  if (normalisation == Normalisation::kappa) return 1;
  const double factor = 1 / (2 * kappa);
  return pc && normalisation == Normalisation::mass ? factor * factor : factor;
}

Spinors scaled(Spinors psi, double factor)
{
  for (Spinor &s : psi) s *= factor;
  return psi;
}

} // namespace reference
