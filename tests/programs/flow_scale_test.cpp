// The scales t0 and w0 of the gradient flow in pure gauge theory: configurations by heat bath, their Wilson flow, the
// mean of t^2 E and where it is 0.3, with errors by the jackknife. Writes what was measured as JSON.

#include <chrono>
#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>
#include <quda_ext.h>

#include "programs/common/flow_scales.h"
#include "programs/common/host_gauge.h"

namespace
{

using namespace program;

struct ScaleOptions {
  double beta = 5.96;
  int configurations = 120;
  int warmup = 500;
  int separation = 15;
  int relax = 4;
  double epsilon = 0.05;
  int steps = 64;
  int interval = 2;
  int bins = 24;
  double expected = 0, expected_error = 0;
  std::string json;
};

void add_scale_options(CommandLine &line, ScaleOptions &o)
{
  line.add("--heatbath-beta", o.beta, "Beta = 6 / g^2 of the Wilson action", not_negative);
  line.add("--configurations", o.configurations, "Measured configurations", {2});
  line.add("--heatbath-warmup-steps", o.warmup, "Sweeps before them", not_negative);
  line.add("--separation", o.separation, "Sweeps from one to the next", {1});
  line.add("--heatbath-num-or-per-step", o.relax, "Over-relaxations after the heat bath of a sweep", not_negative);
  line.add("--su3-smear-epsilon", o.epsilon, "Size of a flow step", positive);
  line.add("--su3-smear-steps", o.steps, "Steps of the flow", {2});
  line.add("--su3-measurement-interval", o.interval, "Steps between two measurements", {1});
  line.add("--bins", o.bins, "Bins of configurations for the jackknife", {2});
  line.add("--expected", o.expected, "t0 / a^2 that it should be; 0: nothing is known", not_negative);
  line.add("--expected-error", o.expected_error, "and its error", not_negative);
  line.add("--json", o.json, "File to write the measurements to [none]");
}

/// A number from means over configurations, and its error: all but one bin at a time.
struct Estimate {
  double value = 0, error = 0;
};

/// Over configurations but those from `first` up to `last`.
std::vector<double> mean_without(const std::vector<std::vector<double>> &measured, std::size_t first, std::size_t last)
{
  std::vector<double> mean;
  for (std::size_t i = 0; i < measured.at(0).size(); i++) {
    double sum = 0;
    for (std::size_t c = 0; c < measured.size(); c++)
      if (c < first || c >= last) sum += measured[c][i];
    mean.push_back(sum / static_cast<double>(measured.size() - (last - first)));
  }
  return mean;
}

template <class Function>
Estimate jackknife(const std::vector<std::vector<double>> &measured, int most_bins, Function &&function)
{
  const std::size_t n = measured.size(), bins = std::min<std::size_t>(most_bins, n);
  Estimate result {function(mean_without(measured, 0, 0)), 0};
  for (std::size_t b = 0; b < bins; b++) {
    const double one = function(mean_without(measured, b * n / bins, (b + 1) * n / bins));
    result.error += (one - result.value) * (one - result.value);
  }
  result.error = std::sqrt(result.error * static_cast<double>(bins - 1) / static_cast<double>(bins));
  return result;
}

/// E at all measured flow times of the configuration that is resident.
std::vector<double> flow(const ScaleOptions &scale)
{
  QudaGaugeSmearParam param = newQudaGaugeSmearParam();
  param.smear_type = QUDA_GAUGE_SMEAR_WILSON_FLOW;
  param.n_steps = static_cast<unsigned>(scale.steps);
  param.meas_interval = static_cast<unsigned>(scale.interval);
  param.epsilon = scale.epsilon;
  std::vector<QudaGaugeObservableParam> observed(1 + scale.steps / scale.interval, newQudaGaugeObservableParam());
  for (auto &one : observed) one.compute_qcharge = QUDA_BOOLEAN_TRUE;
  performWFlowQuda(&param, observed.data());
  freeGaugeSmearedQuda();
  std::vector<double> energy;
  for (const auto &one : observed) energy.push_back(one.energy[0]);
  return energy;
}

void put(nlohmann::json &into, const Estimate &one)
{
  into["value"] = one.value;
  into["error"] = one.error;
}

/// What a run has measured so far.
struct Measurements {
  const ScaleOptions &scale;
  std::array<int, 4> lattice;
  unsigned long seed;
  std::vector<double> t {}; // flow times
  std::vector<std::vector<double>> energy {};
  nlohmann::json each = nlohmann::json::array();

  FlowScales scales_of(const std::vector<double> &mean) const { return flow_scales(t, mean); }
  Estimate t0() const
  {
    return jackknife(energy, scale.bins, [this](const auto &mean) { return scales_of(mean).t0; });
  }
  Estimate w0() const
  {
    return jackknife(energy, scale.bins, [this](const auto &mean) { return scales_of(mean).w0; });
  }

  void write(double seconds) const
  {
    nlohmann::json all;
    all["lattice"] = lattice;
    all["beta"] = scale.beta;
    all["seed"] = seed;
    all["warm-up sweeps"] = scale.warmup;
    all["sweeps between configurations"] = scale.separation;
    all["over-relaxations a sweep"] = scale.relax;
    all["flow step"] = scale.epsilon;
    all["bins"] = scale.bins;
    all["seconds"] = std::round(seconds);
    put(all["t0"], t0());
    put(all["w0"], w0());
    for (std::size_t i = 0; i < t.size(); i++) {
      nlohmann::json &point = all["t2E"][i];
      point["t"] = t[i];
      put(point, jackknife(energy, scale.bins, [&](const auto &mean) { return t[i] * t[i] * mean[i]; }));
    }
    all["configurations"] = each;
    std::ofstream(scale.json) << all.dump(1) << "\n";
  }
};

int measure(const Process &process, Options &options, const ScaleOptions &scale)
{
  options.verbosity = QUDA_SILENT;
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  start_library(options);
  gauge.load();
  QudaHeatbathParam heatbath = newQudaHeatbathParam();
  heatbath.beta = scale.beta;
  heatbath.n_overrelax = scale.relax;
  heatbath.seed = options.seed;
  heatbath.start = QUDA_HEATBATH_START_HOT;
  heatbath.n_sweeps = scale.warmup;
  say(process, "flow_scale_test: %d x %d x %d x %d sites, beta %g, seed %lu, %d configurations %d sweeps apart\n", X[0],
      X[1], X[2], X[3], scale.beta, options.seed, scale.configurations, scale.separation);
  const auto begin = std::chrono::steady_clock::now();
  heatbathQuda(&heatbath);
  heatbath.start = QUDA_HEATBATH_START_RESIDENT;
  heatbath.first_sweep = static_cast<unsigned>(scale.warmup);
  heatbath.n_sweeps = scale.separation;

  Measurements run {scale, X, options.seed};
  for (int i = 0; i <= scale.steps / scale.interval; i++) run.t.push_back(i * scale.interval * scale.epsilon);
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  for (int c = 0; c < scale.configurations; c++) {
    heatbathQuda(&heatbath);
    heatbath.first_sweep += static_cast<unsigned>(scale.separation);
    double plaquette[3];
    plaqQuda(plaquette);
    run.energy.push_back(flow(scale));
    const FlowScales here = run.scales_of(run.energy.back());
    nlohmann::json &one = run.each[static_cast<std::size_t>(c)];
    one["plaquette"] = plaquette[0];
    one["t0"] = here.t0;
    one["w0"] = here.w0;
    if (c > 0 && !scale.json.empty() && process.rank() == 0) run.write(seconds()); // a run may end early
    say(process, "%4d  plaquette %.10f  t0 %.4f  w0 %.4f  after %.0f s\n", c, plaquette[0], here.t0, here.w0,
        seconds());
  }
  freeGaugeQuda();
  endQuda();

  const Estimate t0 = run.t0(), w0 = run.w0();
  say(process, "t0 / a^2 = %.4f +- %.4f, w0 / a = %.4f +- %.4f, from %d configurations in %.0f s\n", t0.value, t0.error,
      w0.value, w0.error, scale.configurations, seconds());
  if (scale.expected == 0) return 0;
  const double distance = std::abs(t0.value - scale.expected), error = std::hypot(t0.error, scale.expected_error);
  const bool good = distance <= 2 * error && t0.error < 0.01 * t0.value;
  say(process, "%s: %.2f errors from %g(%g), own error %.2f %%, allowed 2 and 1 %%\n", good ? "PASSED" : "FAILED",
      distance / error, scale.expected, scale.expected_error, 100 * t0.error / t0.value);
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Scales of the gradient flow in pure gauge theory");
    Options options;
    ScaleOptions scale;
    options.dim = {12, 12, 12, 12};
    add_common_options(line, options);
    add_scale_options(line, scale);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? measure(process, options, scale) : code;
  });
}
