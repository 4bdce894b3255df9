#pragma once
/// Smearing of quark fields: n times psi <- a psi + b S psi, S a sum over neighbours (ops/dirac/covariant_sum.h).

#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"

namespace quda
{

struct QuarkSmearing {
  int steps;
  double stays, moves; // a, b
  int legs, length;    // of S

  /// (psi + alpha S psi) / (1 + 6 alpha), in space; 1 + 6 alpha is not 0.
  static QuarkSmearing wuppertal(int steps, double alpha);
  /// psi + (omega^2 / 4 n) (S - 6) psi, in space.
  static QuarkSmearing gaussian(int steps, double omega);
  /// psi + (width^2 / 16 n) (S - 2 d) psi, d = 3 directions or 4, S of hops over two links (ops/links/two_link.h).
  static QuarkSmearing two_link(int steps, double width, int directions);

  /// Of all steps on one rank.
  double flops(const ColorSpinorField &in) const;
};

/// out from in, full native fields of 1 or 4 spins and of the links' precision; other fields. No step: a copy.
/// Collective over the lattice's communicator.
void smear_quarks(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links,
                  const QuarkSmearing &smearing);

} // namespace quda
