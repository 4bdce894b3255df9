/// Stout smearing, plain and over-improved, one step at a time, by its definition: whole paths of links, each
/// multiplied out from its first link to its last.
#pragma once

#include <array>
#include <initializer_list>

#include "reference/field.h"

namespace reference
{

/// A step along a path: direction 0 to 3, sense +1 or -1.
struct PathStep {
  int d, sense;
};

/// The product of links from x along the steps; a step back multiplies with the adjoint of the link it runs over.
Link path(const GaugeField &gauge, Coords x, std::initializer_list<PathStep> steps);

/// The staples of U_nu(x) with mu on either side, summed over mu among `smeared`.
Link staples(const GaugeField &gauge, const Coords &x, int nu, const std::array<bool, 4> &smeared);

/// The six paths of five links for each mu.
Link rectangles(const GaugeField &gauge, const Coords &x, int nu, const std::array<bool, 4> &smeared);

struct StoutWeights {
  double staples, rectangles;
};

StoutWeights stout_weights(double rho);
StoutWeights over_improved_weights(double rho, double epsilon);

/// One link after a step.
Link stout_link(const GaugeField &gauge, const Coords &x, int nu, const StoutWeights &weights,
                const std::array<bool, 4> &smeared);

/// One step: every link from the old ones.
GaugeField stout(const GaugeField &gauge, const StoutWeights &weights, const std::array<bool, 4> &smeared);

} // namespace reference
