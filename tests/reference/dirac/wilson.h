/// The Wilson operator, written from its formula:
///   (D psi)(x) = sum_mu [ (1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dag psi(x-mu) ],   M = 1 -
///   kappa D,
/// D^dag with the signs of gamma_mu swapped. Links are taken as they are: boundary sign and anisotropy are in them.
#pragma once

#include "reference/dirac/gamma.h"
#include "reference/field.h"

namespace reference
{

class Wilson
{
public:
  /// The gauge field is referred to, not copied.
  explicit Wilson(const GaugeField &gauge, Basis basis = Basis::degrand_rossi)
      : gauge_(gauge)
  {
    for (int mu = 0; mu < 4; mu++) {
      minus_[mu] = SpinMatrix::Identity() - gamma(basis, mu);
      plus_[mu] = SpinMatrix::Identity() + gamma(basis, mu);
    }
  }

  /// D psi at one site, psi a function from coordinates to a spinor. A colour matrix stands transposed on a spinor's
  /// right.
  template <class Psi> Spinor hop_at(const Coords &x, bool dagger, const Psi &psi) const
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

  /// D on the whole lattice.
  Spinors hop(const Spinors &in, bool dagger = false) const
  {
    const Lattice &lattice = gauge_.lattice;
    Spinors out(lattice.volume());
#pragma omp parallel for
    for (std::size_t slot = 0; slot < lattice.volume(); slot++)
      out[slot] =
          hop_at(lattice.coords(slot), dagger, [&](const Coords &y) -> const Spinor & { return in[lattice.slot(y)]; });
    return out;
  }

  /// D from the sites of parity 1 - `parity` to those of `parity`, each an array of half the slots.
  Spinors hop_to(int parity, const Spinors &in, bool dagger = false) const
  {
    const Lattice &lattice = gauge_.lattice;
    const std::size_t first_in = parity == 0 ? lattice.half() : 0, first_out = parity * lattice.half();
    Spinors out(lattice.half());
#pragma omp parallel for
    for (std::size_t i = 0; i < lattice.half(); i++)
      out[i] = hop_at(lattice.coords(first_out + i), dagger,
                      [&](const Coords &y) -> const Spinor & { return in[lattice.slot(y) - first_in]; });
    return out;
  }

  /// M psi = psi - kappa D psi on the whole lattice.
  Spinors matrix(const Spinors &in, double kappa, bool dagger = false) const
  {
    Spinors out = hop(in, dagger);
    for (std::size_t i = 0; i < in.size(); i++) out[i] = in[i] - kappa * out[i];
    return out;
  }

  /// M_pc psi = psi - kappa^2 D_to D_from psi on the sites of `parity`.
  Spinors matrix_pc(int parity, const Spinors &in, double kappa, bool dagger = false) const
  {
    Spinors out = hop_to(parity, hop_to(1 - parity, in, dagger), dagger);
    for (std::size_t i = 0; i < in.size(); i++) out[i] = in[i] - kappa * kappa * out[i];
    return out;
  }

private:
  const GaugeField &gauge_;
  std::array<SpinMatrix, 4> minus_, plus_;
};

enum class Normalisation { kappa = 0, mass = 1, asymmetric_mass = 2 }; // the interface's numbers

/// What the result of M or M_pc is multiplied by in a normalisation: nothing, 1/(2 kappa), or for mass and M_pc 1/(2
/// kappa)^2.
inline double normalisation_factor(Normalisation normalisation, bool pc, double kappa)
{
  if (normalisation == Normalisation::kappa) return 1;
  const double factor = 1 / (2 * kappa);
  return pc && normalisation == Normalisation::mass ? factor * factor : factor;
}

inline Spinors scaled(Spinors psi, double factor)
{
  for (Spinor &s : psi) s *= factor;
  return psi;
}

} // namespace reference
