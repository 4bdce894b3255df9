/// Molecular dynamics of links in pure gauge theory, with the resident links and momenta of the library.
///   H = sum |A|^2 / 2 + S,   dU/dt = A U,   dA/dt = F = -TA of the derivative of S
#pragma once

#include "programs/common/dynamics.h"
#include "programs/common/gauge_action.h"
#include "programs/common/gauge_paths.h"
#include "programs/common/host_gauge.h"
#include "programs/common/integrator.h"

#include <quda_ext.h>

namespace program
{

class GaugeDynamics : public Dynamics
{
public:
  /// The links that are resident, in double precision; momenta become zero. Collective, as all of it.
  GaugeDynamics(const HostGauge &gauge, const GaugeAction &action, const Integrator &integrator);

  void refresh(unsigned long long seed) override { gaussMomQuda(seed, 1); }
  double energy() override { return kinetic() + potential(); }
  void run(double t, int steps) override { integrate(*this, integrator_, t, steps); }
  int order() const override { return integrator_.order; }

  void move_links(double t);
  /// By the force; ahead: of the links exp(ahead F) U.
  void move_momenta(double t, double ahead);
  /// By the force, in place of what they were: t F.
  void set_to_force(double t) { add_force(t, true); }
  /// sum |A|^2 / 2
  double kinetic();

  double plaquette() const override;
  void project_links() override;
  reference::QdpLinks<double> links() const override { return gauge_.resident(); }
  void set_links(reference::QdpLinks<double> links) override;
  reference::QdpLinks<double> momenta() override;
  void set_momenta(reference::QdpLinks<double> momenta) override;
  /// Resident links and momenta in, the same out.
  const QudaGaugeParam &param() const { return param_; }

private:
  double potential() const;
  void add_force(double t, bool overwrite);

  const HostGauge &gauge_;
  const GaugeAction action_;
  const Integrator integrator_;
  const double sites_; // of the global lattice
  std::vector<reference::Loop> loops_;
  std::vector<double> weights_;
  ForcePaths paths_;
  QudaGaugeParam param_;
};

/// The heat bath of the action.
QudaHeatbathParam heatbath_param(const GaugeAction &action, unsigned long seed);

/// Refuses (UsageError) what molecular dynamics cannot do; fills in extents that were not given.
void check_dynamics_options(Options &options);

} // namespace program
