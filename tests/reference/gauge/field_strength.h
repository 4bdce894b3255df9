/// Field strength from the four plaquettes around a site, topological charge and energy, by their definitions.
#pragma once

#include <vector>

#include "reference/field.h"

namespace reference
{

/// F_{mu nu}(x) = (Q - Q^dag) / 8, Q the sum of the four leaves, each running mu -> nu.
Link field_strength(const GaugeField &gauge, const Coords &x, int mu, int nu);

struct Charge {
  std::vector<double> density; // (slot)
  double charge = 0;
  double spatial_energy = 0, temporal_energy = 0; // mean over sites
};

Charge charge(const GaugeField &gauge);

} // namespace reference
