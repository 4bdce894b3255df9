/// Molecular dynamics of links in pure gauge theory, with the resident links and momenta of the library.
///   H = sum |A|^2 / 2 + S,   dU/dt = A U,   dA/dt = F = -TA of the derivative of S
#pragma once

#include "programs/common/gauge_action.h"
#include "programs/common/gauge_paths.h"
#include "programs/common/host_gauge.h"

namespace program
{

class GaugeDynamics
{
public:
  /// The links that are resident, in double precision; momenta become zero. Collective, as all of it.
  GaugeDynamics(const HostGauge &gauge, const GaugeAction &action);

  /// Normal momenta, the same on any process grid.
  void draw_momenta(unsigned long long seed);

  void move_links(double t);
  /// By the force; ahead: of the links exp(ahead F) U.
  void move_momenta(double t, double ahead);

  double energy() { return kinetic() + potential(); }
  double plaquette() const;
  /// Onto SU(3), which they leave by rounding.
  void project_links();

  /// To the host, where momenta are ten numbers a link, and back.
  reference::QdpLinks<double> links() const { return gauge_.resident(); }
  void set_links(reference::QdpLinks<double> links);
  reference::QdpLinks<double> momenta();
  void set_momenta(reference::QdpLinks<double> momenta);

private:
  double kinetic();
  double potential() const;
  void add_force(double t, bool overwrite);

  const HostGauge &gauge_;
  const GaugeAction action_;
  const double sites_; // of the global lattice
  std::vector<reference::Loop> loops_;
  std::vector<double> weights_;
  ForcePaths paths_;
  QudaGaugeParam param_; // residents in, residents out
};

} // namespace program
