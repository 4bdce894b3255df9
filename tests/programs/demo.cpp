// A tour of the library on one gauge configuration, read from a file or made by heat bath: plaquette, stout smearing,
// the propagator of a Wilson quark with the pion's correlator and effective mass, the gauge force against the
// derivative of the action, contractions of fields made with the Wilson matrix. Everything that is measured goes to a
// JSON file as well.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include <nlohmann/json.hpp>
#include <quda_ext.h>

#include "programs/common/host_gauge.h"
#include "programs/common/pion.h"
#include "programs/common/quarks.h"
#include "reference/force/loops.h"
#include "reference/force/momentum.h"

namespace
{

using namespace program;
using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

struct DemoOptions {
  double beta = 6;
  int warmup = 200;
  int steps = 200;
  unsigned smear_steps = 40;
  double rho = 0.1;
  double kappa = 0.155;
  std::string json;
};

void add_demo_options(CommandLine &line, DemoOptions &o)
{
  line.add("--heatbath-beta", o.beta, "Beta = 6 / g^2 of the Wilson action", positive);
  line.add("--heatbath-warmup-steps", o.warmup, "Sweeps before the measured ones", not_negative);
  line.add("--heatbath-num-steps", o.steps, "Measured sweeps, each a heat bath and four over-relaxations", positive);
  line.add("--su3-smear-steps", o.smear_steps, "Steps of stout smearing", {1, 100000});
  line.add("--su3-stout-rho", o.rho, "Weight of the staples");
  line.add("--kappa", o.kappa, "Hopping parameter of the propagator's Wilson quark", positive);
  line.add("--json", o.json, "File for the results");
}

// A check that the demo makes of its own results.
bool report(const Process &process, Json &json, const char *what, double found, double allowed)
{
  const bool good = found <= allowed;
  say(process, "  %s: %s %.1e, allowed %.0e\n", good ? "PASSED" : "FAILED", what, found, allowed);
  json["deviation"] = found;
  json["passed"] = good;
  return good;
}

class Clock
{
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Mean {
  double value, error;
};

// Mean and its error from the scatter of 10 bins.
Mean mean_of(const std::vector<double> &all)
{
  const std::size_t bins = std::min<std::size_t>(10, all.size()), length = all.size() / bins;
  std::vector<double> bin(bins, 0);
  Mean mean {0, 0};
  for (std::size_t b = 0; b < bins; b++) {
    for (std::size_t i = 0; i < length; i++) bin[b] += all[b * length + i] / static_cast<double>(length);
    mean.value += bin[b] / static_cast<double>(bins);
  }
  for (const double b : bin) mean.error += (b - mean.value) * (b - mean.value);
  if (bins > 1) mean.error = std::sqrt(mean.error / static_cast<double>(bins * (bins - 1)));
  return mean;
}

// Four arrays of a process, `reals` numbers a link.
struct LinkArrays {
  LinkArrays(std::size_t volume, std::size_t reals)
  {
    for (int mu = 0; mu < 4; mu++) {
      numbers[mu].assign(volume * reals, 0);
      pointers[mu] = numbers[mu].data();
    }
  }
  LinkArrays(LinkArrays &&) = default; // vectors that move keep their numbers where they are
  std::vector<double> numbers[4];
  void *pointers[4];
};

class Demo
{
public:
  Demo(const Process &process, Options &options, const DemoOptions &demo)
      : process_(process)
      , options_(options)
      , demo_(demo)
      , gauge_(process, options)
      , volume_(gauge_.part().local.volume())
      , links_(volume_, 18)
  {
    const auto &X = gauge_.global().X;
    json_["lattice"] = X;
    json_["processes"] = options.grid;
    json_["precision"] = name(options.prec);
    json_["reconstruct"] = static_cast<int>(options.recon);
    say(process_, "Lattice %d x %d x %d x %d on %d processes, %s precision, reconstruct %d\n", X[0], X[1], X[2], X[3],
        process.size(), name(options.prec), static_cast<int>(options.recon));
  }

  int run()
  {
    timed("start", [&] {
      start_library(options_, Tuned::as_it_pays);
      gauge_.load();
    });
    bool good = true;
    timed("configuration", [&] { make_configuration(); });
    timed("smearing", [&] { smear(); });
    timed("propagator", [&] { good = propagator() && good; });
    timed("force", [&] { good = check_force() && good; });
    timed("contraction", [&] { good = contract() && good; });
    if (!options_.save_gauge.empty()) timed("writing", [&] { save(); });
    freeGaugeQuda();
    endQuda();
    show_times();
    show_kernels();
    json_["passed"] = good;
    write_json();
    return good ? 0 : 1;
  }

private:
  template <class Body> void timed(const char *phase, const Body &body)
  {
    process_.barrier();
    const Clock clock;
    body();
    process_.barrier();
    json_["seconds"][phase] = clock.seconds();
  }

  double global_volume() const { return static_cast<double>(gauge_.global().volume()); }

  void make_configuration()
  {
    const bool made = options_.load_gauge.empty();
    Json &out = json_["plaquette"];
    double plaq[3];
    if (made) {
      std::ostringstream links;
      links << "heat bath, Wilson action, beta " << demo_.beta;
      json_["links"] = links.str();
      heat_bath(out);
    } else {
      json_["links"] = gauge_.source();
      say(process_, "\nConfiguration: %s\n", gauge_.source());
    }
    plaqQuda(plaq);
    out["configuration"] = {{"mean", plaq[0]}, {"spatial", plaq[1]}, {"temporal", plaq[2]}};
    say(process_, "  plaquette of this configuration %.10f (spatial %.10f, temporal %.10f)\n", plaq[0], plaq[1],
        plaq[2]);
    if (!made || demo_.beta == 6.0) {
      // two independent heat-bath programs, 16 chains
      out["known"] = {{"beta", 6.0}, {"lattice", {12, 12, 12, 12}}, {"mean", 0.593683}, {"error", 0.000019}};
      say(process_, "  known, Wilson action at beta 6.0 on 12^4:  0.593683(19)  (smaller boxes: 0.59421(3) on 8^4)\n");
    }
    QudaGaugeParam param = gauge_.param();
    saveGaugeQuda(links_.pointers, &param);
  }

  void heat_bath(Json &out)
  {
    QudaHeatbathParam param = newQudaHeatbathParam();
    param.beta = demo_.beta;
    param.seed = options_.seed;
    param.n_sweeps = 0;
    param.start = QUDA_HEATBATH_START_HOT;
    heatbathQuda(&param);
    param.n_sweeps = 1;
    param.start = QUDA_HEATBATH_START_RESIDENT;
    const int all = demo_.warmup + demo_.steps, shown = std::max(1, all / 10);
    say(process_,
        "\nHeat bath: Wilson action, beta %g, random start, %d sweeps of 1 heat bath and 4 over-relaxations\n",
        demo_.beta, all);
    std::vector<double> history, measured;
    const Clock clock;
    for (int step = 0; step < all; step++, param.first_sweep++) {
      double plaq[3];
      heatbathQuda(&param);
      plaqQuda(plaq);
      history.push_back(plaq[0]);
      if (step >= demo_.warmup) measured.push_back(plaq[0]);
      if ((step + 1) % shown == 0)
        say(process_, "  sweep %4d of %d  plaquette %.6f  %5.1f s\n", step + 1, all, plaq[0], clock.seconds());
    }
    const Mean mean = mean_of(measured);
    out["beta"] = demo_.beta;
    out["warmup"] = demo_.warmup;
    out["history"] = history;
    out["mean"] = mean.value;
    out["error"] = mean.error;
    say(process_, "  mean plaquette of the last %d sweeps     %.6f +- %.6f\n", demo_.steps, mean.value, mean.error);
  }

  // Smearing with the weight rho is about a step rho of the gradient flow, whose time is counted here.
  void smear()
  {
    say(process_, "\nStout smearing: rho %g, four dimensions\n", demo_.rho);
    QudaGaugeSmearParam param = newQudaGaugeSmearParam();
    param.smear_type = QUDA_GAUGE_SMEAR_STOUT;
    param.n_steps = demo_.smear_steps;
    param.meas_interval = 1;
    param.rho = demo_.rho;
    param.dir_ignore = 4;
    std::vector<QudaGaugeObservableParam> measured(demo_.smear_steps + 1, newQudaGaugeObservableParam());
    for (QudaGaugeObservableParam &one : measured) one.compute_plaquette = one.compute_qcharge = QUDA_BOOLEAN_TRUE;
    performGaugeSmearQuda(&param, measured.data());

    say(process_, "  step  plaquette     energy E      t^2 E (t = rho step)  topological charge\n");
    for (unsigned step = 0; step <= demo_.smear_steps; step++) {
      const QudaGaugeObservableParam &o = measured[step];
      const double t = demo_.rho * step;
      json_["smearing"].push_back(
          {{"step", step}, {"t", t}, {"plaquette", o.plaquette[0]}, {"energy", o.energy[0]}, {"charge", o.qcharge}});
      if (step < 5 || step % std::max(1u, demo_.smear_steps / 10) == 0)
        say(process_, "  %4u  %.10f  %.10f  %.6f              %+.6f\n", step, o.plaquette[0], o.energy[0],
            t * t * o.energy[0], o.qcharge);
    }
    say(process_, "  (in a large box the mean of t^2 E passes 0.3 at t = 3.184 for beta 6.0, arXiv:1503.05652)\n");
  }

  // Links exp(t P) U resident, their action -beta / 3 sum Re tr of the plaquettes.
  double action_at(LinkArrays &momentum, double t)
  {
    QudaGaugeParam param = gauge_.param();
    param.make_resident_gauge = 1;
    param.return_result_gauge = 0;
    updateGaugeFieldQuda(links_.pointers, momentum.pointers, t, 0, 1, &param);
    double plaq[3];
    plaqQuda(plaq);
    return -demo_.beta * 6 * global_volume() * plaq[0];
  }

  LinkArrays thermal_momentum()
  {
    LinkArrays momentum(volume_, 10);
    QudaGaugeParam param = gauge_.param();
    param.make_resident_mom = 1;
    param.return_result_mom = 0;
    momResidentQuda(momentum.pointers, &param);
    gaussMomQuda(options_.seed + 1, 1);
    param.make_resident_mom = 0;
    param.return_result_mom = 1;
    momResidentQuda(momentum.pointers, &param);
    return momentum;
  }

  LinkArrays plaquette_force()
  {
    auto paths = reference::force_paths(reference::images(reference::plaquette_loop), 1);
    std::vector<int *> lists[4];
    int **buffer[4];
    for (int mu = 0; mu < 4; mu++) {
      for (auto &path : paths[mu]) lists[mu].push_back(path.steps.data());
      buffer[mu] = lists[mu].data();
    }
    const int n = static_cast<int>(lists[0].size());
    std::vector<int> length(n, 3);
    std::vector<double> coefficient(n, 1);
    LinkArrays force(volume_, 10);
    QudaGaugeParam param = gauge_.param();
    param.overwrite_mom = 1;
    computeGaugeForceQuda(force.pointers, links_.pointers, buffer, length.data(), coefficient.data(), n, 3,
                          demo_.beta / 3, &param);
    return force;
  }

  // sum of P . A over links; and |A|
  Mean along(const LinkArrays &p, const LinkArrays &a) const
  {
    double product = 0, squares = 0;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < volume_; slot++) {
        const reference::Link x = reference::from_ten(&p.numbers[mu][10 * slot]),
                              y = reference::from_ten(&a.numbers[mu][10 * slot]);
        product += (x.array() * y.conjugate().array()).sum().real();
        squares += y.squaredNorm();
      }
    return {process_.sum(product), std::sqrt(process_.sum(squares))};
  }

  bool check_force()
  {
    const bool is_double = options_.prec == QUDA_DOUBLE_PRECISION;
    const double h = is_double ? 1e-3 : 1e-2;
    say(process_, "\nGauge force: against the derivative of the action S along thermal momenta, steps of %g\n", h);
    LinkArrays momentum = thermal_momentum();
    const double difference = (action_at(momentum, -2 * h) - 8 * action_at(momentum, -h) + 8 * action_at(momentum, h) -
                               action_at(momentum, 2 * h)) /
                              (12 * h);
    const Mean force = along(momentum, plaquette_force());
    Json &out = json_["force"];
    out["difference"] = difference;
    out["force"] = -force.value;
    say(process_, "  dS/dt by five points  %.9f\n  - P . force           %.9f\n", difference, -force.value);
    load_back();
    return report(process_, out, "difference in units of the force's norm",
                  std::abs(difference + force.value) / force.error, is_double ? 1e-9 : 1e-3);
  }

  void load_back()
  {
    QudaGaugeParam param = gauge_.param();
    loadGaugeQuda(links_.pointers, &param);
  }

  QudaInvertParam wilson_param(double kappa) const
  {
    Options wilson = options_;
    wilson.dslash_type = QUDA_WILSON_DSLASH;
    wilson.kappa = kappa;
    wilson.verbosity = QUDA_SILENT;
    complete_operator(wilson);
    QudaInvertParam param = invert_param(wilson);
    param.solution_type = QUDA_MAT_SOLUTION;
    param.solve_type = QUDA_DIRECT_PC_SOLVE;
    return param;
  }

  std::vector<double> wilson(std::vector<double> in, double kappa) const
  {
    std::vector<double> out(in.size());
    QudaInvertParam param = wilson_param(kappa);
    MatQuda(out.data(), in.data(), &param);
    return out;
  }

  // The propagator from a point, on links with antiperiodic boundary condition in t.
  bool propagator()
  {
    const bool is_double = options_.prec == QUDA_DOUBLE_PRECISION;
    say(process_,
        "\nPropagator: Wilson quark at kappa %g (M = 1 - kappa D, antiperiodic in t) from a point, 12 columns at once "
        "by BiCGstab\n",
        demo_.kappa);
    load_antiperiodic();
    QudaInvertParam param = wilson_param(demo_.kappa);
    param.inv_type = QUDA_BICGSTAB_INVERTER;
    param.cuda_prec_sloppy = QUDA_HALF_PRECISION;
    param.tol = is_double ? 1e-10 : 1e-5;
    param.maxiter = 5000;
    param.reliable_delta = 0.1;
    const Propagator quark = point_propagator(gauge_, param);
    const double worst = *std::max_element(quark.residuals.begin(), quark.residuals.end());
    Json &out = json_["propagator"];
    out = {{"kappa", demo_.kappa},
           {"columns", quark.columns.size()},
           {"iterations", quark.iterations},
           {"seconds", quark.seconds},
           {"gflops_per_s", quark.gflops / quark.seconds},
           {"residual", worst}};
    say(process_, "  %d iterations, %.2f s, %.1f GFLOP/s, largest residual %.1e\n", quark.iterations, quark.seconds,
        quark.gflops / quark.seconds, worst);
    if (!quark.converged) say(process_, "  not converged: is kappa beyond the critical one of these links?\n");

    const std::vector<double> pion = pion_correlator(process_, gauge_, quark), mass = effective_mass(pion);
    out["pion"] = {{"correlator", pion}, {"effective_mass", mass}};
    say(process_, "     t  pion correlator   effective mass\n");
    for (std::size_t t = 0; t < pion.size(); t++)
      if (t == 0 || t > mass.size())
        say(process_, "  %4zu  %.9e\n", t, pion[t]);
      else
        say(process_, "  %4zu  %.9e  %.6f\n", t, pion[t], mass[t - 1]);

    double largest = 0;
    for (int j = 0; j < 12; j++) {
      const auto product = wilson(quark.columns[j], demo_.kappa),
                 source = point_share(gauge_, {0, 0, 0, 0}, j / 3, j % 3);
      double sum = 0;
      for (std::size_t i = 0; i < source.size(); i++) sum += (product[i] - source[i]) * (product[i] - source[i]);
      largest = std::max(largest, std::sqrt(process_.sum(sum)));
    }
    load_back();
    return report(process_, out, "largest |M S - 1| of a column", largest, is_double ? 3e-10 : 3e-5) && quark.converged;
  }

  void load_antiperiodic()
  {
    LinkArrays links(volume_, 18);
    const int last = gauge_.global().X[3] - 1;
    for (int mu = 0; mu < 4; mu++)
      std::copy(links_.numbers[mu].begin(), links_.numbers[mu].end(), links.numbers[mu].begin());
    for (std::size_t slot = 0; slot < volume_ && options_.t_boundary == QUDA_PERIODIC_T; slot++)
      if (gauge_.part().global_coords(slot)[3] == last)
        for (std::size_t k = 0; k < 18; k++) links.numbers[3][18 * slot + k] *= -1;
    QudaGaugeParam param = gauge_.param();
    param.t_boundary = QUDA_ANTI_PERIODIC_T;
    param.cuda_prec_sloppy = QUDA_HALF_PRECISION;
    param.reconstruct_sloppy = QUDA_RECONSTRUCT_12;
    loadGaugeQuda(links.pointers, &param);
  }

  // x^dag Gamma y of all 16 Gamma, summed over the sites of each time slice: [t][Gamma]
  std::vector<std::array<Complex, 16>> contracted(const std::vector<double> &x, const std::vector<double> &y) const
  {
    std::vector<double> result(32 * volume_);
    QudaInvertParam param = wilson_param(contracted_kappa);
    contractQuda(x.data(), y.data(), result.data(), static_cast<QudaContractType>(QUDA_CONTRACT_TYPE_DR_CORRECTED),
                 &param, gauge_.part().local.X.data());
    std::vector<std::array<Complex, 16>> sums(gauge_.global().X[3]);
    for (std::size_t i = 0; i < volume_; i++)
      for (int g = 0; g < 16; g++)
        sums[gauge_.part().global_coords(i)[3]][g] += Complex(result[32 * i + 2 * g], result[32 * i + 2 * g + 1]);
    for (auto &slice : sums)
      for (Complex &c : slice) c = {process_.sum(c.real()), process_.sum(c.imag())};
    return sums;
  }

  bool contract()
  {
    const char *names[16] = {"1",    "g1",   "g2",  "g3",  "g4",  "g5",  "g5g1", "g5g2",
                             "g5g3", "g5g4", "s12", "s13", "s14", "s23", "s24",  "s34"};
    say(process_, "\nContraction: x = M a, y = M b, M the Wilson matrix at kappa %g, a and b random\n",
        contracted_kappa);
    const auto a = random_share(gauge_, options_.seed + 2), b = random_share(gauge_, options_.seed + 3);
    const auto x = wilson(a, contracted_kappa), y = wilson(b, contracted_kappa);
    const auto xy = contracted(x, y), xb = contracted(x, b), ay = contracted(a, y);
    Json &out = json_["contraction"];
    std::array<Complex, 16> all {};
    say(process_, "  sums over time slices\n     t  x^dag y                   x^dag g5 y                x^dag g4 y\n");
    for (std::size_t t = 0; t < xy.size(); t++) {
      Json slice;
      for (int g = 0; g < 16; g++) {
        all[g] += xy[t][g];
        slice.push_back({xy[t][g].real(), xy[t][g].imag()});
      }
      out["time_slices"].push_back(slice);
      if (t < 4)
        say(process_, "  %4zu  %+.4e %+.4e i  %+.4e %+.4e i  %+.4e %+.4e i\n", t, xy[t][0].real(), xy[t][0].imag(),
            xy[t][5].real(), xy[t][5].imag(), xy[t][4].real(), xy[t][4].imag());
    }
    say(process_, "  sums over the lattice\n");
    for (int g = 0; g < 16; g++) {
      out["sums"][names[g]] = {all[g].real(), all[g].imag()};
      say(process_, "  %4s  %+.10e %+.10e i%s", names[g], all[g].real(), all[g].imag(), g % 2 ? "\n" : "  ");
    }
    // M^dag g5 = g5 M
    Complex left = 0, right = 0;
    for (std::size_t t = 0; t < xy.size(); t++) {
      left += xb[t][5];
      right += ay[t][5];
    }
    return report(process_, out, "(M a)^dag g5 b against a^dag g5 (M b), relative difference",
                  std::abs(left - right) / std::abs(left), options_.prec == QUDA_DOUBLE_PRECISION ? 1e-11 : 1e-4);
  }

  void save()
  {
    say(process_, "\n");
    gauge_.save(process_);
    json_["written"] = options_.save_gauge;
  }

  void show_times()
  {
    say(process_, "\nTimes, tuning included\n");
    for (const auto &[phase, seconds] : json_["seconds"].items())
      say(process_, "  %-15s %8.2f s\n", phase.c_str(), seconds.get<double>());
  }

  // What the library wrote of its kernels into QUDA_RESOURCE_PATH: of a launch's profile the kernels that took most
  // time, of the tune cache the number of rows.
  void show_kernels()
  {
    const char *folder = std::getenv("QUDA_RESOURCE_PATH");
    if (!folder || process_.rank() != 0) return;
    const auto profile = rows(std::string(folder) + "/profile_0.tsv"),
               tuned = rows(std::string(folder) + "/tunecache.tsv");
    say(process_, "\nKernels that took most time, %zu tuned (%s/tunecache.tsv)\n", tuned.size(), folder);
    say(process_, "  %-24s %-18s %9s %7s  per call\n", "kernel", "lattice", "time (s)", "calls");
    for (const auto &row : profile) {
      if (row.size() < 9) continue;
      json_["kernels"].push_back({{"name", row[6]},
                                  {"lattice", row[5]},
                                  {"aux", row[7]},
                                  {"seconds", std::atof(row[0].c_str())},
                                  {"calls", std::atoll(row[3].c_str())},
                                  {"speed", row[8]}});
      if (json_["kernels"].size() <= 12)
        say(process_, "  %-24s %-18s %9s %7s  %s\n", row[6].c_str(), row[5].c_str(), row[0].c_str(), row[3].c_str(),
            row[8].c_str());
    }
    for (const auto &row : tuned) json_["tuned"].push_back(row);
  }

  // The rows of a table of the library, below its heading that ends in "comment"; cells without blanks around them,
  // comments without their sign.
  static std::vector<std::vector<std::string>> rows(const std::string &path)
  {
    std::vector<std::vector<std::string>> rows;
    std::ifstream in(path);
    std::string line, cell;
    bool heading = true;
    while (std::getline(in, line)) {
      if (heading) {
        heading = line.find("comment") == std::string::npos;
        continue;
      }
      std::vector<std::string> row;
      std::istringstream cells(line);
      while (std::getline(cells, cell, '\t')) {
        const size_t first = cell.find_first_not_of("# "), last = cell.find_last_not_of(' ');
        row.push_back(first <= last && last < cell.size() ? cell.substr(first, last + 1 - first) : std::string());
      }
      if (!row.empty()) rows.push_back(row);
    }
    return rows;
  }

  void write_json() const
  {
    if (demo_.json.empty() || process_.rank() != 0) return;
    std::ofstream out(demo_.json);
    out << json_.dump(1) << "\n";
    if (!out.flush()) throw std::runtime_error(demo_.json + " cannot be written");
    say(process_, "\nResults: %s\n", demo_.json.c_str());
  }

  static constexpr double contracted_kappa = 0.135;

  const Process &process_;
  Options &options_;
  const DemoOptions &demo_;
  HostGauge gauge_;
  std::size_t volume_;
  LinkArrays links_; // the configuration, as saved
  Json json_;
};

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("A tour of the library on one gauge configuration");
    Options options;
    options.verbosity = QUDA_SILENT;
    DemoOptions demo;
    add_common_options(line, options);
    add_save_options(line, options);
    add_demo_options(line, demo);
    int code = 0;
    if (!line.parse(argc, argv, process.rank(), code)) return code;
    const std::array<int, 4> whole {8, 8, 8, 16};
    for (int d = 0; d < 4; d++)
      if (options.dim[d] == 0 && options.load_gauge.empty()) options.dim[d] = std::max(2, whole[d] / options.grid[d]);
    return Demo(process, options, demo).run();
  });
}
