/// The Dirac operator of the options by the plain reference, on the whole lattice. No normalisation of the mass.
#pragma once

#include <optional>

#include "programs/common/host_gauge.h"
#include "programs/common/options.h"
#include "reference/dirac/clover.h"

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
    if (options.dslash_type == QUDA_CLOVER_WILSON_DSLASH) clover_.emplace(links_, options.clover_coeff);
  }

  /// The parity that preconditioned fields are on.
  int parity() const { return options_.matpc % 2; }

  /// As dslashQuda, onto parity().
  reference::Spinors hop(const reference::Spinors &in) const
  {
    return clover_ ? clover_->hop_to(parity(), in, options_.dagger) : wilson_.hop_to(parity(), in, options_.dagger);
  }

  /// M, or M_pc (pc); with --dagger its adjoint, and with `adjoint` the adjoint of that.
  reference::Spinors apply(bool pc, const reference::Spinors &in, bool adjoint = false) const
  {
    const bool dagger = options_.dagger != adjoint;
    const double kappa = options_.kappa;
    if (clover_)
      return pc ? clover_->matrix_pc(parity(), symmetric(), in, kappa, dagger) : clover_->matrix(in, kappa, dagger);
    return pc ? wilson_.matrix_pc(parity(), in, kappa, dagger) : wilson_.matrix(in, kappa, dagger);
  }

  /// Of M x = b, solved up to a residual that is there on parity() alone: solution and residual of M_pc's system.
  reference::Spinors solution_pc(const reference::Spinors &x) const
  {
    return clover_ && symmetric() && options_.dagger ? reference::times(clover_->A, x, parity()) : x;
  }
  reference::Spinors residual_pc(const reference::Spinors &r) const
  {
    return clover_ && symmetric() && !options_.dagger ? reference::times(clover_->A_inverse, r, parity()) : r;
  }

  /// What `matrix` (M_pc: pc) is multiplied by in --mass-normalization.
  double normalisation(bool pc) const
  {
    return reference::normalisation_factor(static_cast<reference::Normalisation>(options_.normalization), pc,
                                           options_.kappa);
  }

  /// The share of a process of the clover term, in QUDA_PACKED_CLOVER_ORDER.
  std::vector<double> packed_clover(const reference::Part &part) const
  {
    return reference::to_packed<double>(clover_.value().A, links_.lattice, part);
  }

private:
  bool symmetric() const { return options_.matpc <= QUDA_MATPC_ODD_ODD; }

  const Options &options_;
  reference::GaugeField links_;
  reference::Wilson wilson_;
  std::optional<reference::CloverWilson> clover_;
};

} // namespace program
