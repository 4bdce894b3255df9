#include "programs/common/pion.h"

#include <cmath>

#include "programs/common/quarks.h"

namespace program
{

Propagator point_propagator(const HostGauge &gauge, QudaInvertParam param)
{
  constexpr int n = 12;
  Propagator out;
  std::vector<std::vector<double>> sources;
  std::vector<void *> b, x;
  for (int j = 0; j < n; j++) {
    sources.push_back(point_share(gauge, {0, 0, 0, 0}, j / 3, j % 3));
    out.columns.emplace_back(sources[j].size());
  }
  for (int j = 0; j < n; j++) {
    b.push_back(sources[j].data());
    x.push_back(out.columns[j].data());
  }
  param.num_src = param.num_src_per_sub_partition = n;
  invertMultiSrcQuda(x.data(), b.data(), &param);
  out.residuals.assign(param.true_res, param.true_res + n);
  out.iterations = param.iter;
  out.seconds = param.secs;
  out.gflops = param.gflops;
  out.converged = param.iter < param.maxiter;
  return out;
}

std::vector<double> pion_correlator(const Process &process, const HostGauge &gauge, const Propagator &propagator)
{
  std::vector<double> sums(gauge.global().X[3], 0);
  for (const std::vector<double> &column : propagator.columns)
    for (std::size_t i = 0; i < gauge.part().local.volume(); i++) {
      double &sum = sums[gauge.part().global_coords(i)[3]];
      for (std::size_t k = 24 * i; k < 24 * i + 24; k++) sum += column[k] * column[k];
    }
  for (double &sum : sums) sum = process.sum(sum);
  return sums;
}

std::vector<double> effective_mass(const std::vector<double> &correlator)
{
  const std::size_t T = correlator.size();
  const auto both = [&](std::size_t t) { return correlator[t] + correlator[(T - t) % T]; };
  std::vector<double> mass;
  for (std::size_t t = 1; t < T / 2; t++) {
    const double cosh = (both(t - 1) + both(t + 1)) / (2 * both(t));
    mass.push_back(cosh >= 1 ? std::acosh(cosh) : NAN);
  }
  return mass;
}

} // namespace program
