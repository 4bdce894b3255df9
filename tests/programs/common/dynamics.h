/// What hybrid Monte Carlo needs of a theory, whatever acts on its links (hybrid.h).
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "reference/field.h"

namespace program
{

class Dynamics
{
public:
  virtual ~Dynamics() = default;

  /// Momenta, and pseudofermions if there are any, of the weight that they have with the links as they are. The same on
  /// any process grid.
  virtual void refresh(unsigned long long seed) = 0;
  /// H, but for what is the same from one refresh to the next.
  virtual double energy() = 0;
  /// Along the equations of motion for a time t in so many steps; reversible.
  virtual void run(double t, int steps) = 0;
  /// Of what energy() changes by, in the step.
  virtual int order() const = 0;

  virtual double plaquette() const = 0;
  /// Onto SU(3), which links leave by rounding.
  virtual void project_links() = 0;
  /// To the host, where momenta are ten numbers a link, and back.
  virtual reference::QdpLinks<double> links() const = 0;
  virtual void set_links(reference::QdpLinks<double> links) = 0;
  virtual reference::QdpLinks<double> momenta() = 0;
  virtual void set_momenta(reference::QdpLinks<double> momenta) = 0;

  /// What else a trajectory's line says, and its record in files; of what was done since the last call.
  virtual std::string told(nlohmann::json &) { return {}; }
};

} // namespace program
