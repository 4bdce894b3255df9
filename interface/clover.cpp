/// Clover term: load, compute, apply, free.
///
///   loadCloverQuda   : A and A^-1 from the host, or from the resident links; it stays until a call of this file
///                      changes it, whatever happens to the links; refuses an inverse of another matrix than A
///   createCloverQuda : the same from the resident links; replaces a resident term
///   cloverQuda       : out = A in or A^-1 in on one parity
/// With QUDA_TWISTED_CLOVER_DSLASH A^-1 and trlogA are those of A^2 + (2 kappa mu)^2 - (2 kappa epsilon)^2.
/// A = 1 - clover_coeff sum_{mu > nu} gamma_mu gamma_nu F_{mu nu}, F of the links as they are stored. Each load
/// computes anew. Full and asymmetric operators, which apply A without its inverse, add 2 clover_rho to it; cloverQuda
/// and the inverse do not. Copies for solvers are made when used.

#include "quda.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/application.h"
#include "interface/host_clover.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/observables.h"
#include "interface/params/complete_param.h"
#include "interface/quark_job.h"
#include "ops/blas/blas.h"
#include "ops/clover/term.h"
#include "ops/dirac/clover.h"

#include <cmath>
#include <optional>

namespace quda
{

namespace
{

  constexpr const char *with_clover_terms =
      "QUDA_CLOVER_WILSON_DSLASH, QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH, QUDA_TWISTED_CLOVER_DSLASH";

  /// A checked load.
  struct CloverLoadJob {
    const char *function;
    QudaInvertParam *param;
    const LinkSet *links;
    CloverParam field;                            // of the library's field
    std::optional<HostClover> host, host_inverse; // the caller's arrays
    bool read, read_inverse, returned, inverse_returned;
    bool invert;
    double coefficient;
    std::optional<double> square; // A^2 + this is inverted
  };

  double coefficient_of(Checks &checks, const QudaInvertParam &param)
  {
    using P = QudaInvertParam;
    check(checks, param, &P::clover_coeff);
    if (param.clover_coeff != 0) return param.clover_coeff;
    check(checks, param, &P::clover_csw, &P::kappa);
    if (param.clover_csw == 0 || param.kappa == 0)
      fail(
          ErrorKind::bad_argument,
          text(
              "%s: QudaInvertParam.clover_coeff = 0 with clover_csw = %g, kappa = %g; allowed where the clover term is "
              "computed: clover_coeff other than 0, or the other two",
              checks.function, param.clover_csw, param.kappa));
    return param.kappa * param.clover_csw;
  }

  /// host: whether the host may pass and receive arrays.
  CloverLoadJob prepare(Checks &checks, void *h_clover, void *h_clovinv, QudaInvertParam *param, bool host)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::dslash_type, &P::clover_cuda_prec, &P::clover_cuda_prec_sloppy,
          &P::clover_cuda_prec_refinement_sloppy, &P::clover_cuda_prec_precondition, &P::clover_cuda_prec_eigensolver,
          &P::clover_rho, &P::compute_clover_trlog, &P::compute_clover_inverse);
    const bool twisted = param->dslash_type == QUDA_TWISTED_CLOVER_DSLASH;
    if (param->dslash_type != QUDA_CLOVER_WILSON_DSLASH && !twisted &&
        param->dslash_type != QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH)
      fail(ErrorKind::unsupported, text("%s: QudaInvertParam.dslash_type = %s; allowed: %s", function,
                                        value_text(param->dslash_type).c_str(), with_clover_terms));
    const Precision precision = kept_in(function, "QudaInvertParam.clover_cuda_prec", param->clover_cuda_prec);

    CloverLoadJob load {};
    load.function = function;
    load.param = param;
    load.links = &checks.session.wilson.set(function);
    const GaugeField &links = load.links->precise();
    load.field.lattice = links.shared_lattice();
    load.field.precision = precision;
    load.invert = param->compute_clover_inverse;
    if (twisted && (load.invert || param->compute_clover_trlog || (host && h_clovinv)))
      load.square = twist_of(checks, *param).square();
    if (host) {
      check(checks, *param, &P::compute_clover, &P::return_clover, &P::return_clover_inverse);
      checks.same("whether h_clover is null", h_clover == nullptr);
      checks.same("whether h_clovinv is null", h_clovinv == nullptr);
      if (h_clover || h_clovinv) {
        check(checks, *param, &P::clover_cpu_prec, &P::clover_order);
      }
      load.read = h_clover && !param->compute_clover;
      load.read_inverse = h_clovinv && !param->compute_clover_inverse;
      load.returned = param->return_clover;
      load.inverse_returned = param->return_clover_inverse;
      const auto arrays = [&](std::optional<HostClover> &host, const char *name, void *array, bool read, bool written) {
        if (!read && !written) return;
        host.emplace(function, name, array, *param, load.field);
        if (written) host->check_written();
        if (read) host->read();
      };
      arrays(load.host, "h_clover", h_clover, load.read, load.returned);
      arrays(load.host_inverse, "h_clovinv", h_clovinv, load.read_inverse, load.inverse_returned);
      load.invert = load.invert || (load.inverse_returned && !load.read_inverse);
    }
    if (!load.read) {
      load.coefficient = coefficient_of(checks, *param);
      if (links.anisotropy() != 1)
        fail(
            ErrorKind::bad_argument,
            text(
                "%s: the resident gauge field was loaded with QudaGaugeParam.anisotropy = %g; allowed where the clover "
                "term is computed: 1, of links that carry their factors",
                function, links.anisotropy()));
    }
    return load;
  }

  CloverLoadJob prepare_load(Checks &checks, void *h_clover, void *h_clovinv, QudaInvertParam *param)
  {
    return prepare(checks, h_clover, h_clovinv, param, true);
  }
  CloverLoadJob prepare_creation(Checks &checks, QudaInvertParam *param)
  {
    check_struct(checks.function, param);
    checks.session.loaded_clover(checks.function);
    return prepare(checks, nullptr, nullptr, param, false);
  }

  CloverField computed(const CloverLoadJob &load)
  {
    CloverParam param = load.field;
    param.precision = load.links->precise().precision();
    CloverField term(param);
    clover_term(term, load.links->with_border(observable_border), load.coefficient);
    return term;
  }

  /// |B A v - v| / |v| for a vector v without a pattern. Collective.
  double defect(const CloverField &A, const CloverField &B)
  {
    ColorSpinorParam shape;
    shape.lattice = A.shared_lattice();
    shape.precision = A.precision();
    ColorSpinorParam of_host = shape;
    of_host.order = DiracOrder::dirac;
    of_host.location = Location::host;
    of_host.precision = Precision::double_;
    ColorSpinorField numbers(of_host), v(shape), w(shape), u(shape);
    double *const real = static_cast<double *>(numbers.data());
    for (long long k = 0; k < 24 * A.lattice().volume(); k++) real[k] = std::cos(0.7 * static_cast<double>(k * k));
    v = numbers;
    apply_clover(w, v, A);
    apply_clover(u, w, B);
    return std::sqrt(blas::xmyNorm(v, u) / blas::norm2(v));
  }

  /// Refuses a given inverse that is not the inverse of A, or of A^2 + square.
  void check_inverse(const CloverLoadJob &load, const CloverField &term, const CloverField &inverse)
  {
    std::optional<CloverField> squared;
    if (load.square) clover_square(squared.emplace(load.field), term, *load.square);
    const double found = defect(squared ? *squared : term, inverse);
    const Precision worse =
        load.host_inverse->field().precision() == Precision::double_ ? term.precision() : Precision::single;
    const double allowed = worse == Precision::double_ ? 1e-9 : 1e-3;
    if (found <= allowed) return;
    throw FoundTogether(ErrorKind::bad_argument,
                        text("%s: h_clovinv is not the inverse of %s: |B A v - v| / |v| = %.3g of a vector v; allowed: "
                             "up to %g",
                             load.function, load.square ? "A^2 + (2 kappa mu)^2 - (2 kappa epsilon)^2" : "the term A",
                             found, allowed));
  }

  void load_clover(Session &session, CloverLoadJob &load)
  {
    QudaInvertParam &param = *load.param;
    if (log_prints(Verbosity::debug)) printQudaInvertParam(&param);
    auto term = std::make_unique<CloverField>(load.field);
    std::unique_ptr<CloverField> inverse;
    if (load.read_inverse || load.invert) inverse = std::make_unique<CloverField>(load.field);
    if (load.read) {
      const PhaseScope phase(Phase::h2d);
      *term = load.host->field();
    } else {
      const PhaseScope phase(Phase::compute);
      *term = computed(load);
    }
    if (load.read_inverse) {
      const PhaseScope phase(Phase::h2d);
      *inverse = load.host_inverse->field();
    }
    if (load.read_inverse) {
      const PhaseScope phase(Phase::compute);
      check_inverse(load, *term, *inverse);
    }
    if (load.invert || param.compute_clover_trlog) {
      const PhaseScope phase(Phase::compute);
      std::optional<CloverField> squared;
      if (load.square) clover_square(squared.emplace(load.field), *term, *load.square);
      const CloverDeterminants found =
          clover_inverse(load.invert ? inverse.get() : nullptr, squared ? *squared : *term);
      const std::string negative = text("the clover term is not positive definite in %lld of %lld chiral blocks",
                                        found.not_positive, found.blocks);
      if (found.not_positive > 0 && load.invert)
        throw FoundTogether(ErrorKind::bad_argument,
                            text("%s: %s, clover_coeff = %g; allowed where it is inverted: positive definite ones",
                                 load.function, negative.c_str(), load.read ? param.clover_coeff : load.coefficient));
      if (found.not_positive > 0) warn("%s: %s; trlogA is that of its absolute value", load.function, negative.c_str());
      if (param.compute_clover_trlog) std::copy(found.log, found.log + 2, param.trlogA);
    }
    {
      const PhaseScope phase(Phase::d2h);
      if (load.returned) load.host->write(*term);
      if (load.inverse_returned) load.host_inverse->write(*inverse);
    }
    if (!load.read) param.clover_coeff = load.coefficient;
    complete_clover_param(param);
    CloverSet &resident = session.clover;
    if (load.square) {
      resident.load(std::move(term), nullptr);
      if (inverse) resident.load_inverse_square(*load.square, std::move(inverse));
    } else {
      resident.load(std::move(term), std::move(inverse));
    }
    resident.shift = 2 * param.clover_rho;
  }

  QuarkJob prepare_application(Checks &checks, void *h_out, const void *h_in, const QudaInvertParam *param,
                               QudaParity parity, int inverse)
  {
    check_struct(checks.function, param);
    check_argument(checks.function, "parity", parity);
    checks.same("parity", parity);
    checks.same("inverse", inverse != 0);
    QuarkJob application = quark_job(checks, *param, true);
    if (!clover_of(application.dirac))
      fail(ErrorKind::bad_argument, text("%s: QudaInvertParam.dslash_type = %s; allowed: %s", checks.function,
                                         value_text(param->dslash_type).c_str(), with_clover_terms));
    const int on = parity == QUDA_ODD_PARITY ? 1 : 0;
    add_fields(checks.function, application, *param, {"h_out", h_out, on}, {"h_in", h_in, on});
    return application;
  }

} // namespace

constexpr JobOf<::loadCloverQuda> jobs::loadCloverQuda {"loadCloverQuda", by<prepare_load, load_clover>};

} // namespace quda

extern "C" {

void loadCloverQuda(void *h_clover, void *h_clovinv, QudaInvertParam *param)
{
  quda::jobs::loadCloverQuda.call(h_clover, h_clovinv, param);
}

void createCloverQuda(QudaInvertParam *clover_param)
{
  quda::guard_job(__func__, quda::by<quda::prepare_creation, quda::load_clover>, clover_param);
}

void cloverQuda(void *h_out, void *h_in, QudaInvertParam *inv_param, QudaParity parity, int inverse)
{
  quda::guard_collective(
      __func__,
      [&](quda::Checks &checks) { return quda::prepare_application(checks, h_out, h_in, inv_param, parity, inverse); },
      [&](quda::QuarkJob &job) {
        using namespace quda;
        carry_out(job, *inv_param, [&](const Dirac &, ColorSpinorField &out, const ColorSpinorField &in) {
          const CloverSet &set = *clover_of(job.dirac);
          const auto *const twisted = std::get_if<TwistedFermions>(&job.dirac);
          const Precision precision = in.precision();
          apply_clover(out, in,
                       !inverse  ? set.copy(precision)
                       : twisted ? set.inverse_square(twisted->twist.square(), precision)
                                 : set.inverse(precision));
          return 504.0 * static_cast<double>(in.sites());
        });
      });
}

void freeCloverQuda(void)
{
  quda::guard(__func__, [](quda::Session &session) { session.clover.clear(); });
}

} // extern "C"
