#include "programs/common/operator_programs.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "programs/common/plain_operator.h"
#include "programs/common/quarks.h"
#include "reference/dirac/gamma.h"

namespace program
{

namespace
{

  using reference::Complex;
  using reference::Spinors;

  const Names<QudaEigType> methods = {{"trlm", QUDA_EIG_TR_LANCZOS},
                                      {"blktrlm", QUDA_EIG_BLK_TR_LANCZOS},
                                      {"iram", QUDA_EIG_IR_ARNOLDI},
                                      {"blkiram", QUDA_EIG_BLK_IR_ARNOLDI}};
  const Names<QudaEigSpectrumType> spectra = {{"SR", QUDA_SPECTRUM_SR_EIG}, {"LR", QUDA_SPECTRUM_LR_EIG},
                                              {"SM", QUDA_SPECTRUM_SM_EIG}, {"LM", QUDA_SPECTRUM_LM_EIG},
                                              {"SI", QUDA_SPECTRUM_SI_EIG}, {"LI", QUDA_SPECTRUM_LI_EIG}};

  const Names<QudaPrecision> file_precisions = {{"double", QUDA_DOUBLE_PRECISION}, {"single", QUDA_SINGLE_PRECISION}};

  /// What is wanted, beside the operator.
  struct Wish {
    QudaEigType type = QUDA_EIG_TR_LANCZOS;
    QudaEigSpectrumType spectrum = QUDA_SPECTRUM_SR_EIG;
    int n_conv = -1, n_ev = 16, n_kr = 32, block = 4; // n_conv negative: n_ev
    double tol = -1;                                  // negative: by --prec
    int restarts = 100;
    bool norm_op = true, dagger = false, pc = true, gamma5 = false, svd = false;
    bool polynomial = false;
    int degree = 50;
    double a_min = 0, a_max = 0;
    bool require = true;
    std::string load, save; // files of the vectors
    QudaPrecision save_prec = QUDA_DOUBLE_PRECISION;
    bool inflate = false;
  };

  void add_eigen_options(CommandLine &line, Wish &wish)
  {
    line.add_choice("--eig-type", wish.type, methods, "Method: thick-restart Lanczos, Arnoldi, or either in blocks");
    line.add_choice("--eig-spectrum", wish.spectrum, spectra,
                    "Smallest or largest (S, L) real parts, imaginary parts or moduli (R, I, M)");
    line.add("--eig-n-conv", wish.n_conv, "Pairs wanted [--eig-n-ev]", {1, 100000});
    line.add("--eig-n-ev", wish.n_ev, "Vectors kept at a restart at least", {1, 100000});
    line.add("--eig-n-kr", wish.n_kr, "Vectors of the Krylov space", {2, 100000});
    line.add("--eig-block-size", wish.block, "Vectors multiplied at once by the methods in blocks", {1, 1024});
    line.add("--eig-tol", wish.tol, "Wanted residual, over the eigenvalue [1e-10, with --prec single 1e-4]",
             not_negative);
    line.add("--eig-max-restarts", wish.restarts, "Most restarts", {0, 1000000});
    line.add("--eig-use-normop", wish.norm_op, "The matrix is M^dag M");
    line.add("--eig-use-dagger", wish.dagger, "The adjoint in place of M");
    line.add("--eig-use-pc", wish.pc, "M is the even-odd preconditioned matrix");
    line.add("--eig-compute-gamma5", wish.gamma5, "The matrix is gamma5 M");
    line.add("--eig-compute-svd", wish.svd, "Singular vectors, too, of M");
    line.add("--eig-use-poly-acc", wish.polynomial, "Chebyshev polynomials of the matrix");
    line.add("--eig-poly-deg", wish.degree, "Their degree", {1, 100000});
    line.add("--eig-amin", wish.a_min, "Lower end of their window; 0: found");
    line.add("--eig-amax", wish.a_max, "Upper end of it; 0: found");
    line.add("--eig-require-convergence", wish.require, "Fails where pairs have not converged");
    line.add("--eig-load-vec", wish.load, "File of the vectors, in place of a search [none]");
    line.add("--eig-save-vec", wish.save, "File that the vectors are written to [none]");
    line.add_choice("--eig-save-prec", wish.save_prec, file_precisions, "Precision in it");
    line.add("--eig-io-parity-inflate", wish.inflate, "Vectors of one parity stand on all sites in it");
  }

  QudaBoolean flag(bool yes) { return yes ? QUDA_BOOLEAN_TRUE : QUDA_BOOLEAN_FALSE; }

  QudaEigParam eigen_param(const Wish &wish, QudaInvertParam &invert)
  {
    QudaEigParam param = newQudaEigParam();
    param.invert_param = &invert;
    param.eig_type = wish.type;
    param.spectrum = wish.spectrum;
    param.n_conv = wish.n_conv;
    param.n_ev = wish.n_ev;
    param.n_kr = wish.n_kr;
    if (wish.type == QUDA_EIG_BLK_TR_LANCZOS || wish.type == QUDA_EIG_BLK_IR_ARNOLDI) param.block_size = wish.block;
    param.tol = wish.tol;
    param.max_restarts = wish.restarts;
    param.use_norm_op = flag(wish.norm_op);
    param.use_dagger = flag(wish.dagger);
    param.use_pc = flag(wish.pc);
    param.compute_gamma5 = flag(wish.gamma5);
    param.compute_svd = flag(wish.svd);
    param.use_poly_acc = flag(wish.polynomial);
    param.poly_deg = wish.degree;
    param.a_min = wish.a_min;
    param.a_max = wish.a_max;
    param.require_convergence = flag(wish.require);
    const auto name_file = [](const char *option, char(&to)[256], const std::string &name) {
      if (name.size() >= sizeof to) throw UsageError(std::string(option) + ": the name is longer than 255 characters");
      std::copy_n(name.c_str(), name.size() + 1, to);
    };
    name_file("--eig-load-vec", param.vec_infile, wish.load);
    name_file("--eig-save-vec", param.vec_outfile, wish.save);
    param.save_prec = wish.save_prec;
    param.io_parity_inflate = flag(wish.inflate);
    return param;
  }

  /// The wanted matrix by the plain reference.
  class Plain
  {
  public:
    Plain(const HostGauge &gauge, const Options &options, const Wish &wish)
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
    const Wish &wish_;
  };

  double distance(const Spinors &a, Complex factor, const Spinors &b) // |a - factor b|
  {
    Spinors rest = a;
    for (std::size_t i = 0; i < a.size(); i++) rest[i] -= factor * b[i];
    return std::sqrt(reference::norm2(rest));
  }

  bool verify(const Process &process, const HostGauge &gauge, const Options &options, const Wish &wish,
              const std::vector<Complex> &values, const std::vector<std::vector<double>> &vectors)
  {
    const Plain plain(gauge, options, wish);
    const double rounding = options.prec == QUDA_DOUBLE_PRECISION ? 1e-13 : 1e-4;
    bool good = true;
    say(process, "number  eigenvalue                                        residual by the plain reference\n");
    for (std::size_t i = 0; i < values.size(); i++) {
      const Spinors v = gathered(process, gauge, vectors[i], plain.parity());
      const Complex value = wish.svd ? values[i] * values[i] : values[i];
      const double rest = distance(plain.apply(v), value, v), norm = std::sqrt(reference::norm2(v));
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

  int run(const Process &process, const std::string &program, Options &options, Wish &wish)
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
    if (!options.verify) return 0;
    const bool good = verify(process, gauge, options, wish, values, vectors);
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
    Wish wish;
    options.dslash_type = type;
    if (staggered(options)) wish.norm_op = false; // on one parity it is Hermitian itself
    add_common_options(line, options);
    add_dirac_options(line, options);
    add_eigen_options(line, wish);
    int code = 0;
    return line.parse(argc, argv, process.rank(), code) ? run(process, name, options, wish) : code;
  });
}

} // namespace program
