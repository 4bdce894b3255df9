// Hybrid Monte Carlo with quarks on the functions of the C interface that an application's own would call: an example
// for those who write one, and a proof that the pieces fit together.
//   two flavours of Wilson or clover quarks, twisted ones, too, even-odd, their determinant split by twists
//   (Hasenbusch); a flavour by a rational function; both, too; on stout-smeared links, if asked for; or HISQ quarks by rational functions; or Moebius
//   quarks, two flavours over Pauli-Villars fields and one by the exact one-flavour action; several time scales
// Checks <exp(-dH)> = 1, the way back from the end of a trajectory, that new pseudofermions have the energy that they
// were drawn with; on request that dH falls with the step as the integrators' order says. A run that is killed goes on
// from its last checkpoint, on any process grid, as if it had not been.

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "programs/common/domain_wall_quarks.h"
#include "programs/common/hisq_quarks.h"
#include "programs/common/hybrid.h"
#include "programs/common/quark_dynamics.h"

namespace
{

using namespace program;

struct HmcOptions {
  GaugeAction action;
  HybridWish hybrid;
  CheckpointWish checkpoint;
  QuarkWish quarks;
  HisqWish of_hisq;
  bool hisq = false;
  DomainWallWish of_domain_wall;
  bool domain_wall = false;
  StoutWish stout;
  std::string integrator = "omelyan2", middle_integrator = "omelyan2", gauge_integrator = "omelyan2";
  int middle_steps = 0, gauge_steps = 2;
  bool two_flavours = true, one_flavour = false;
  std::vector<double> twists;
  QudaDslashType type = QUDA_INVALID_DSLASH; // of two flavours; invalid: Wilson's or clover
  double one_kappa = 0;                      // 0: as the others'
  double rational_low = 1e-2, rational_high = 4, rational_error = 1e-9;
  int guesses = 0;
  int heatbath_warmup = 20;
  bool order = false;
  double plaquette = 0, plaquette_error = 0;
  std::string json;
};

const Names<QudaDslashType> dslash_types = {{"wilson", QUDA_WILSON_DSLASH},
                                            {"clover", QUDA_CLOVER_WILSON_DSLASH},
                                            {"twisted-mass", QUDA_TWISTED_MASS_DSLASH},
                                            {"twisted-clover", QUDA_TWISTED_CLOVER_DSLASH}};

std::vector<double> numbers_of(const std::string &option, const std::string &words)
{
  std::vector<double> numbers;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, end - at);
    char *rest = nullptr;
    const double number = std::strtod(word.c_str(), &rest);
    if (word.empty() || *rest != 0 || !(number > 0))
      throw UsageError(option + " " + words + ": positive numbers with commas between them, please");
    numbers.push_back(number);
    at = end + 1;
  }
  if (!std::is_sorted(numbers.begin(), numbers.end())) throw UsageError(option + " " + words + ": must rise");
  return numbers;
}

void add_hmc_options(CommandLine &line, HmcOptions &o, std::string &twists)
{
  Names<std::string> of_quarks; // no gradient of theirs is at hand
  for (const auto &[name, unused] : integrator_names())
    if (name != "force-gradient") of_quarks[name] = name;
  add_action_options(line, "--beta", o.action);
  add_hybrid_options(line, o.hybrid);
  add_checkpoint_options(line, o.checkpoint);
  line.add("--two-flavours", o.two_flavours, "Two flavours (true or false)");
  line.add("--one-flavour", o.one_flavour, "One flavour more, or alone, by a rational function (true or false)");
  line.add("--kappa", o.quarks.kappa, "Hopping parameter", positive);
  line.add("--one-kappa", o.one_kappa, "That of the one flavour; 0: --kappa", not_negative);
  line.add("--clover-csw", o.quarks.csw, "Sheikholeslami-Wohlert coefficient; 0: Wilson quarks", not_negative);
  line.add_choice("--dslash-type", o.type, dslash_types, "Dirac operator of two flavours [as --clover-csw says]");
  line.add("--mu", o.quarks.mu, "Twisted mass, in units of 1 / (2 kappa)");
  line.add("--hasenbusch-mu", twists,
           "Twists that split the determinant of two flavours, as MU,MU,.. rising; beyond 2 kappa --mu [none]");
  line.add("--rational-low", o.rational_low, "Lower end of the spectrum of Q^2 for one flavour", positive);
  line.add("--rational-high", o.rational_high, "Upper end of it", positive);
  line.add("--rational-error", o.rational_error, "Error of the rational function between them", positive);
  line.add("--hisq", o.hisq, "HISQ quarks in place of all others (true or false)");
  line.add("--mass", o.of_hisq.mass, "Their mass", positive);
  line.add("--flavours", o.of_hisq.flavours, "Their number", {0, 3.99, true});
  line.add("--hisq-high", o.of_hisq.high, "Upper end of the spectrum of the square of their hop", positive);
  line.add("--domain-wall", o.domain_wall,
           "Moebius quarks in place of all others: those of --two-flavours and of --one-flavour (true or false)");
  line.add("--dwf-mass", o.of_domain_wall.mass, "Mass of two flavours", positive);
  line.add("--dwf-one-mass", o.of_domain_wall.one_mass, "Mass of one flavour, below 1", {0, 0.9999, true});
  line.add("--Lsdim", o.of_domain_wall.Ls, "Slices of their fifth dimension", {1, 32});
  line.add("--m5", o.of_domain_wall.m5, "Their height with its sign");
  line.add("--b5", o.of_domain_wall.b, "Moebius coefficient b");
  line.add("--c5", o.of_domain_wall.c, "Moebius coefficient c; b - 1 with one flavour");
  line.add("--dwf-low", o.of_domain_wall.low, "Lower end of the spectrum of the one flavour's action", positive);
  line.add("--dwf-high", o.of_domain_wall.high, "Upper end of it", positive);
  line.add("--stout-steps", o.stout.steps, "Steps of stout smearing of the links that quarks live on; 0: none",
           not_negative);
  line.add("--stout-rho", o.stout.rho, "Weight of the staples in it");
  line.add("--tol", o.quarks.tol, "Wanted |residual| / |source| of solves", positive);
  line.add("--chronology", o.guesses, "Earlier solutions that guesses are made from; 0: none", {0, 12});
  line.add_choice("--integrator", o.integrator, of_quarks, "Integrator of the outermost level");
  line.add("--middle-steps", o.middle_steps,
           "Steps of the heaviest quarks to one of the outermost level; 0: they are part of that", not_negative);
  line.add_choice("--middle-integrator", o.middle_integrator, of_quarks, "Their integrator");
  line.add("--gauge-steps", o.gauge_steps, "Steps of the gauge action to one of the level above", {1});
  line.add_choice("--gauge-integrator", o.gauge_integrator, integrator_names(), "Its integrator");
  line.add("--heatbath-warmup-steps", o.heatbath_warmup, "Sweeps of the pure gauge heat bath before all", not_negative);
  line.add("--check-order", o.order, "Measure how dH falls with the step (true or false)");
  line.add("--expected-plaquette", o.plaquette, "The plaquette that is expected; 0: none", not_negative);
  line.add("--expected-error", o.plaquette_error, "Its error", not_negative);
  line.add("--json", o.json, "File that the history is written to [none]");
}

nlohmann::json run_of(const Options &options, const HmcOptions &hmc)
{
  return {{"lattice",
           {options.dim[0] * options.grid[0], options.dim[1] * options.grid[1], options.dim[2] * options.grid[2],
            options.dim[3] * options.grid[3]}},
          {"boundary", options.t_boundary == QUDA_ANTI_PERIODIC_T ? "antiperiodic" : "periodic"},
          {"beta", hmc.action.beta},
          {"rectangles", hmc.action.rectangle},
          {"anisotropy", hmc.action.anisotropy},
          {"two flavours", hmc.two_flavours},
          {"one flavour", hmc.one_flavour},
          {"kappa", {hmc.quarks.kappa, hmc.one_kappa}},
          {"csw", hmc.quarks.csw},
          {"twisted mass", hmc.quarks.twisted ? nlohmann::json(hmc.quarks.mu) : nullptr},
          {"twists", hmc.twists},
          {"rational", {hmc.rational_low, hmc.rational_high, hmc.rational_error}},
          {"hisq", hmc.hisq ? nlohmann::json {hmc.of_hisq.mass, hmc.of_hisq.flavours, hmc.of_hisq.high} : nullptr},
          {"domain wall", hmc.domain_wall
                              ? nlohmann::json {hmc.of_domain_wall.mass, hmc.of_domain_wall.one_mass,
                                                hmc.of_domain_wall.Ls, hmc.of_domain_wall.m5, hmc.of_domain_wall.b,
                                                hmc.of_domain_wall.c, hmc.of_domain_wall.low, hmc.of_domain_wall.high}
                              : nullptr},
          {"stout", {hmc.stout.steps, hmc.stout.rho}},
          {"tol", hmc.quarks.tol},
          {"chronology", hmc.guesses},
          {"integrators", {hmc.integrator, hmc.middle_integrator, hmc.gauge_integrator}},
          {"steps", {hmc.hybrid.steps, hmc.middle_steps, hmc.gauge_steps}},
          {"length", hmc.hybrid.length},
          {"seed", options.seed},
          {"warm-up", {hmc.heatbath_warmup, hmc.hybrid.warmup}}};
}

std::vector<QuarkLevel> levels_of(const HmcOptions &hmc, EvenOddQuarks &two, EvenOddQuarks &one,
                                  std::vector<std::unique_ptr<QuarkAction>> others)
{
  QuarkLevel outer, middle;
  outer.integrator = integrators().at(hmc.integrator);
  middle.integrator = integrators().at(hmc.middle_integrator);
  middle.steps = hmc.middle_steps;
  QuarkLevel &heavy = hmc.middle_steps > 0 ? middle : outer;
  for (auto &action : others) outer.actions.push_back(std::move(action));
  const bool wilson = outer.actions.empty();
  if (wilson && hmc.two_flavours) {
    std::vector<double> mu = {0};
    mu.insert(mu.end(), hmc.twists.begin(), hmc.twists.end());
    const bool split = mu.size() > 1;
    for (std::size_t i = 0; i < mu.size(); i++) {
      const bool last = i + 1 == mu.size();
      (last && split ? heavy : outer)
          .actions.push_back((hmc.quarks.twisted ? twisted_action : hasenbusch_action)(
              two, mu[i], last ? 0 : mu[i + 1], static_cast<int>(i), hmc.guesses));
    }
  }
  if (wilson && hmc.one_flavour)
    heavy.actions.push_back(rational_action(
        one, reference::best_power_within(-0.5, hmc.rational_low, hmc.rational_high, hmc.rational_error)));
  std::vector<QuarkLevel> levels;
  for (QuarkLevel *level : {&outer, &middle})
    if (!level->actions.empty()) levels.push_back(std::move(*level));
  return levels;
}

void write_json(const HmcOptions &hmc, const nlohmann::json &run, const History &history)
{
  const std::size_t bins = 20;
  const Mean plaquette = mean_of(history.plaquette, bins);
  const nlohmann::json all = {{"title", "hybrid Monte Carlo"},
                              {"run", run},
                              {"trajectories", history.records},
                              {"accepted", history.accepted},
                              {"plaquette", {{"mean", plaquette.value}, {"error", plaquette.error}}}};
  std::ofstream(hmc.json) << all.dump(1) << "\n";
}

bool check_plaquette(const Process &process, const HmcOptions &hmc, const History &history)
{
  const Mean mean = mean_of(history.plaquette, 20);
  const double distance = std::abs(mean.value - hmc.plaquette) / std::hypot(mean.error, hmc.plaquette_error);
  const bool good = distance <= hmc.hybrid.errors;
  say(process, "%s: plaquette %.6f +- %.6f, expected %.6f +- %.6f, %.2f errors apart, allowed %g\n",
      good ? "PASSED" : "FAILED", mean.value, mean.error, hmc.plaquette, hmc.plaquette_error, distance,
      hmc.hybrid.errors);
  return good;
}

/// --dslash-type, beside the other options that say what quarks are.
void choose_quarks(HmcOptions &hmc)
{
  if (hmc.type == QUDA_INVALID_DSLASH) return;
  hmc.quarks.twisted = hmc.type == QUDA_TWISTED_MASS_DSLASH || hmc.type == QUDA_TWISTED_CLOVER_DSLASH;
  const bool clover = hmc.type == QUDA_CLOVER_WILSON_DSLASH || hmc.type == QUDA_TWISTED_CLOVER_DSLASH;
  if (hmc.hisq || hmc.domain_wall) throw UsageError("--dslash-type: not with --hisq true or --domain-wall true");
  if (clover != (hmc.quarks.csw != 0))
    throw UsageError(clover ? "--dslash-type: of quarks with a clover term, and --clover-csw is 0"
                            : "--dslash-type: of quarks without a clover term, and --clover-csw is not 0");
  if (hmc.quarks.twisted && hmc.one_flavour)
    throw UsageError("--one-flavour true: not beside twisted quarks, which are two flavours");
}

int run(const Process &process, Options &options, HmcOptions &hmc)
{
  check_dynamics_options(options);
  choose_quarks(hmc);
  if (hmc.quarks.mu != 0 && !hmc.quarks.twisted)
    throw UsageError("--mu: of twisted quarks, --dslash-type twisted-mass or twisted-clover");
  if (hmc.hisq) {
    if (hmc.stout.steps > 0) throw UsageError("--stout-steps: HISQ quarks have links of their own");
    if (hmc.one_flavour || !hmc.twists.empty()) throw UsageError("--hisq true: no others beside them");
    hmc.two_flavours = false;
  }
  if (hmc.domain_wall) {
    if (hmc.hisq) throw UsageError("--domain-wall true: no HISQ quarks beside them");
    if (!hmc.twists.empty()) throw UsageError("--hasenbusch-mu: of Wilson and clover quarks");
    if (hmc.one_flavour &&
        (hmc.of_domain_wall.Ls % 2 || std::abs(hmc.of_domain_wall.b - hmc.of_domain_wall.c - 1) > 1e-12))
      throw UsageError("--one-flavour true: of Moebius quarks an even --Lsdim and --b5 one more than --c5");
    if (hmc.of_domain_wall.low >= hmc.of_domain_wall.high) throw UsageError("--dwf-low: above --dwf-high");
  }
  hmc.of_domain_wall.tol = hmc.quarks.tol;
  hmc.of_domain_wall.error = hmc.rational_error;
  hmc.of_hisq.tol = hmc.quarks.tol;
  hmc.of_hisq.error = hmc.rational_error;
  if (!hmc.hisq && !hmc.two_flavours && !hmc.one_flavour)
    throw UsageError("--two-flavours false --one-flavour false: no quarks; hmc_gauge_test is for that");
  if (!hmc.two_flavours && !hmc.twists.empty()) throw UsageError("--hasenbusch-mu: of two flavours");
  if (hmc.rational_low >= hmc.rational_high) throw UsageError("--rational-low: above --rational-high");
  if (hmc.twists.size() > 11) throw UsageError("--hasenbusch-mu: more than 11");
  if (hmc.one_kappa == 0) hmc.one_kappa = hmc.quarks.kappa;
  const nlohmann::json description = run_of(options, hmc);
  History history;
  Checkpoint checkpoint(hmc.checkpoint.name, description);
  const bool goes_on = checkpoint.read(history, options);
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  start_library(options, Tuned::as_it_pays);
  gauge.load();
  say(process, "hmc_test: %d x %d x %d x %d sites, %s\n", X[0], X[1], X[2], X[3], description.dump().c_str());

  bool good = true;
  {
    GaugeDynamics links(gauge, hmc.action, integrators().at(hmc.gauge_integrator));
    QuarkWish of_one = hmc.quarks;
    of_one.kappa = hmc.one_kappa;
    EvenOddQuarks two(process, gauge, options, hmc.quarks), one(process, gauge, options, of_one);
    std::vector<std::unique_ptr<QuarkAction>> others;
    if (hmc.hisq) others.push_back(hisq_action(process, gauge, options, hmc.of_hisq));
    if (hmc.domain_wall && hmc.two_flavours)
      others.push_back(domain_wall_action(process, gauge, options, hmc.of_domain_wall));
    if (hmc.domain_wall && hmc.one_flavour)
      others.push_back(one_flavour_domain_wall_action(process, gauge, options, hmc.of_domain_wall));
    QuarkDynamics dynamics(process, links, hmc.gauge_steps, levels_of(hmc, two, one, std::move(others)), hmc.stout);
    Hybrid hybrid(process, options.seed, hmc.hybrid, dynamics);
    if (!goes_on) {
      QudaHeatbathParam param = heatbath_param(hmc.action, options.seed);
      param.n_sweeps = hmc.heatbath_warmup;
      heatbathQuda(&param);
    }
    hybrid.trajectories(history, checkpoint, gauge, hmc.checkpoint.interval);
    gauge.save(process);
    if (!hmc.json.empty() && process.rank() == 0) write_json(hmc, description, history);
    if (options.verify) {
      if (history.dH.size() > 1) good = hybrid.check_mean(history);
      if (hmc.plaquette > 0) good = check_plaquette(process, hmc, history) && good;
      good = hybrid.check_projection() && good;
      good = hybrid.check_reversal(history.done) && good;
      const double allowed = std::max(1e3 * hmc.quarks.tol, hmc.hisq || hmc.domain_wall ? 3 * hmc.rational_error : 0);
      const bool drawn = dynamics.worst_refresh() <= allowed;
      say(process, "%s: energy of new pseudofermions, relative difference %.1e, allowed %.0e\n",
          drawn ? "PASSED" : "FAILED", dynamics.worst_refresh(), allowed);
      good = drawn && good;
      if (hmc.order) good = hybrid.check_order(history.done) && good;
    }
  }
  freeCloverQuda();
  freeGaugeQuda();
  endQuda();
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Hybrid Monte Carlo with Wilson, clover, twisted, HISQ or Moebius quarks");
    Options options;
    options.t_boundary = QUDA_ANTI_PERIODIC_T;
    HmcOptions hmc;
    hmc.hybrid.reversal = 1e-11;
    hmc.hybrid.finer = {1, 1.5, 2, 3};
    hmc.hybrid.samples = 3;
    std::string twists;
    add_common_options(line, options);
    add_save_options(line, options);
    add_hmc_options(line, hmc, twists);
    int code = 0;
    if (!line.parse(argc, argv, process.rank(), code)) return code;
    hmc.twists = numbers_of("--hasenbusch-mu", twists);
    return run(process, options, hmc);
  });
}
