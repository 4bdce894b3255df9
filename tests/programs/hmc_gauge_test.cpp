// Hybrid Monte Carlo of pure gauge theory on the functions of the C interface that an application's own would call.
// Checks what must be true of any run: <exp(-dH)> = 1, the way back from the end of a trajectory; on request that dH
// falls with the step as the integrator's order says, and that the heat bath has the same plaquette. A run that is
// killed goes on from its last checkpoint, on any process grid, as if it had not been.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>

#include <nlohmann/json.hpp>
#include <quda_ext.h>

#include "programs/common/gauge_dynamics.h"
#include "programs/common/integrator.h"
#include "reference/random/philox.h"

namespace
{

using namespace program;

struct HmcOptions {
  GaugeAction action;
  std::string integrator = "omelyan2";
  double length = 1;
  int steps = 10;
  int trajectories = 10;
  int warmup = 0;
  int heatbath_warmup = 50;
  int heatbath = 0;
  double errors = 4;
  bool order = false;
  std::string checkpoint;
  int interval = 1;
};

void add_hmc_options(CommandLine &line, HmcOptions &o)
{
  Names<std::string> names;
  for (const auto &[name, unused] : integrators()) names[name] = name;
  add_action_options(line, "--beta", o.action);
  line.add_choice("--integrator", o.integrator, names, "Integrator of molecular dynamics");
  line.add("--trajectory-length", o.length, "Length of a trajectory", positive);
  line.add("--trajectory-steps", o.steps, "Steps of a trajectory", {1});
  line.add("--trajectories", o.trajectories, "Measured trajectories", not_negative);
  line.add("--warmup-trajectories", o.warmup, "Trajectories before them, accepted without a test", not_negative);
  line.add("--heatbath-warmup-steps", o.heatbath_warmup, "Sweeps of the heat bath before all", not_negative);
  line.add("--heatbath-num-steps", o.heatbath, "Sweeps of the heat bath after all, for its plaquette; 0: none",
           not_negative);
  line.add("--errors", o.errors, "Statistical errors that means may lie apart", positive);
  line.add("--check-order", o.order, "Measure how dH falls with the step (true or false)");
  line.add("--checkpoint", o.checkpoint,
           "Where the run is saved, FILE.json and links beside it, and goes on from [nowhere]");
  line.add("--save-interval", o.interval, "Trajectories from one checkpoint to the next", {1});
}

/// Mean and error of a series; bins: of so many long stretches, since their members know each other.
struct Mean {
  double value = 0, error = 0;
};
Mean mean_of(const std::vector<double> &series, std::size_t bins)
{
  bins = std::min(bins, series.size());
  const std::size_t length = bins ? series.size() / bins : 0, first = series.size() - bins * length;
  Mean mean;
  double square = 0;
  for (std::size_t b = 0; b < bins; b++) {
    double bin = 0;
    for (std::size_t i = 0; i < length; i++) bin += series[first + b * length + i] / static_cast<double>(length);
    mean.value += bin / static_cast<double>(bins);
    square += bin * bin / static_cast<double>(bins);
  }
  if (bins > 1) mean.error = std::sqrt(std::max(0.0, square - mean.value * mean.value) / static_cast<double>(bins - 1));
  return mean;
}

/// What a run has done so far: what its checkpoint holds beside the links.
struct History {
  int done = 0; // trajectories
  int accepted = 0;
  std::vector<double> dH, plaquette; // of the measured ones
};

class Checkpoint
{
public:
  Checkpoint(const Options &options, const HmcOptions &hmc)
      : file_(hmc.checkpoint.empty() ? "" : hmc.checkpoint + ".json")
      , prefix_(hmc.checkpoint)
  {
    run_["lattice"] = {options.dim[0] * options.grid[0], options.dim[1] * options.grid[1],
                       options.dim[2] * options.grid[2], options.dim[3] * options.grid[3]};
    run_["beta"] = hmc.action.beta;
    run_["rectangles"] = hmc.action.rectangle;
    run_["anisotropy"] = hmc.action.anisotropy;
    run_["integrator"] = hmc.integrator;
    run_["length"] = hmc.length;
    run_["steps"] = hmc.steps;
    run_["seed"] = options.seed;
    run_["warm-up"] = {hmc.heatbath_warmup, hmc.warmup};
  }

  /// Reads what there is and puts the links' file into the options; false: nothing was saved.
  bool read(History &history, Options &options)
  {
    if (file_.empty()) return false;
    std::ifstream in(file_);
    if (!in) return false;
    const nlohmann::json saved = nlohmann::json::parse(in);
    if (saved.at("run") != run_)
      throw UsageError(file_ + ": of another run, " + saved.at("run").dump() + ", this one is " + run_.dump());
    history.done = saved.at("trajectories");
    history.accepted = saved.at("accepted");
    history.dH = saved.at("dH").get<std::vector<double>>();
    history.plaquette = saved.at("plaquette").get<std::vector<double>>();
    options.load_gauge = saved.at("links");
    links_ = options.load_gauge;
    return true;
  }

  /// The links first, under a name of their own, then the file that names them; whenever the run is killed one of the
  /// two checkpoints is whole.
  void write(const Process &process, const HostGauge &gauge, const History &history)
  {
    if (file_.empty()) return;
    const std::string links = prefix_ + "." + std::to_string(history.done) + ".ildg", before = links_;
    gauge.write(process, links);
    links_ = links;
    if (process.rank() == 0) {
      const nlohmann::json all = {{"run", run_},      {"trajectories", history.done},   {"accepted", history.accepted},
                                  {"dH", history.dH}, {"plaquette", history.plaquette}, {"links", links}};
      std::ofstream(file_ + ".part") << all.dump(1) << "\n";
      if (std::rename((file_ + ".part").c_str(), file_.c_str()) == 0 && !before.empty() && before != links)
        std::remove(before.c_str());
    }
    process.barrier();
  }

private:
  const std::string file_, prefix_;
  std::string links_; // of the last checkpoint
  nlohmann::json run_;
};

class Run
{
public:
  Run(const Process &process, const Options &options, const HmcOptions &hmc, const HostGauge &gauge)
      : process_(process)
      , seed_(options.seed)
      , hmc_(hmc)
      , gauge_(gauge)
      , dynamics_(gauge, hmc.action)
      , integrator_(integrators().at(hmc.integrator))
  {
  }

  void trajectory(History &history)
  {
    const bool measured = history.done >= hmc_.warmup;
    const auto before = dynamics_.links();
    dynamics_.draw_momenta(seed_of(history.done));
    const double H = dynamics_.energy();
    integrate(dynamics_, integrator_, hmc_.length, hmc_.steps);
    const double dH = dynamics_.energy() - H;
    const bool accepted = !measured || uniform(history.done) < std::exp(-dH);
    if (accepted)
      dynamics_.project_links();
    else
      dynamics_.set_links(before);
    history.accepted += accepted;
    history.done++;
    const double plaquette = dynamics_.plaquette();
    if (measured) {
      history.dH.push_back(dH);
      history.plaquette.push_back(plaquette);
    }
    say(process_, "%6d  dH %+.16e  plaquette %.16f%s%s\n", history.done, dH, plaquette, accepted ? "" : "  rejected",
        measured ? "" : "  warm-up");
  }

  bool check_mean(const History &history) const
  {
    std::vector<double> weight;
    for (const double dH : history.dH) weight.push_back(std::exp(-dH));
    const Mean mean = mean_of(weight, weight.size());
    const bool good = std::abs(mean.value - 1) <= hmc_.errors * mean.error;
    say(process_, "%s: <exp(-dH)> = %.6f +- %.6f, %.2f errors from 1, allowed %g\n", good ? "PASSED" : "FAILED",
        mean.value, mean.error, std::abs(mean.value - 1) / mean.error, hmc_.errors);
    return good;
  }

  /// A trajectory and the same back.
  bool check_reversal(int number)
  {
    const auto links = dynamics_.links();
    dynamics_.draw_momenta(seed_of(number));
    const auto momenta = dynamics_.momenta();
    const double H = dynamics_.energy();
    integrate(dynamics_, integrator_, hmc_.length, hmc_.steps);
    const double there = dynamics_.energy() - H, way = distance(dynamics_.links(), links);
    integrate(dynamics_, integrator_, -hmc_.length, hmc_.steps);
    const double of_links = distance(dynamics_.links(), links), of_momenta = distance(dynamics_.momenta(), momenta);
    const double of_energy = std::abs(dynamics_.energy() - H) / H;
    dynamics_.set_links(links);
    const double worst = std::max({of_links, of_momenta, of_energy});
    const bool good = worst <= 1e-12 && way > 0.1;
    say(process_, "%s: there (dH %.2e, links move by %.2f) and back: links %.1e, momenta %.1e, H %.1e, allowed 1e-12\n",
        good ? "PASSED" : "FAILED", there, way, of_links, of_momenta, of_energy);
    return good;
  }

  /// The slope of log dH against log of the step, dH the root of its mean square over several momenta.
  bool check_order(int number)
  {
    constexpr int samples = 6;
    const auto links = dynamics_.links();
    std::vector<double> x, y;
    for (const double finer : {2.0, 2.5, 3.0, 4.0, 5.0}) {
      const int steps = static_cast<int>(std::lround(finer * hmc_.steps));
      double square = 0;
      for (int k = 0; k < samples; k++) {
        dynamics_.set_links(links);
        dynamics_.draw_momenta(seed_of(number + k));
        const double H = dynamics_.energy();
        integrate(dynamics_, integrator_, hmc_.length, steps);
        const double dH = dynamics_.energy() - H;
        square += dH * dH / samples;
      }
      x.push_back(std::log(hmc_.length / steps));
      y.push_back(0.5 * std::log(square));
      say(process_, "step %.5f: dH %.3e\n", hmc_.length / steps, std::sqrt(square));
    }
    dynamics_.set_links(links);
    double xm = 0, ym = 0, xy = 0, xx = 0;
    for (std::size_t i = 0; i < x.size(); i++) {
      xm += x[i] / static_cast<double>(x.size());
      ym += y[i] / static_cast<double>(x.size());
    }
    for (std::size_t i = 0; i < x.size(); i++) {
      xy += (x[i] - xm) * (y[i] - ym);
      xx += (x[i] - xm) * (x[i] - xm);
    }
    const double slope = xy / xx, allowed = integrator_.order == 2 ? 0.1 : 0.2;
    const bool good = std::abs(slope - integrator_.order) <= allowed;
    say(process_, "%s: dH falls with the step to the power %.3f, expected %d +- %g\n", good ? "PASSED" : "FAILED",
        slope, integrator_.order, allowed);
    return good;
  }

  /// The plaquette of the heat bath from the links as they are.
  bool check_heatbath(const History &history, unsigned first)
  {
    QudaHeatbathParam param = heatbath_param();
    param.first_sweep = first;
    param.n_sweeps = 1;
    std::vector<double> plaquettes;
    for (int i = 0; i < hmc_.heatbath; i++, param.first_sweep++) {
      heatbathQuda(&param);
      plaquettes.push_back(dynamics_.plaquette());
    }
    constexpr std::size_t bins = 20;
    const Mean ours = mean_of(history.plaquette, bins), theirs = mean_of(plaquettes, bins);
    const double distance = std::abs(ours.value - theirs.value) / std::hypot(ours.error, theirs.error);
    const bool good = distance <= hmc_.errors;
    say(process_, "%s: plaquette %.6f +- %.6f, by heat bath %.6f +- %.6f, %.2f errors apart, allowed %g\n",
        good ? "PASSED" : "FAILED", ours.value, ours.error, theirs.value, theirs.error, distance, hmc_.errors);
    return good;
  }

  void warm_up()
  {
    QudaHeatbathParam param = heatbath_param();
    param.n_sweeps = hmc_.heatbath_warmup;
    heatbathQuda(&param);
  }

private:
  QudaHeatbathParam heatbath_param() const
  {
    QudaHeatbathParam param = newQudaHeatbathParam();
    param.beta = hmc_.action.beta;
    param.rectangle = hmc_.action.rectangle;
    param.anisotropy = hmc_.action.anisotropy;
    param.seed = seed_;
    return param;
  }

  unsigned long long seed_of(int trajectory) const
  {
    return seed_ + (static_cast<unsigned long long>(trajectory + 1) << 32);
  }
  /// Of what no site uses: so large a draw belongs to no heat bath.
  double uniform(int trajectory) const
  {
    return reference::LinkStream {seed_of(trajectory), 0, reference::Purpose::start, 3, 255}.draw(1u << 19)[0];
  }

  double distance(const reference::QdpLinks<double> &a, const reference::QdpLinks<double> &b) const
  {
    double largest = 0;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t i = 0; i < a[mu].size(); i++) {
        const double here = std::abs(a[mu][i] - b[mu][i]);
        if (!(here <= largest)) largest = here;
      }
    return process_.max(largest);
  }

  const Process &process_;
  const unsigned long seed_;
  const HmcOptions &hmc_;
  const HostGauge &gauge_;
  GaugeDynamics dynamics_;
  const Integrator integrator_;
};

int run(const Process &process, Options &options, const HmcOptions &hmc)
{
  if (options.prec != QUDA_DOUBLE_PRECISION) throw UsageError("--prec: double alone is taken");
  if (options.anisotropy != 1)
    throw UsageError("--anisotropy: links are special unitary; that of the action is --action-anisotropy");
  for (int &extent : options.dim)
    if (extent == 0 && options.load_gauge.empty()) extent = 8;
  History history;
  Checkpoint checkpoint(options, hmc);
  const bool goes_on = checkpoint.read(history, options);
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  start_library(options);
  gauge.load();
  say(process,
      "hmc_gauge_test: %d x %d x %d x %d sites, beta %g, c_1 = %g, anisotropy %g, %s, %d steps of %g, seed %lu, from "
      "%s\n",
      X[0], X[1], X[2], X[3], hmc.action.beta, hmc.action.rectangle, hmc.action.anisotropy, hmc.integrator.c_str(),
      hmc.steps, hmc.length / hmc.steps, options.seed, gauge.source());

  bool good = true;
  {
    Run hybrid(process, options, hmc, gauge);
    if (!goes_on) hybrid.warm_up();
    const int all = hmc.warmup + hmc.trajectories, from = history.done;
    const auto begin = std::chrono::steady_clock::now();
    while (history.done < all) {
      hybrid.trajectory(history);
      if (history.done % hmc.interval == 0 || history.done == all) checkpoint.write(process, gauge, history);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (all > from)
      say(process, "time of a trajectory: %.3g s; %d of %d accepted\n", elapsed.count() / (all - from),
          history.accepted, all);
    gauge.save(process);
    if (options.verify) {
      if (history.dH.size() > 1) good = hybrid.check_mean(history);
      good = hybrid.check_reversal(all) && good;
      if (hmc.order) good = hybrid.check_order(all) && good;
      if (hmc.heatbath > 0) good = hybrid.check_heatbath(history, static_cast<unsigned>(hmc.heatbath_warmup)) && good;
    }
  }
  freeGaugeQuda();
  endQuda();
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Hybrid Monte Carlo of pure gauge theory");
    Options options;
    HmcOptions hmc;
    add_common_options(line, options);
    add_save_options(line, options);
    add_hmc_options(line, hmc);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? run(process, options, hmc) : code;
  });
}
