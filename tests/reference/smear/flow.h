/// Gradient flow of links, one step at a time: Luescher's three stages as he writes them, and the six stages of
/// Berland, Bogey and Bailly.
#pragma once

#include <array>
#include <vector>

#include "reference/field.h"

namespace reference
{

struct Flow {
  bool symanzik = false;
  double anisotropy = 1; // its square is a factor of paths that leave and come back along t
  bool zeuthen = false;  // and Symanzik: 1 + D*_mu D_mu / 12 before the force
};

using Generators = std::array<std::vector<Link>, 4>;

/// TA[ G_nu(x) V_nu(x)^dag ] of all links.
Generators flow_force(const GaugeField &gauge, const Flow &flow);

/// exp(a A + b B + c C) V
GaugeField moved(const GaugeField &gauge, double a, const Generators &A, double b, const Generators &B, double c,
                 const Generators &C);

/// The links before each stage, and the last ones.
using FlowStages = std::vector<GaugeField>;

inline constexpr double flow_a[] = {
    0, -0.737101392796, -1.634740794341, -0.744739003780, -1.469897351522, -2.813971388035};
inline constexpr double flow_b[] = {0.032918605146, 0.823256998200, 0.381530948900,
                                    0.200092213184, 1.718581042715, 0.27};

FlowStages flow_stages(const GaugeField &gauge, double epsilon, const Flow &flow, int order);

GaugeField flow_step(const GaugeField &gauge, double epsilon, const Flow &flow, int order);

/// The largest distance of a link after a step of third order from where the step of second order leads.
double flow_error(const FlowStages &stages, double epsilon, const Flow &flow);

struct AdaptiveFlow {
  double epsilon, tolerance;
  long long taken = 0, taken_back = 0;
};

/// `time` further by steps whose error is the tolerance at most.
GaugeField flow_adaptively(GaugeField now, double time, const Flow &flow, AdaptiveFlow &steps);

} // namespace reference
