// Mean plaquette of a configuration, in decimal and in hexadecimal floating point, compared with the plain reference.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "programs/common/host_gauge.h"
#include "reference/gauge/plaquette.h"

namespace
{

using namespace program;

int measure(const Process &process, Options &options)
{
  HostGauge gauge(process, options);
  const auto &X = gauge.global().X;
  say(process, "plaq_test: %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision, reconstruct %d\n",
      X[0], X[1], X[2], X[3], options.grid[0], options.grid[1], options.grid[2], options.grid[3], name(options.prec),
      static_cast<int>(options.recon));
  say(process, "links: %s\n", gauge.source());

  start_library(options);
  gauge.load();

  double plaq[3];
  plaqQuda(plaq); // tunes
  bool repeatable = true;
  process.barrier();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < options.niter; i++) {
    double again[3];
    plaqQuda(again);
    repeatable = repeatable && std::memcmp(plaq, again, sizeof(plaq)) == 0;
  }
  process.barrier();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  freeGaugeQuda();
  endQuda();

  say(process, "plaquette (mean, spatial, temporal): %.16g %.16g %.16g\n", plaq[0], plaq[1], plaq[2]);
  say(process, "in hexadecimal: %a %a %a\n", plaq[0], plaq[1], plaq[2]);
  say(process, "time of a call: %.3g s (mean of %d)\n", elapsed.count() / options.niter, options.niter);
  repeatable = process.max(repeatable ? 0 : 1) == 0;
  if (!repeatable) say(process, "FAILED: calls on the same links gave different bits\n");
  if (!options.verify) return repeatable ? 0 : 1;

  // Every rank judges its own answer.
  const auto expected = reference::plaquette(gauge.reference_field());
  const double allowed = options.prec == QUDA_DOUBLE_PRECISION ? 1e-12 : 5e-6;
  double deviation = 0;
  for (int i = 0; i < 3; i++) {
    // sums of numbers up to 1 in magnitude: where the mean nearly cancels, its own size is no measure
    const double here = std::abs(plaq[i] - expected[i]) / std::max(std::abs(expected[i]), 0.1);
    if (!(here <= deviation)) deviation = here;
  }
  deviation = process.max(deviation);
  say(process, "plain reference: %.16g %.16g %.16g\n", expected[0], expected[1], expected[2]);
  const bool good = deviation <= allowed;
  say(process, "%s: relative deviation %.2e, allowed %.0e\n", good ? "PASSED" : "FAILED", deviation, allowed);
  return good && repeatable ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Mean plaquette of a gauge configuration");
    Options options;
    add_common_options(line, options);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? measure(process, options) : code;
  });
}
