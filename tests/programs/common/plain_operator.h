/// The Dirac operator of the options by the plain reference, on the whole lattice. No normalisation of the mass.
#pragma once

#include "programs/common/host_gauge.h"
#include "programs/common/options.h"
#include "reference/dirac/wilson.h"

namespace program
{

class PlainOperator
{
public:
  PlainOperator(const HostGauge &gauge, const Options &options)
      : options_(options)
      , links_(gauge.reference_field())
      , wilson_(links_)
  {
  }

  /// The parity that preconditioned fields are on.
  int parity() const { return options_.matpc % 2; }

  /// As dslashQuda, onto parity().
  reference::Spinors hop(const reference::Spinors &in) const { return wilson_.hop_to(parity(), in, options_.dagger); }

  /// M, or M_pc (pc); with --dagger its adjoint, and with `adjoint` the adjoint of that.
  reference::Spinors apply(bool pc, const reference::Spinors &in, bool adjoint = false) const
  {
    const bool dagger = options_.dagger != adjoint;
    return pc ? wilson_.matrix_pc(parity(), in, options_.kappa, dagger) : wilson_.matrix(in, options_.kappa, dagger);
  }

  /// Of M x = b, solved up to a residual that is there on parity() alone: solution and residual of M_pc's system.
  reference::Spinors solution_pc(const reference::Spinors &x) const { return x; }
  reference::Spinors residual_pc(const reference::Spinors &r) const { return r; }

  /// What `matrix` (M_pc: pc) is multiplied by in --mass-normalization.
  double normalisation(bool pc) const
  {
    return reference::normalisation_factor(static_cast<reference::Normalisation>(options_.normalization), pc,
                                           options_.kappa);
  }

private:
  const Options &options_;
  reference::GaugeField links_;
  reference::Wilson wilson_;
};

} // namespace program
