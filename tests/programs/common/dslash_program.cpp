#include "programs/common/operator_programs.h"

#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "programs/common/plain_operator.h"
#include "programs/common/quarks.h"
#include "reference/gauge/links.h"
#include "reference/random.h"

namespace program
{

namespace
{

  using reference::Spinors;

  struct Problem {
    int parity_out; // -1: both
    int parity_in;  // -1: both
    const char *text;
    double flops; // a site of the lattice
  };

  // Multiply-adds count as two. Of a site that is written.
  double hop_flops(const Options &options)
  {
    if (options.dslash_type == QUDA_STAGGERED_DSLASH) return 570;
    if (options.dslash_type == QUDA_ASQTAD_DSLASH) return 1146;
    const double n = static_cast<double>(flavours(options));
    if (domain_wall(options)) { // matrices have those of the fifth dimension beside it
      const double fifth = options.dslash_type == QUDA_DOMAIN_WALL_DSLASH ? 96
                           : options.test == DslashTest::dslash           ? 0
                                                                          : 168 + (moebius(options) ? 120 : 0);
      return n * (1320 + fifth);
    }
    const double twist = n == 2 ? 120 : twisted(options) ? 72 : 0;
    return n * (1320 + twist + (has_clover_term(options) ? 504 : 0)); // the term or its inverse
  }

  Problem problem(const Options &options)
  {
    const int p = options.matpc % 2;
    const double hop = hop_flops(options), sum = 12.0 * static_cast<double>(spins(options) * flavours(options));
    switch (options.test) {
    case DslashTest::dslash:
      return {p, 1 - p, "hop", 0.5 * hop};
    case DslashTest::mat_pc:
      return {p, p, "preconditioned matrix", 0.5 * (2 * hop + sum)};
    case DslashTest::mat:
      break;
    }
    return {-1, -1, "matrix", hop + sum};
  }

  // The result on the whole lattice; of one-parity problems the other sites are zero.
  Spinors expected_result(const HostGauge &gauge, const Options &options, const Problem &p)
  {
    const PlainOperator plain(gauge, options);
    Spinors in = random_field(gauge, options.seed);
    if (options.prec == QUDA_SINGLE_PRECISION) in = reference::rounded_to_single(in);
    if (p.parity_in >= 0) in = reference::half_of(in, p.parity_in);
    const bool pc = options.test == DslashTest::mat_pc;
    // of staggered operators the hop is normalised, and matrices are not
    const bool hop = options.test == DslashTest::dslash;
    const double n = hop == staggered(options) ? plain.normalisation(pc) : 1;
    const Spinors found = reference::scaled(hop ? plain.hop(in) : plain.apply(pc, in), n);
    if (p.parity_out < 0) return found;
    Spinors out(gauge.flavours() * gauge.global().volume(), reference::Spinor::Zero());
    reference::set_half(out, p.parity_out, found);
    return out;
  }

  // Largest difference of a component, over all ranks, in units of the root mean square of the expected field's.
  double deviation(const Process &process, const std::vector<double> &found, const std::vector<double> &expected)
  {
    double largest = 0, sum = 0;
    for (std::size_t i = 0; i < expected.size(); i += 2) {
      const double here = std::hypot(found[i] - expected[i], found[i + 1] - expected[i + 1]);
      if (!(here <= largest)) largest = here;
      sum += expected[i] * expected[i] + expected[i + 1] * expected[i + 1];
    }
    const double components = process.sum(0.5 * static_cast<double>(expected.size()));
    return process.max(largest) / std::sqrt(process.sum(sum) / components);
  }

  // One number for all bits of the result, whatever the process grid: two runs gave the same field if and (as good as)
  // only if they gave the same number.
  std::uint64_t digest(const Process &process, const HostGauge &gauge, const std::vector<double> &field, int parity,
                       std::size_t reals)
  {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < field.size() / reals; i++) {
      const std::uint64_t site = number_in_whole(gauge, parity, i);
      for (std::size_t k = 0; k < reals; k++) {
        std::uint64_t bits;
        std::memcpy(&bits, &field[reals * i + k], sizeof(bits));
        sum += reference::SiteRandom(bits, site, k).word();
      }
    }
    const auto combine = process.combine();
    if (combine.add) combine.add(&sum, 1);
    return sum;
  }

  int measure(const Process &process, const std::string &program, Options &options)
  {
    complete_operator(options);
    HostGauge gauge(process, options);
    const auto &X = gauge.global().X;
    const Problem p = problem(options);
    const auto sources = static_cast<std::size_t>(sub_grids(options));
    if (sources > 1 && options.test != DslashTest::dslash)
      throw UsageError("--grid-partition: the hop alone takes several sources; allowed: --test Dslash");
    say(process,
        "%s: %s %s%s, %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision, reconstruct "
        "%d\n",
        program.c_str(), name(options.dslash_type), p.text, options.dagger ? ", adjoint" : "", X[0], X[1], X[2], X[3],
        options.grid[0], options.grid[1], options.grid[2], options.grid[3], name(options.prec),
        static_cast<int>(options.recon));
    say(process, "links: %s\n", gauge.source());
    say(process, "%s\n", operator_text(options).c_str());

    start_library(options);
    gauge.load();
    load_clover(gauge, options);

    std::vector<double> in = random_share(gauge, options.seed, p.parity_in);
    std::vector<std::vector<double>> outs(sources, std::vector<double>(in.size(), NAN)); // of one source each
    const std::vector<double> &out = outs[0];
    std::vector<void *> to, from(sources, in.data());
    for (auto &one : outs) to.push_back(one.data());
    QudaInvertParam param = invert_param(options);
    param.solution_type = options.test == DslashTest::mat ? QUDA_MAT_SOLUTION : QUDA_MATPC_SOLUTION;
    param.num_src = sub_grids(options);
    param.num_src_per_sub_partition = 1;
    std::copy(options.partition.begin(), options.partition.end(), param.split_grid);
    const QudaParity parity = p.parity_out == 0 ? QUDA_EVEN_PARITY : QUDA_ODD_PARITY;
    auto apply = [&] {
      if (sources > 1)
        dslashMultiSrcQuda(to.data(), from.data(), &param, parity);
      else if (options.test == DslashTest::dslash)
        dslashQuda(to[0], from[0], &param, parity);
      else
        MatQuda(to[0], from[0], &param);
    };
    apply(); // tunes
    process.barrier();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < options.niter; i++) apply();
    process.barrier();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    freeCloverQuda();
    freeGaugeQuda();
    endQuda();

    const double seconds = process.max(elapsed.count()) / options.niter;
    const double flops = p.flops * static_cast<double>(sources * gauge.global().volume());
    say(process, "time of a call: %.4g s (mean of %d), %.4g GFLOP/s, transfers of host fields included\n", seconds,
        options.niter, 1e-9 * flops / seconds);
    double norm = 0;
    for (double v : out) norm += v * v;
    say(process, "norm2 of the result: %.16g\n", process.sum(norm));
    say(process, "bits of the result: %016" PRIx64 "\n", digest(process, gauge, out, p.parity_out, 6 * spins(options)));
    if (!options.verify) return 0;

    const double found = deviation(process, out, share(gauge, expected_result(gauge, options, p), p.parity_out));
    const double allowed = options.prec == QUDA_DOUBLE_PRECISION   ? 1e-12
                           : options.prec == QUDA_SINGLE_PRECISION ? 5e-6
                                                                   : 1e-3;
    bool alike = true; // on all sub-grids
    for (const auto &one : outs) alike = alike && std::memcmp(one.data(), out.data(), sizeof(double) * out.size()) == 0;
    if (process.max(alike ? 0 : 1) > 0) say(process, "FAILED: sub-grids of processes have other results\n");
    const bool good = found <= allowed && process.max(alike ? 0 : 1) == 0;
    say(process, "%s: deviation from the plain reference %.2e of the root mean square, allowed %.0e\n",
        good ? "PASSED" : "FAILED", found, allowed);
    return good ? 0 : 1;
  }

} // namespace

int dslash_program(int argc, char **argv, const std::string &name, QudaDslashType type)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line(type == QUDA_WILSON_DSLASH ? "A Dirac operator on a random spinor"
                                                : "A staggered operator on a random field");
    Options options;
    options.dslash_type = type;
    add_common_options(line, options);
    add_dirac_options(line, options);
    add_dslash_options(line, options);
    add_partition_option(line, options);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? measure(process, name, options) : code;
  });
}

} // namespace program
