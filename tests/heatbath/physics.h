#pragma once
/// Chains of heat-bath sweeps and the mean of their plaquettes.

#include <cmath>
#include <vector>

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

/// Plaquettes after each of `measured` sweeps of one heat bath and four over-relaxations, `thermal` sweeps after a hot
/// start.
inline Mean mean_plaquette(const int (&X)[4], double beta, int thermal, int measured, unsigned long long seed)
{
  quda::choose_target();
  quda::GaugeFieldParam param;
  param.lattice = quda::Lattice::create(X, quda::make_single_communicator());
  quda::GaugeField links(param);
  quda::hot_start(links, seed);
  quda::HeatbathSweeps sweeps;
  sweeps.beta = beta;
  sweeps.seed = seed;
  sweeps.sweeps = thermal;
  quda::heatbath(links, sweeps);
  sweeps.first = static_cast<unsigned>(thermal);
  sweeps.sweeps = 1;
  std::vector<double> series;
  for (int i = 0; i < measured; i++, sweeps.first++) {
    quda::heatbath(links, sweeps);
    series.push_back(quda::plaquette(links).mean());
  }
  return binned(series);
}

} // namespace heatbath_tests
