/// The force of stout-smeared links by the chain rule over all 18 numbers of each matrix, and paths of links one by one.
#pragma once

#include <array>

#include "reference/field.h"

namespace reference
{

/// A step of stout smearing by staples alone: rho, which directions, and a factor of staples whose sides are along t.
struct StoutStep {
  double rho;
  std::array<bool, 4> smeared;
  double time_sides;
};

/// All links after a step.
GaugeField stout(const GaugeField &gauge, const StoutStep &step);

/// f, dS = sum Re tr(f dU U^dag), from that of the links after the step.
GaugeField stout_force(const GaugeField &gauge, const GaugeField &of_smeared, const StoutStep &step);

} // namespace reference
