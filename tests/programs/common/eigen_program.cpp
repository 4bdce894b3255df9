#include "programs/common/operator_programs.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "programs/common/eigen_wish.h"
#include "programs/common/plain_operator.h"
#include "programs/common/quarks.h"
#include "reference/dirac/gamma.h"

namespace program
{

namespace
{

  using reference::Complex;
  using reference::Spinors;

  /// The wanted matrix by the plain reference.
  class Plain
  {
  public:
    Plain(const HostGauge &gauge, const Options &options, const EigenWish &wish)
        : plain_(gauge, options)
        , wish_(wish)
    {
    }
    int parity() const { return wish_.pc ? plain_.parity() : -1; }
    Spinors once(const Spinors &in, bool adjoint) const
    {
      const Spinors all =
          plain_.apply(wish_.pc, wish_.pc ? reference::half_of(in, plain_.parity()) : in, adjoint != wish_.dagger);
      if (!wish_.pc) return all;
      Spinors whole(in.size(), reference::Spinor::Zero());
      reference::set_half(whole, plain_.parity(), all);
      return whole;
    }
    Spinors apply(const Spinors &in) const
    {
      const Spinors first = once(in, false);
      if (wish_.gamma5) return reference::applied(reference::gamma5(reference::Basis::degrand_rossi), first);
      return wish_.norm_op ? once(first, true) : first;
    }

  private:
    PlainOperator plain_;
    const EigenWish &wish_;
  };

  double distance(const Spinors &a, Complex factor, const Spinors &b) // |a - factor b|
  {
    Spinors rest = a;
    for (std::size_t i = 0; i < a.size(); i++) rest[i] -= factor * b[i];
    return std::sqrt(reference::norm2(rest));
  }

  /// residuals: those found.
  bool verify(const Process &process, const HostGauge &gauge, const Options &options, const EigenWish &wish,
              const std::vector<Complex> &values, const std::vector<std::vector<double>> &vectors,
              std::vector<double> &residuals)
  {
    const Plain plain(gauge, options, wish);
    const double rounding = options.prec == QUDA_DOUBLE_PRECISION ? 1e-13 : 1e-4;
    bool good = true;
    say(process, "number  eigenvalue                                        residual by the plain reference\n");
    for (std::size_t i = 0; i < values.size(); i++) {
      const Spinors v = gathered(process, gauge, vectors[i], plain.parity());
      const Complex value = wish.svd ? values[i] * values[i] : values[i];
      const double rest = distance(plain.apply(v), value, v), norm = std::sqrt(reference::norm2(v));
      residuals.push_back(rest);
      bool fits = rest <= 1.01 * wish.tol * std::abs(value) + 20 * rounding && std::abs(norm - 1) <= rounding;
      if (wish.svd) {
        const Spinors left = gathered(process, gauge, vectors[values.size() + i], plain.parity());
        fits = fits && distance(plain.once(v, false), values[i], left) <= 20 * rounding;
      }
      fits = fits || (!wish.require && std::isfinite(rest));
      say(process, "%6zu  %+.16e %+.16e   %12.6e%s\n", i, values[i].real(), values[i].imag(), rest,
          fits ? "" : "  FAILED");
      good = good && fits;
    }
    return good;
  }

  /// What a picture is drawn from (utils/plot_spectrum.py). residuals: of each value, or none.
  void write_json(const std::string &file, const std::string &title, const HostGauge &gauge, const EigenWish &wish,
                  const std::vector<Complex> &values, const std::vector<double> &residuals)
  {
    nlohmann::json all;
    all["title"] = title;
    all["lattice"] = gauge.global().X;
    all["links"] = gauge.source();
    all["tolerance"] = wish.tol;
    for (std::size_t i = 0; i < values.size(); i++) {
      nlohmann::json &one = all["eigenvalues"][i];
      one["re"] = values[i].real();
      one["im"] = values[i].imag();
      if (!residuals.empty()) one["residual"] = residuals[i];
    }
    std::ofstream stream(file);
    stream << all.dump(1) << "\n";
    if (!stream.flush()) throw std::runtime_error("--json " + file + ": cannot be written");
  }

  /// The matrix, in words.
  std::string matrix_text(const Options &options, const EigenWish &wish)
  {
    std::string matrix = wish.pc ? "M_pc" : "M";
    if (wish.dagger) matrix += "^dag";
    if (wish.gamma5) matrix = "gamma5 " + matrix;
    if (wish.norm_op) matrix = matrix + "^dag " + matrix;
    return std::string(wish.svd ? "singular values of " : "") + matrix + ", " + name(options.dslash_type) + ", " +
           operator_text(options);
  }

  int run(const Process &process, const std::string &program, Options &options, EigenWish &wish,
          const std::string &json)
  {
    if (wish.n_conv < 0) wish.n_conv = wish.n_ev;
    if (wish.tol < 0) wish.tol = options.prec == QUDA_DOUBLE_PRECISION ? 1e-10 : 1e-4;
    if (options.dagger) throw UsageError("--dagger: the adjoint is asked for by --eig-use-dagger true");
    complete_operator(options);
    HostGauge gauge(process, options);
    const auto &X = gauge.global().X;
    say(process, "%s: %s, %d x %d x %d x %d sites on %d x %d x %d x %d processes, %s precision\n", program.c_str(),
        name(options.dslash_type), X[0], X[1], X[2], X[3], options.grid[0], options.grid[1], options.grid[2],
        options.grid[3], name(options.prec));
    say(process, "links: %s\n%s\n", gauge.source(), operator_text(options).c_str());
    start_library(options);
    gauge.load();
    load_clover(gauge, options);
    QudaInvertParam invert = invert_param(options);
    QudaEigParam param = eigen_param(wish, invert);
    const auto n = static_cast<std::size_t>(wish.n_conv);
    const std::size_t sites = gauge.part().local.volume() / (wish.pc ? 2 : 1);
    std::vector<Complex> values(n);
    std::vector<std::vector<double>> vectors(wish.svd ? 2 * n : n);
    std::vector<void *> pointers;
    for (std::vector<double> &one : vectors) {
      one.assign(6 * spins(options) * flavours(options) * sites, 0);
      pointers.push_back(one.data());
    }
    eigensolveQuda(pointers.data(), reinterpret_cast<double _Complex *>(values.data()), &param);
    freeCloverQuda();
    freeGaugeQuda();
    endQuda();
    say(process, "Done: %d pairs, %.4g s, %.4g GFLOP/s\n", wish.n_conv, invert.secs, invert.gflops / invert.secs);
    std::vector<double> residuals;
    const bool good = !options.verify || verify(process, gauge, options, wish, values, vectors, residuals);
    if (!json.empty() && process.rank() == 0)
      write_json(json, matrix_text(options, wish), gauge, wish, values, residuals);
    if (!options.verify) return 0;
    say(process, "%s: residuals by the plain reference\n", good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
  }

} // namespace

int eigen_program(int argc, char **argv, const std::string &name, QudaDslashType type)
{
  const Process process(&argc, &argv);
  return process.run([&] {
    CommandLine line(type == QUDA_WILSON_DSLASH ? "Eigenvectors of a Dirac operator"
                                                : "Eigenvectors of a staggered operator");
    Options options;
    EigenWish wish;
    options.dslash_type = type;
    if (staggered(options)) wish.norm_op = false; // on one parity it is Hermitian itself
    add_common_options(line, options);
    add_dirac_options(line, options);
    add_eigen_options(line, wish);
    add_eigen_files(line, wish);
    std::string json;
    line.add("--json", json, "File to write the eigenvalues to, and their residuals where they are verified [none]");
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? run(process, name, options, wish, json) : code;
  });
}

} // namespace program
