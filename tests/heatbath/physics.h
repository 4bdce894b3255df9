#pragma once
/// Chains of heat-bath sweeps and the mean of their plaquettes.

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/force/momentum.h"
#include "ops/gauge/path_sum.h"
#include "ops/gauge/plaquette.h"
#include "ops/heatbath/heatbath.h"
#include "ops/random/gaussian.h"
#include "targets/target.h"

namespace heatbath_tests
{

struct Mean {
  double value, error;
};

/// The mean of a series whose members know each other: its error from the scatter of `bins` long stretches.
inline Mean binned(const std::vector<double> &series, int bins = 20)
{
  const std::size_t length = series.size() / bins;
  double sum = 0, square = 0;
  for (int b = 0; b < bins; b++) {
    double bin = 0;
    for (std::size_t i = 0; i < length; i++) bin += series[b * length + i] / static_cast<double>(length);
    sum += bin;
    square += bin * bin;
  }
  const double mean = sum / bins;
  return {mean, std::sqrt((square / bins - mean * mean) / (bins - 1))};
}

/// f times what a loop in the plane of mu and nu has in the action: (1 - 8 c_1), or c_1.
inline double loop_weight(const quda::HeatbathSweeps &action, int mu, int nu, bool rectangle)
{
  const double f = mu == 3 || nu == 3 ? action.anisotropy : 1 / action.anisotropy;
  return f * (rectangle ? action.rectangle : 1 - 8 * action.rectangle);
}

/// visit(loop, weight): all plaquettes and rectangles from a site.
template <class Visit> void for_each_loop(const quda::HeatbathSweeps &action, Visit &&visit)
{
  for (int mu = 0; mu < 4; mu++)
    for (int nu = 0; nu < 4; nu++) {
      if (nu == mu) continue;
      if (mu < nu) visit(quda::StepCodes {mu, nu, 7 - mu, 7 - nu}, loop_weight(action, mu, nu, false));
      if (action.rectangle != 0)
        visit(quda::StepCodes {mu, mu, nu, 7 - mu, 7 - mu, 7 - nu}, loop_weight(action, mu, nu, true));
    }
}

/// Sum of the weighted traces over all loops a site; one process. by_links: each as often as it has links.
inline double action_density(const quda::GaugeField &links, const quda::HeatbathSweeps &action, bool by_links = false)
{
  double sum = 0;
  for_each_loop(action, [&](const quda::StepCodes &loop, double weight) {
    sum += weight * quda::loop_trace(links, loop).real() * (by_links ? static_cast<double>(loop.size()) : 1);
  });
  return sum / static_cast<double>(links.lattice().volume());
}

/// Sum over links of |TA(U S^dag)|^2 a site, S the weighted staples.
inline double force_density(const quda::GaugeField &links, const quda::HeatbathSweeps &action)
{
  quda::PathSet paths;
  for_each_loop(action, [&](quda::StepCodes loop, double weight) {
    for (int way = 0; way < 2; way++) {
      for (std::size_t start = 0; start < loop.size(); start++) {
        std::rotate(loop.begin(), loop.begin() + 1, loop.end());
        if (loop[0] < 4) paths[loop[0]].push_back({quda::StepCodes(loop.begin() + 1, loop.end()), weight});
      }
      std::reverse(loop.begin(), loop.end());
      for (int &step : loop) step = 7 - step;
    }
  });
  quda::GaugeFieldParam param = links.param();
  param.link_type = quda::LinkType::momentum;
  param.reconstruct = quda::Reconstruct::r10;
  quda::GaugeField force(param);
  quda::add_path_sum(force, links, paths, 1, true);
  return 2 * (quda::momentum_action(force) / static_cast<double>(links.lattice().volume()) + 16);
}

/// measure(links) after each of `measured` sweeps of one heat bath and four over-relaxations, `thermal` sweeps after a
/// hot start.
template <class Measure>
void chain(const int (&X)[4], quda::HeatbathSweeps sweeps, int thermal, int measured, Measure &&measure)
{
  quda::choose_target();
  quda::GaugeFieldParam param;
  param.lattice = quda::Lattice::create(X, quda::make_single_communicator());
  quda::GaugeField links(param);
  quda::hot_start(links, sweeps.seed);
  sweeps.sweeps = thermal;
  quda::heatbath(links, sweeps);
  sweeps.first = static_cast<unsigned>(thermal);
  sweeps.sweeps = 1;
  for (int i = 0; i < measured; i++, sweeps.first++) {
    quda::heatbath(links, sweeps);
    measure(links);
  }
}

/// Plaquettes along such a chain.
inline Mean mean_plaquette(const int (&X)[4], double beta, int thermal, int measured, unsigned long long seed)
{
  quda::HeatbathSweeps sweeps;
  sweeps.beta = beta;
  sweeps.seed = seed;
  std::vector<double> series;
  chain(X, sweeps, thermal, measured,
        [&](const quda::GaugeField &links) { series.push_back(quda::plaquette(links).mean()); });
  return binned(series);
}

} // namespace heatbath_tests
