// Two random quark fields contracted site by site: time, and comparison with the plain reference.

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <quda_ext.h>

#include "programs/common/sites.h"
#include "reference/contract/sitewise.h"

namespace
{

using namespace program;
using reference::Complex;

struct Contraction {
  QudaContractType type;
  int spins;
  const char *text;
  double flops; // a site
  bool operator==(const Contraction &) const = default;
};

const Names<Contraction> contractions = {
    {"open", {QUDA_CONTRACT_TYPE_OPEN, 4, "open spins", 288}},
    {"dr", {QUDA_CONTRACT_TYPE_DR, 4, "sixteen bilinears as QUDA's", 544}},
    {"dr-corrected",
     {static_cast<QudaContractType>(QUDA_CONTRACT_TYPE_DR_CORRECTED), 4, "sixteen bilinears, corrected", 544}},
    {"staggered", {QUDA_CONTRACT_TYPE_STAGGERED, 1, "staggered", 18}}};

QudaInvertParam invert_param(const Options &options, int spins)
{
  QudaInvertParam param = newQudaInvertParam();
  param.dslash_type = spins == 1 ? QUDA_STAGGERED_DSLASH : QUDA_WILSON_DSLASH;
  param.cpu_prec = options.prec;
  param.gamma_basis = QUDA_DEGRAND_ROSSI_GAMMA_BASIS;
  param.dirac_order = QUDA_DIRAC_ORDER;
  return param;
}

template <class real> reference::Spinor spinor_at(const std::vector<real> &field, std::size_t site, int spins)
{
  reference::Spinor psi = reference::Spinor::Zero();
  const real *p = &field[6 * spins * site];
  for (int k = 0; k < 3 * spins; k++) psi.data()[k] = Complex(p[2 * k], p[2 * k + 1]);
  return psi;
}

// Largest difference of an entry, over all processes, in units of the root mean square of the expected ones.
template <class real> double deviation(const Process &process, const std::vector<real> &found,
                                       const std::vector<real> &x, const std::vector<real> &y, const Contraction &what)
{
  const auto gammas = reference::contraction_gammas(what.type != QUDA_CONTRACT_TYPE_DR);
  const bool open = what.type == QUDA_CONTRACT_TYPE_OPEN || what.spins == 1;
  const std::size_t entries = what.spins * what.spins, sites = found.size() / (2 * entries);
  double largest = 0, squares = 0;
  for (std::size_t site = 0; site < sites; site++) {
    const auto a = spinor_at(x, site, what.spins), b = spinor_at(y, site, what.spins);
    const reference::SpinMatrix matrix = reference::open_contraction(a, b);
    for (std::size_t k = 0; k < entries; k++) {
      const Complex expected = open ? matrix.data()[k] : Complex(gammas[k].cwiseProduct(matrix).sum());
      const real *p = &found[2 * (entries * site + k)];
      const double here = std::abs(Complex(p[0], p[1]) - expected);
      if (!(here <= largest)) largest = here; // a NaN comes through
      squares += std::norm(expected);
    }
  }
  const double all = process.sum(static_cast<double>(entries * sites));
  return process.max(largest) / std::sqrt(process.sum(squares) / all);
}

// One number for all bits of the result, whatever the process grid: two runs gave the same if and (as good as) only if
// they gave the same number.
template <class real> std::uint64_t digest(const Process &process, const Sites &sites, const std::vector<real> &field)
{
  const std::size_t reals = field.size() / sites.count();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < field.size(); i++) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &field[i], sizeof(real));
    sum += reference::SiteRandom(bits, sites.number(i / reals), i % reals).word();
  }
  const auto combine = process.combine();
  if (combine.add) combine.add(&sum, 1);
  return sum;
}

template <class real>
int measure(const Process &process, const Options &options, const Sites &sites, const Contraction &what)
{
  start_library(options);
  const auto x = random_field<real>(sites, what.spins, options.seed);
  const auto y = random_field<real>(sites, what.spins, options.seed + 1);
  std::vector<real> result(2 * what.spins * what.spins * sites.count(), static_cast<real>(NAN));
  QudaInvertParam param = invert_param(options, what.spins);
  const auto contract = [&] {
    contractQuda(x.data(), y.data(), result.data(), what.type, &param, sites.part.local.X.data());
  };
  contract(); // tunes
  process.barrier();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < options.niter; i++) contract();
  process.barrier();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  endQuda();

  const double seconds = process.max(elapsed.count()) / options.niter;
  const double flops = what.flops * static_cast<double>(sites.global.volume());
  say(process, "time of a call: %.4g s (mean of %d), %.4g GFLOP/s, transfers of host fields included\n", seconds,
      options.niter, 1e-9 * flops / seconds);
  double norm = 0;
  for (const real v : result) norm += static_cast<double>(v) * v;
  say(process, "norm2 of the result: %.16g\n", process.sum(norm));
  say(process, "bits of the result: %016" PRIx64 "\n", digest(process, sites, result));
  if (!options.verify) return 0;

  const double found = deviation(process, result, x, y, what);
  const double allowed = options.prec == QUDA_DOUBLE_PRECISION ? 1e-13 : 5e-6;
  const bool good = found <= allowed;
  say(process, "%s: deviation from the plain reference %.2e of the root mean square, allowed %.0e\n",
      good ? "PASSED" : "FAILED", found, allowed);
  return good ? 0 : 1;
}

int run(const Process &process, const Options &options, const Contraction &what)
{
  check_grid(process, options);
  const Sites sites = sites_of(process, options);
  const auto &X = sites.global.X;
  say(process, "contract_test: %s, %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision\n", what.text,
      X[0], X[1], X[2], X[3], options.grid[0], options.grid[1], options.grid[2], options.grid[3], name(options.prec));
  return options.prec == QUDA_DOUBLE_PRECISION ? measure<double>(process, options, sites, what)
                                               : measure<float>(process, options, sites, what);
}

} // namespace

int main(int argc, char **argv)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line("Two random quark fields contracted site by site");
    Options options;
    add_common_options(line, options);
    Contraction contraction = contractions.at("open");
    line.add_choice("--contraction-type", contraction, contractions,
                    "Open spins, bilinears (with QUDA's or the true entries), staggered");
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? run(process, options, contraction) : code;
  });
}
