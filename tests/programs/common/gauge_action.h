/// Gauge actions of plaquettes and rectangles: S = beta sum of w (1 - Re tr loop / 3) over all plaquettes, w = 1 - 8
/// c_1, and all rectangles of one link by two, w = c_1; loops in planes with t times the anisotropy, others divided by
/// it.
#pragma once

#include <vector>

#include "programs/common/options.h"
#include "reference/force/loops.h"

namespace program
{

struct GaugeAction {
  double beta = 5.5;
  double rectangle = 0;  // c_1
  double anisotropy = 1; // bare

  /// Every loop that begins at a site, of one sense.
  std::vector<reference::Loop> loops() const
  {
    std::vector<reference::Loop> all;
    for (int mu = 0; mu < 4; mu++)
      for (int nu = 0; nu < 4; nu++) {
        if (mu < nu) all.push_back({mu, nu, 7 - mu, 7 - nu});
        if (mu != nu && rectangle != 0) all.push_back({mu, mu, nu, 7 - mu, 7 - mu, 7 - nu});
      }
    return all;
  }

  double weight(const reference::Loop &loop) const
  {
    bool timelike = false;
    for (const int step : loop) timelike = timelike || step == 3 || step == 4;
    return (loop.size() == 4 ? 1 - 8 * rectangle : rectangle) * (timelike ? anisotropy : 1 / anisotropy);
  }
};

/// --gauge-action and --action-anisotropy; beta under the program's own name.
inline void add_action_options(CommandLine &line, const std::string &beta, GaugeAction &action)
{
  static const Names<double> actions = {
      {"wilson", 0.0}, {"symanzik", -1.0 / 12}, {"iwasaki", -0.331}, {"dbw2", -1.4088}};
  line.add(beta, action.beta, "Beta = 6 / g^2 of the action", not_negative);
  line.add_choice("--gauge-action", action.rectangle, actions, "Action, by its weight of rectangles");
  line.add("--action-anisotropy", action.anisotropy, "Its bare anisotropy", positive);
}

} // namespace program
