// Random quark fields projected on random colour vectors, a time slice at a time: time, and comparison with the plain
// reference.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include <quda.h>

#include "programs/common/sites.h"

namespace
{

using namespace program;
using reference::Complex;

struct Numbers {
  int quarks = 4, vectors = 2;
  int quark_tile = 0, vector_tile = 0; // 0: all
};

// Numbers of a field as the host has them, re and im.
using Field = std::vector<double>;
std::vector<Field> random_fields(const Sites &sites, int n, int spins, std::uint64_t seed)
{
  std::vector<Field> fields;
  for (int i = 0; i < n; i++) fields.push_back(random_field<double>(sites, spins, seed + i));
  return fields;
}

Complex number(const Field &field, std::size_t k) { return {field[2 * k], field[2 * k + 1]}; }

// (quark, vector, t, spin), complete on every process.
std::vector<Complex> expected(const Process &process, const Sites &sites, const std::vector<Field> &quarks,
                              const std::vector<Field> &vectors)
{
  const std::size_t T = sites.global.X[3];
  std::vector<Complex> sums(quarks.size() * vectors.size() * T * 4);
  for (std::size_t q = 0; q < quarks.size(); q++)
    for (std::size_t e = 0; e < vectors.size(); e++)
      for (std::size_t slot = 0; slot < sites.count(); slot++) {
        Complex *const to = &sums[((q * vectors.size() + e) * T + sites.part.global_coords(slot)[3]) * 4];
        for (std::size_t k = 0; k < 12; k++)
          to[k / 3] += std::conj(number(vectors[e], 3 * slot + k % 3)) * number(quarks[q], 12 * slot + k);
      }
  for (Complex &sum : sums) sum = {process.sum(sum.real()), process.sum(sum.imag())};
  return sums;
}

int run(const Process &process, const Options &options, Numbers n)
{
  check_grid(process, options);
  if (n.quark_tile == 0) n.quark_tile = n.quarks;
  if (n.vector_tile == 0) n.vector_tile = n.vectors;
  const Sites sites = sites_of(process, options);
  const auto &X = sites.global.X;
  say(process,
      "laph_test: %d quark fields, %d at a time, on %d vectors, %d at a time, %d x %d x %d x %d sites on "
      "%d x %d x %d x %d processes, %s precision\n",
      n.quarks, n.quark_tile, n.vectors, n.vector_tile, X[0], X[1], X[2], X[3], options.grid[0], options.grid[1],
      options.grid[2], options.grid[3], name(options.prec));
  start_library(options);
  auto quarks = random_fields(sites, n.quarks, 4, options.seed);
  auto vectors = random_fields(sites, n.vectors, 1, options.seed + n.quarks);
  std::vector<void *> quark_arrays, vector_arrays;
  for (Field &field : quarks) quark_arrays.push_back(field.data());
  for (Field &field : vectors) vector_arrays.push_back(field.data());
  std::vector<Complex> sinks(quarks.size() * vectors.size() * X[3] * 4, NAN);

  QudaInvertParam param = newQudaInvertParam();
  param.cpu_prec = QUDA_DOUBLE_PRECISION;
  param.cuda_prec = options.prec;
  param.dirac_order = QUDA_DIRAC_ORDER;
  const auto project = [&] {
    laphSinkProject(reinterpret_cast<double _Complex *>(sinks.data()), quark_arrays.data(), n.quarks, n.quark_tile,
                    vector_arrays.data(), n.vectors, n.vector_tile, &param, sites.part.local.X.data());
  };
  project(); // tunes
  process.barrier();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < options.niter; i++) project();
  process.barrier();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  endQuda();

  const double seconds = process.max(elapsed.count()) / std::max(options.niter, 1);
  say(process, "time of a call: %.4g s (mean of %d), %.4g GFLOP/s, transfers of host fields included\n", seconds,
      options.niter, param.gflops / seconds);
  double norm = 0;
  for (const Complex &sink : sinks) norm += std::norm(sink);
  say(process, "norm2 of the result: %.16g\n", norm);
  if (!options.verify) return 0;

  const std::vector<Complex> right = expected(process, sites, quarks, vectors);
  double largest = 0, squares = 0;
  for (std::size_t i = 0; i < right.size(); i++) {
    const double here = std::abs(sinks[i] - right[i]);
    if (!(here <= largest)) largest = here; // a NaN comes through
    squares += std::norm(right[i]);
  }
  const double found = process.max(largest) / std::sqrt(squares / static_cast<double>(right.size()));
  const double allowed = options.prec == QUDA_DOUBLE_PRECISION ? 1e-13 : 1e-6;
  const bool good = found <= allowed;
  say(process, "%s: deviation from the plain reference %.2e of the root mean square, allowed %.0e\n",
      good ? "PASSED" : "FAILED", found, allowed);
  return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Random quark fields projected on random colour vectors, a time slice at a time");
    Options options;
    add_common_options(line, options);
    Numbers n;
    line.add("--msrc", n.quarks, "Number of quark fields", {1, 100000});
    line.add("--msrc-tile", n.quark_tile, "Quark fields that the library holds at a time [--msrc]", {1, 100000});
    line.add("--nsrc", n.vectors, "Number of colour vectors", {1, 100000});
    line.add("--nsrc-tile", n.vector_tile, "Colour vectors that it holds at a time [--nsrc]", {1, 100000});
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? run(process, options, n) : code;
  });
}
