/// The Wilson operator, written from its formula:
///   (D psi)(x) = sum_mu [ (1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dag psi(x-mu) ],   M = 1 -
///   kappa D,
/// D^dag with the signs of gamma_mu swapped. Links are taken as they are: boundary sign and anisotropy are in them.
#pragma once

#include <array>
#include <functional>

#include "reference/dirac/gamma.h"
#include "reference/field.h"

namespace reference
{

class Wilson
{
public:
  /// The gauge field is referred to, not copied.
  explicit Wilson(const GaugeField &gauge, Basis basis = Basis::degrand_rossi);

  /// D psi at one site, psi a function from coordinates to a spinor. A colour matrix stands transposed on a spinor's
  /// right.
  Spinor hop_at(const Coords &x, bool dagger, const std::function<Spinor(const Coords &)> &psi) const;

  /// D on the whole lattice.
  Spinors hop(const Spinors &in, bool dagger = false) const;

  /// D from the sites of parity 1 - `parity` to those of `parity`, each an array of half the slots.
  Spinors hop_to(int parity, const Spinors &in, bool dagger = false) const;

  /// M psi = psi - kappa D psi on the whole lattice.
  Spinors matrix(const Spinors &in, double kappa, bool dagger = false) const;

  /// M_pc psi = psi - kappa^2 D_to D_from psi on the sites of `parity`.
  Spinors matrix_pc(int parity, const Spinors &in, double kappa, bool dagger = false) const;

private:
  const GaugeField &gauge_;
  std::array<SpinMatrix, 4> minus_, plus_;
};

enum class Normalisation { kappa = 0, mass = 1, asymmetric_mass = 2 }; // the interface's numbers

/// What the result of M or M_pc is multiplied by in a normalisation: nothing, 1/(2 kappa), or for mass and M_pc 1/(2
/// kappa)^2.
double normalisation_factor(Normalisation normalisation, bool pc, double kappa);

Spinors scaled(Spinors psi, double factor);

} // namespace reference
