// Gradient flow of random quark fields, and its adjoint with all links kept or few: times, and <xi, K psi> beside
// <K^dag xi, psi>.

#include <chrono>
#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include <quda.h>

#include "programs/common/host_gauge.h"
#include "programs/common/sites.h"

namespace
{

using namespace program;

struct FlowOptions {
  QudaGaugeSmearType type = QUDA_GAUGE_SMEAR_WILSON_FLOW;
  unsigned steps = 50;
  double epsilon = 0.01;
  double anisotropy = 1;
  unsigned order = 3;
  unsigned kept = 5;
  unsigned threshold = 6;
};

void add_flow_options(CommandLine &line, FlowOptions &o, Options &options)
{
  const Names<QudaGaugeSmearType> types = {{"wilson", QUDA_GAUGE_SMEAR_WILSON_FLOW},
                                           {"symanzik", QUDA_GAUGE_SMEAR_SYMANZIK_FLOW}};
  line.add_choice("--su3-smear-type", o.type, types, "Action of the flow");
  line.add("--su3-smear-steps", o.steps, "Steps of the flow");
  line.add("--su3-smear-epsilon", o.epsilon, "Size of a step");
  line.add("--su3-smear-anisotropy", o.anisotropy, "Its square is a factor of staples along t", positive);
  line.add("--su3-smear-rk-order", o.order, "Order of the flow's steps, 3 or 4", {3, 4});
  line.add("--su3-adj-gauge-nsave", o.kept, "Gauge fields that the hierarchical adjoint flow keeps");
  line.add("--su3-hier-threshold", o.threshold, "Steps in a row that it keeps no links of");
  line.add("--nsrc", options.nsrc, "Quark fields", {1, 1000});
}

using Fields = std::vector<std::vector<double>>;

std::complex<double> inner_product(const Process &process, const Fields &a, const Fields &b)
{
  double re = 0, im = 0;
  for (std::size_t n = 0; n < a.size(); n++)
    for (std::size_t i = 0; i < a[n].size(); i += 2) {
      re += a[n][i] * b[n][i] + a[n][i + 1] * b[n][i + 1];
      im += a[n][i] * b[n][i + 1] - a[n][i + 1] * b[n][i];
    }
  return {process.sum(re), process.sum(im)};
}

int flow(const Process &process, Options &options, const FlowOptions &su3)
{
  HostGauge gauge(process, options);
  const Sites sites {gauge.global(), gauge.part()};
  const auto &X = gauge.global().X;
  say(process, "su3_fermion_test: %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision, %d fields\n",
      X[0], X[1], X[2], X[3], options.grid[0], options.grid[1], options.grid[2], options.grid[3], name(options.prec),
      options.nsrc);
  say(process, "links: %s\n", gauge.source());
  start_library(options);
  gauge.load();

  QudaInvertParam quark = newQudaInvertParam();
  quark.dslash_type = QUDA_WILSON_DSLASH;
  quark.cpu_prec = QUDA_DOUBLE_PRECISION;
  quark.cuda_prec = options.prec;
  quark.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  quark.dirac_order = QUDA_DIRAC_ORDER;
  quark.verbosity = options.verbosity;
  QudaGaugeSmearParam param = newQudaGaugeSmearParam();
  param.smear_type = su3.type;
  param.n_steps = su3.steps;
  param.meas_interval = su3.steps + 1;
  param.epsilon = su3.epsilon;
  param.smear_anisotropy = su3.anisotropy;
  param.rk_order = su3.order;
  param.adj_n_save = su3.kept;
  param.hier_threshold = su3.threshold;

  const auto n = static_cast<std::size_t>(options.nsrc);
  Fields psi, xi;
  for (std::size_t i = 0; i < n; i++) {
    psi.push_back(random_field<double>(sites, 4, options.seed + 2 * i));
    xi.push_back(random_field<double>(sites, 4, options.seed + 2 * i + 1));
  }
  const auto timed = [&](const char *what, Fields &from, const std::function<void(void **, void **)> &call) {
    Fields to(n, std::vector<double>(from[0].size(), NAN));
    std::vector<void *> out, in;
    for (std::size_t i = 0; i < n; i++) {
      out.push_back(to[i].data());
      in.push_back(from[i].data());
    }
    process.barrier();
    const auto start = std::chrono::steady_clock::now();
    call(out.data(), in.data());
    process.barrier();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    say(process, "%-35s %.4g s\n", what, elapsed.count());
    return to;
  };
  const Fields flowed = timed("flow", psi, [&](void **out, void **in) {
    QudaGaugeObservableParam observed = newQudaGaugeObservableParam();
    performGFlowQuda(out, in, &quark, &param, &observed, n);
  });
  const Fields safe = timed("adjoint flow, all links kept", xi,
                            [&](void **out, void **in) { performAdjGFlowSafe(out, in, &quark, &param, n); });
  const Fields few = timed("adjoint flow, few links kept", xi,
                           [&](void **out, void **in) { performAdjGFlowHier(out, in, &quark, &param, n); });
  freeGaugeQuda();
  endQuda();

  const auto left = inner_product(process, xi, flowed), right = inner_product(process, safe, psi);
  say(process, "<xi, K psi> = %.12g %+.12g i, <K^dag xi, psi> = %.12g %+.12g i\n", left.real(), left.imag(),
      right.real(), right.imag());
  const bool same = process.sum(few != safe) == 0;
  const double apart = std::abs(left - right) /
                       std::sqrt(inner_product(process, xi, xi).real() * inner_product(process, psi, psi).real());
  const double allowed = options.prec == QUDA_DOUBLE_PRECISION ? 1e-14 : 1e-6;
  const bool good = same && apart <= allowed;
  say(process, "%s: both adjoint flows have %s bits; %.2e of |xi| |psi| apart, allowed %.0e\n",
      good ? "PASSED" : "FAILED", same ? "the same" : "other", apart, allowed);
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Gradient flow of quark fields and its adjoint");
    Options options;
    FlowOptions su3;
    add_common_options(line, options);
    add_flow_options(line, su3, options);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? flow(process, options, su3) : code;
  });
}
