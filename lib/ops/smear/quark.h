#pragma once
/// Smearing of quark fields: n times psi <- a psi + b S psi, S a sum over neighbours (ops/dirac/covariant_sum.h); and
/// their flow along with the links' flow, d phi/dt = (S - 8) phi, S in all four directions (Luescher, arXiv:1302.5246).

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

  /// Flops of all steps on this rank.
  double flops(const ColorSpinorField &in) const;
};

/// out from in, full native fields of 1 or 4 spins and of the links' precision; different fields. No step: a copy.
/// Collective over the lattice's communicator.
void smear_quarks(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links,
                  const QuarkSmearing &smearing);

/// Stages of the flow of quark fields: Z <- (S - 8) phi + a Z, phi <- phi + step Z, as those of the links (flow.h).
class QuarkFlow
{
public:
  /// quarks: full native fields of 1 or 4 spins, changed in place.
  explicit QuarkFlow(ColorSpinorField &quarks);
  /// links: native, of the quarks' lattice and any precision, border and storage, SU(3) or not. Collective.
  void stage(const GaugeField &links, double a, double step);
  /// The adjoint of a stage: Z <- step phi + a Z, phi <- phi + (S - 8) Z, with a of the stage after it; 0: it is a step's last.
  void adjoint_stage(const GaugeField &links, double a, double step);
  /// Flops of all stages so far, on this rank.
  double flops() const { return flops_; }

private:
  /// result = (S - 8) in + a x on links of the quarks' precision without border, a copy if need be.
  void laplace(ColorSpinorField &result, const ColorSpinorField &in, const GaugeField &links, double a,
               const ColorSpinorField &x);

  ColorSpinorField &quarks_;
  ColorSpinorField change_; // Z
  double flops_ = 0;
};

} // namespace quda
