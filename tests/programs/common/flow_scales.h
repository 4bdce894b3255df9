/// Scales of the gradient flow: t0, where t^2 E(t) = 0.3 (Luescher, arXiv:1006.4518), and w0, where t d/dt t^2 E(t) =
/// 0.3 at t = w0^2 (arXiv:1203.4469).
#pragma once

#include <cmath>
#include <vector>

namespace program
{

struct FlowScales {
  double t0 = 0, w0 = 0; // in lattice units; 0 where the flow was too short
};

/// From E at flow times t, evenly spaced, the first one 0; between them lines are drawn.
inline FlowScales flow_scales(const std::vector<double> &t, const std::vector<double> &energy)
{
  constexpr double reference = 0.3;
  FlowScales scales;
  double w_before = 0, t_before = 0, w0_squared = 0;
  for (std::size_t i = 1; i < t.size(); i++) {
    const double here = t[i] * t[i] * energy[i], before = t[i - 1] * t[i - 1] * energy[i - 1], step = t[i] - t[i - 1];
    if (scales.t0 == 0 && here >= reference) scales.t0 = t[i] - step * (here - reference) / (here - before);
    const double middle = 0.5 * (t[i] + t[i - 1]), w = middle * (here - before) / step;
    if (w0_squared == 0 && w >= reference) w0_squared = middle - (middle - t_before) * (w - reference) / (w - w_before);
    w_before = w;
    t_before = middle;
  }
  scales.w0 = std::sqrt(w0_squared);
  return scales;
}

} // namespace program
