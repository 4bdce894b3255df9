// Gauge force, path products and traces of loops of the plaquette and rectangle action: time, and comparison with the
// plain reference.

#include <chrono>
#include <cmath>
#include <complex>
#include <vector>

#include "programs/common/gauge_paths.h"
#include "programs/common/host_gauge.h"
#include "reference/algebra.h"
#include "reference/force/momentum.h"

namespace
{

using namespace program;
using reference::Loop;

constexpr double eb3 = 0.3;

// Four arrays of one rank, `reals` numbers a link.
struct HostArrays {
  HostArrays(std::size_t volume, int reals)
      : reals(reals)
  {
    for (int mu = 0; mu < 4; mu++) {
      numbers[mu].assign(volume * reals, 0);
      pointers[mu] = numbers[mu].data();
    }
  }
  reference::Link matrix(int mu, std::size_t slot) const
  {
    const double *q = numbers[mu].data() + slot * static_cast<std::size_t>(reals);
    if (reals == 10) return reference::from_ten(q);
    reference::Link m;
    for (int k = 0; k < 9; k++) m.data()[k] = {q[2 * k], q[2 * k + 1]};
    return m;
  }

  int reals;
  std::vector<double> numbers[4];
  void *pointers[4];
};

template <class Call> double seconds(const Process &process, int niter, const Call &call)
{
  call(); // tunes
  process.barrier();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < niter; i++) call();
  process.barrier();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return process.max(elapsed.count()) / niter;
}

// Largest difference over all ranks in units of the root mean square.
template <class Right>
double deviation(const Process &process, const HostGauge &gauge, const HostArrays &found, const Right &right)
{
  double largest = 0, squares = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < gauge.part().local.volume(); slot++) {
      const reference::Link expected = right(mu, gauge.part().global_coords(slot));
      const double here = (found.matrix(mu, slot) - expected).cwiseAbs().maxCoeff();
      if (!(here <= largest)) largest = here;
      squares += expected.squaredNorm();
    }
  const double components = 36.0 * static_cast<double>(gauge.global().volume());
  return process.max(largest) / std::sqrt(process.sum(squares) / components);
}

bool report(const Process &process, const char *what, double found, double allowed)
{
  const bool good = found <= allowed;
  say(process, "%s: %s, deviation from the plain reference %.2e, allowed %.0e\n", good ? "PASSED" : "FAILED", what,
      found, allowed);
  return good;
}

int measure(const Process &process, Options &options)
{
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  say(process,
      "gauge_path_test: %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision, reconstruct %d\n", X[0],
      X[1], X[2], X[3], options.grid[0], options.grid[1], options.grid[2], options.grid[3], name(options.prec),
      static_cast<int>(options.recon));
  say(process, "links: %s\n", gauge.source());

  start_library(options);
  gauge.load();
  QudaGaugeParam param = gauge.param();
  param.use_resident_gauge = 1;
  param.overwrite_mom = 1;
  param.overwrite_gauge = 1;

  const auto plaquettes = reference::images(reference::plaquette_loop),
             rectangles = reference::images(reference::rectangle_loop);
  ForcePaths paths(reference::force_paths(plaquettes, 5. / 3) + reference::force_paths(rectangles, -1. / 12));
  const std::size_t volume = gauge.part().local.volume();
  HostArrays momentum(volume, 10), product(volume, 18);
  const double force_time = seconds(process, options.niter, [&] {
    computeGaugeForceQuda(momentum.pointers, nullptr, paths.buffer(), paths.length(), paths.coefficient(), paths.n(),
                          paths.longest(), eb3, &param);
  });
  const double path_time = seconds(process, options.niter, [&] {
    computeGaugePathQuda(product.pointers, nullptr, paths.buffer(), paths.length(), paths.coefficient(), paths.n(),
                         paths.longest(), eb3, &param);
  });

  std::vector<Loop> loops = plaquettes;
  loops.insert(loops.end(), rectangles.begin(), rectangles.end());
  std::vector<std::complex<double>> traces;
  const double trace_time =
      seconds(process, options.niter, [&] { traces = loop_traces(loops, std::vector<double>(loops.size(), 0.5), 2); });
  freeGaugeQuda();
  endQuda();

  say(process,
      "time of a call, transfers of host fields included (mean of %d): force %.4g s, path %.4g s, traces %.4g s\n",
      options.niter, force_time, path_time, trace_time);
  std::complex<double> sum = 0;
  for (const auto &trace : traces) sum += trace;
  say(process, "sum of all traces: %.16g %.16g\n", sum.real(), sum.imag());
  if (!options.verify) return 0;

  const reference::GaugeField plain = gauge.reference_field();
  const double allowed = options.prec == QUDA_DOUBLE_PRECISION ? 1e-12 : 1e-5;
  const auto w = [&](int mu, const reference::Coords &x) -> reference::Link {
    return eb3 * reference::path_sum(plain, paths.terms, x, mu);
  };
  bool good = report(process, "force",
                     deviation(process, gauge, momentum,
                               [&](int mu, const reference::Coords &x) {
                                 return reference::Link(-reference::traceless_anti_hermitian(w(mu, x)));
                               }),
                     allowed);
  good = report(process, "path", deviation(process, gauge, product, w), allowed) && good;
  double largest = 0;
  for (std::size_t i = 0; i < loops.size(); i++) {
    const double here = std::abs(traces[i] - reference::loop_trace(plain, loops[i]));
    if (!(here <= largest)) largest = here;
  }
  // a trace is the sum of as many numbers as there are sites
  largest = process.max(largest) / (3 * static_cast<double>(gauge.global().volume()));
  good = report(process, "loop traces", largest, allowed) && good;
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Gauge force, path products and traces of loops");
    Options options;
    add_common_options(line, options);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? measure(process, options) : code;
  });
}
