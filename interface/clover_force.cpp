/// Forces of Wilson-type and domain-wall fermions, from the solutions of their pseudofermions or from pairs of fields,
/// on the resident links and clover term.
///
///   computeCloverForceQuda   : A_mu(x) = TA(A_mu(x) + dt U_mu(x) dS/dU_mu(x)), S = sum_i coeff[i] phi^dag (M^dag M)^-1
///                              phi - multiplicity ln det A of the sites without x, where kappa2 = -kappa^2 and
///                              ck = -clover_coeff / 8; x_i = (M^dag M)^-1 phi, M = M_pc. dagger = QUDA_DAG_NO: M^dag in
///                              place of M
///   computeQuarkForceQuda    : the same with kappa2 = -kappa^2 and ck = -clover_coeff / 8 of inv_param; with x0 = -phi
///                              the force of S = sum_i coeff[i] |M^-dag M_2^dag phi|^2, where M_2 differs from M by a
///                              constant on the sites of x only; x_i = (M^dag M)^-1 M_2^dag phi. Also for domain-wall
///                              fermions, without x0; for the one-flavour operator S = sum_i coeff[i] xi^dag H^-1 xi, H
///                              = gamma5 R5 M (b + c T)^-1, x_i = M^-1 R5 gamma5 xi on all sites
///   computeQuarkPairForceQuda : S = 2 sum_i coeff[i] Re left_i^dag M right_i of fixed fields, M on all sites or M_pc,
///                              such as the part of M_2 in a ratio with Pauli-Villars fields
///   computeTMCloverForceQuda : A_mu(x) = TA(A_mu(x) - 2 U_mu(x) dS/dU_mu(x)) with coeff[i] = 4 kappa^2, M that of -mu
///                              and -tm_rho, S as above with multiplicity 2, or with detratio that of a ratio, without
///                              determinant and with x0_i = -gamma5 phi. For a doublet (M^dag M / evmax^2 + r)^-1 with
///                              coeff[i] = 4 kappa^2 c / evmax means c phi^dag (...)^-1 phi; there detratio only leaves
///                              out the determinant. clover_csw, or clover_coeff / kappa if it is 0, is that of the
///                              links
/// For operators with a twist in A, ln det A stands for half of ln det(A^2 + a^2 - e^2), a = 2 kappa mu, e = 2 kappa
/// epsilon. The forces are right for both parities of matpc_type: QUDA weights sites by their parity, these weight them
/// by whether x lives on them. Operators without a clover term have no determinant, and its parameters are not read.
/// Momenta: interface/link_source.h; only the flags decide what is returned and kept. With the force monitor on
/// (ops/force/force_monitor.h) the last step is done once more, only for the record.

#include "quda.h"
#include "quda_ext.h"

#include "core/profile.h"
#include "dirac/dirac_domain_wall.h"
#include "dirac/gamma5_times.h"
#include "dirac/make_dirac.h"
#include "dirac/quark_force.h"
#include "interface/domain_wall.h"
#include "interface/guard.h"
#include "interface/host_spinors.h"
#include "interface/invert.h"
#include "interface/jobs.h"
#include "interface/link_source.h"
#include "interface/momentum_step.h"
#include "interface/params/param_table.h"
#include "interface/quark_job.h"
#include "ops/clover/term.h"
#include "ops/force/force_monitor.h"
#include "ops/force/link_gradient.h"
#include "ops/force/quark_gradient.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace quda
{

namespace
{

  /// Weights of the terms of a force besides the coefficients, in the units of ops/force/quark_gradient.h.
  struct ForceWeights {
    double hop = 0;
    bool of_pairs = false;      // hop is in units of the factor of their pairs (dirac/dirac.h)
    double here = 0, other = 0; // of the clover terms on the sites of x, and on the others
    double determinant = 0;     // on the others
  };

  /// Kind of the fields in the arguments: x of one kind of operator or of both kinds, or both fields of a pair.
  enum class Given { wilson_x, any_x, pairs };

  struct QuarkForceJob {
    QuarkJob quarks; // h_in: x, unless it is resident, and for a ratio x0; or left and right
    Given given;
    std::optional<MatPC> matpc; // none: fields on all sites
    std::vector<double> coeff;
    ForceWeights weights;
    double step;                        // of momenta
    const ColorSpinorField *resident_x; // null: the host's
    bool ratio;
    bool gamma5_x0; // replaces x0
    MomentumSource momentum;
    bool overwrite, recorded;

    int parity() const { return matpc ? parity_of(*matpc) : -1; }
    bool one_flavour() const
    {
      const auto *const moebius = std::get_if<MoebiusFermions>(&quarks.dirac);
      return given != Given::pairs && moebius && moebius->term;
    }
    std::size_t terms() const { return coeff.size(); }
  };

  /// Checks a number of the caller's, which is the same on all ranks.
  void check_same(Checks &checks, const char *name, double value)
  {
    check_number(checks.function, name, value);
    checks.same(name, value);
  }

  /// asymmetric_only: of the forms on one parity only the asymmetric ones.
  std::optional<MatPC> check_form(Checks &checks, const QudaInvertParam &param, Given given, bool asymmetric_only)
  {
    using P = QudaInvertParam;
    check(checks, param, &P::matpc_type, &P::solution_type);
    const QudaSolutionType solution = param.solution_type;
    const bool one_flavour = given != Given::pairs && param.dslash_type == QUDA_MOBIUS_DWF_EOFA_DSLASH,
               full = (one_flavour || given == Given::pairs) && solution == QUDA_MAT_SOLUTION;
    const QudaSolutionType of_half = given == Given::pairs ? QUDA_MATPC_SOLUTION : QUDA_MATPCDAG_MATPC_SOLUTION;
    if (one_flavour ? !full : !full && solution != of_half)
      refuse(checks.function, "QudaInvertParam.solution_type", value_text(solution),
             one_flavour             ? "QUDA_MAT_SOLUTION of the one-flavour operator"
             : given == Given::pairs ? "QUDA_MAT_SOLUTION, QUDA_MATPC_SOLUTION"
                                     : "QUDA_MATPCDAG_MATPC_SOLUTION");
    if (full) return {};
    const MatPC matpc = static_cast<MatPC>(param.matpc_type);
    if (asymmetric_only && symmetric(matpc))
      refuse(checks.function, "QudaInvertParam.matpc_type", value_text(param.matpc_type),
             "QUDA_MATPC_EVEN_EVEN_ASYMMETRIC, QUDA_MATPC_ODD_ODD_ASYMMETRIC, and of Wilson fermions all");
    return matpc;
  }

  void check_resident_solution(const char *function, const QuarkForceJob &job)
  {
    const ColorSpinorField *const x = job.resident_x;
    const SpinorShape shape = spinor_shape(job.quarks.dirac);
    const GaugeField &links = job.quarks.links->precise();
    const int parities = job.matpc ? 1 : 2;
    if (!x || x->spins() != 4 || x->fifth() != shape.fifth || x->flavours() != shape.flavours ||
        x->parities() != parities || (job.matpc && x->parity() != job.parity()) ||
        static_cast<std::size_t>(x->rhs()) != job.terms() || x->precision() != links.precision() ||
        !same_sites(x->lattice(), links.lattice()))
      refuse(function, "QudaInvertParam.use_resident_solution", "1",
             "after a solve with make_resident_solution = 1 of as many solutions as nvector, on the parity of "
             "matpc_type, of the operator of dslash_type in the precision and on the lattice of the resident links");
  }

  void check_kind(const char *function, const QudaInvertParam &param, const DiracParam &dirac, Given given)
  {
    if (std::holds_alternative<WilsonFermions>(dirac) || std::holds_alternative<CloverFermions>(dirac) ||
        std::holds_alternative<HasenbuschFermions>(dirac) || std::holds_alternative<TwistedFermions>(dirac) ||
        (given != Given::wilson_x && domain_wall(param.dslash_type)))
      return;
    const std::string of_wilson_type = "QUDA_WILSON_DSLASH, QUDA_CLOVER_WILSON_DSLASH, QUDA_TWISTED_MASS_DSLASH, "
                                       "QUDA_TWISTED_CLOVER_DSLASH, QUDA_CLOVER_HASENBUSCH_TWIST_DSLASH",
                      domain_walls = ", QUDA_DOMAIN_WALL_DSLASH, QUDA_DOMAIN_WALL_4D_DSLASH, QUDA_MOBIUS_DWF_DSLASH, "
                                     "QUDA_MOBIUS_DWF_EOFA_DSLASH";
    refuse(function, "QudaInvertParam.dslash_type", value_text(param.dslash_type),
           (of_wilson_type + (given == Given::wilson_x ? "" : domain_walls)).c_str(), ErrorKind::unsupported);
  }

  void add_inputs(const char *function, QuarkForceJob &job, const char *name, void *const *x,
                  const QudaInvertParam &param)
  {
    check_not_null(function, name, x);
    for (std::size_t i = 0; i < job.terms(); i++)
      add_input(function, job.quarks, param, {text("%s[%zu]", name, i), x[i], job.parity()});
  }

  /// name: the name of x in messages.
  QuarkForceJob prepare(Checks &checks, void *mom, const char *name, void *const *x, const double *coeff, int nvector,
                        const QudaGaugeParam *gauge_param, const QudaInvertParam *invert_param, Given given)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    check_struct(function, gauge_param);
    check_struct(function, invert_param);
    check_range(function, given == Given::pairs ? "npairs" : "nvector", nvector, 1, 1 << 20);
    checks.same("nvector", nvector);
    check_not_null(function, "coeff", coeff);
    for (int i = 0; i < nvector; i++) {
      check_number(function, text("coeff[%d]", i).c_str(), coeff[i]);
      checks.same("coeff", coeff[i]);
    }
    check(checks, *invert_param, &P::dslash_type);
    if (!domain_wall(invert_param->dslash_type)) check(checks, *invert_param, &P::kappa);
    if (given != Given::pairs) check(checks, *invert_param, &P::use_resident_solution);
    QuarkJob quarks = quark_job(checks, *invert_param, false);
    check_kind(function, *invert_param, quarks.dirac, given);
    const bool constant =
        std::holds_alternative<WilsonFermions>(quarks.dirac) || domain_wall(invert_param->dslash_type);
    const std::optional<MatPC> matpc = check_form(checks, *invert_param, given, !constant);
    check(checks, *gauge_param, &QudaGaugeParam::overwrite_mom);
    const bool overwrite = gauge_param->overwrite_mom != 0, recorded = force_monitor();
    checks.same("QUDA_ENABLE_FORCE_MONITOR", recorded);
    const bool resident = given != Given::pairs && invert_param->use_resident_solution != 0;
    QuarkForceJob job {std::move(quarks),
                       given,
                       matpc,
                       {coeff, coeff + nvector},
                       {},
                       1,
                       resident ? checks.session.solution.get() : nullptr,
                       false,
                       false,
                       momentum_source(checks, "mom", mom, *gauge_param, invert_param->cuda_prec,
                                       "QudaInvertParam.cuda_prec", !overwrite, true),
                       overwrite,
                       recorded};
    if (!same_sites(*job.momentum.field.lattice, job.quarks.links->precise().lattice()))
      refuse(function, "QudaGaugeParam.X", "another lattice", "that of the resident gauge field");
    if (resident)
      check_resident_solution(function, job);
    else
      add_inputs(function, job, name, x, *invert_param);
    return job;
  }

  QuarkForceJob prepare_clover(Checks &checks, void *mom, double dt, void *const *x, void *const *, const double *coeff,
                               double kappa2, double ck, int nvector, double multiplicity, const void *,
                               const QudaGaugeParam *gauge_param, const QudaInvertParam *invert_param)
  {
    QuarkForceJob job = prepare(checks, mom, "x", x, coeff, nvector, gauge_param, invert_param, Given::wilson_x);
    check_same(checks, "dt", dt);
    check_same(checks, "kappa2", kappa2);
    job.step = dt;
    job.weights.hop = 2 * kappa2;
    if (!clover_of(job.quarks.dirac)) return job;
    check_same(checks, "ck", ck);
    check_same(checks, "multiplicity", multiplicity);
    job.weights.here = 16 * ck;
    job.weights.other = -kappa2 * 16 * ck;
    job.weights.determinant = 8 * ck * multiplicity;
    return job;
  }

  void add_ratio(const char *function, QuarkForceJob &job, const char *name, void *const *x0,
                 const QudaInvertParam &param)
  {
    job.ratio = true;
    add_inputs(function, job, name, x0, param);
  }

  /// Coefficient of a clover term; 0: there is none.
  double clover_coefficient(Checks &checks, const QuarkForceJob &job, const QudaInvertParam &param)
  {
    using P = QudaInvertParam;
    if (!clover_of(job.quarks.dirac)) return 0;
    check(checks, param, &P::clover_coeff, &P::clover_csw);
    return param.clover_coeff != 0 ? param.clover_coeff : param.kappa * param.clover_csw;
  }

  QuarkForceJob prepare_quark(Checks &checks, void *mom, double dt, void *const *x, void *const *x0,
                              const double *coeff, int nvector, double multiplicity, const QudaGaugeParam *gauge_param,
                              const QudaInvertParam *invert_param)
  {
    QuarkForceJob job = prepare(checks, mom, "x", x, coeff, nvector, gauge_param, invert_param, Given::any_x);
    check_same(checks, "dt", dt);
    job.step = dt;
    checks.same("whether x0 is null", x0 == nullptr);
    if (domain_wall(invert_param->dslash_type)) {
      if (x0)
        refuse(checks.function, "x0", "not null with dslash_type = " + value_text(invert_param->dslash_type),
               "null; what the other operator of a ratio adds is a pair of computeQuarkPairForceQuda()",
               ErrorKind::unsupported);
      job.weights = {.hop = 2, .of_pairs = true};
      if (job.one_flavour()) { // ratio of (b + c T) to the factor in their pairs
        const auto &of = std::get<MoebiusFermions>(job.quarks.dirac);
        job.weights.hop =
            2 * MoebiusMatrices(of).hop * (of.b[0].real() * (4 + of.m5) + 1); // of -S, dS = -Re l^dag dM x
      }
      return job;
    }
    if (x0) add_ratio(checks.function, job, "x0", x0, *invert_param);
    const double coefficient = clover_coefficient(checks, job, *invert_param);
    if (clover_of(job.quarks.dirac)) check_same(checks, "multiplicity", multiplicity);
    const double kappa2 = -invert_param->kappa * invert_param->kappa;
    job.weights = {2 * kappa2, false, -2 * coefficient, 2 * kappa2 * coefficient, -coefficient * multiplicity};
    return job;
  }

  QuarkForceJob prepare_pairs(Checks &checks, void *mom, double dt, void *const *left, void *const *right,
                              const double *coeff, int npairs, const QudaGaugeParam *gauge_param,
                              const QudaInvertParam *invert_param)
  {
    QuarkForceJob job = prepare(checks, mom, "left", left, coeff, npairs, gauge_param, invert_param, Given::pairs);
    check_same(checks, "dt", dt);
    job.step = dt;
    add_inputs(checks.function, job, "right", right, *invert_param);
    const double coefficient = clover_coefficient(checks, job, *invert_param), kappa = invert_param->kappa;
    job.weights = {-2, true, 2 * coefficient, 2 * coefficient * (job.matpc && coefficient != 0 ? kappa * kappa : 1), 0};
    return job;
  }

  QuarkForceJob prepare_twisted(Checks &checks, void *mom, void *const *x, void *const *x0, const double *coeff,
                                int nvector, const QudaGaugeParam *gauge_param, const QudaInvertParam *invert_param,
                                int detratio)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    QuarkForceJob job = prepare(checks, mom, "h_x", x, coeff, nvector, gauge_param, invert_param, Given::wilson_x);
    check_range(function, "detratio", detratio, 0, 1);
    checks.same("detratio", detratio);
    if (std::holds_alternative<HasenbuschFermions>(job.quarks.dirac))
      refuse(function, "QudaInvertParam.dslash_type", value_text(invert_param->dslash_type),
             "an operator of that function's; computeQuarkForceQuda() knows this one", ErrorKind::unsupported);
    auto *const twisted = std::get_if<TwistedFermions>(&job.quarks.dirac);
    double scale = 1;
    if (twisted) {
      twisted->twist.mu = -twisted->twist.mu;
      twisted->twist.rho = -twisted->twist.rho;
      if (twisted->twist.flavours == 2) {
        check(checks, *invert_param, &P::evmax);
        scale = 1 / invert_param->evmax;
      }
    }
    const bool doublet = twisted && twisted->twist.flavours == 2;
    if (detratio && !doublet) add_ratio(function, job, "h_x0", x0, *invert_param);
    job.gamma5_x0 = true;
    job.weights.hop = scale;
    if (!clover_of(job.quarks.dirac)) return job;
    check(checks, *invert_param, &P::clover_csw, &P::clover_coeff);
    const double kappa = invert_param->kappa;
    if (kappa == 0) refuse(function, "QudaInvertParam.kappa", "0", "a number other than 0");
    const double csw = invert_param->clover_csw != 0 ? invert_param->clover_csw : invert_param->clover_coeff / kappa;
    job.weights = {scale, false, scale * csw / kappa, scale * csw * kappa, detratio ? 0 : 4 * kappa * csw};
    return job;
  }

  /// The resident links as whole matrices, without borders.
  class WholeLinks
  {
  public:
    explicit WholeLinks(const LinkSet &set)
        : set_(&set)
    {
      const GaugeField &links = set.precise();
      if (links.reconstruct() == Reconstruct::none && !links.extended()) return;
      own_.emplace(set.copy({links.precision(), Reconstruct::none}));
      set_ = &*own_;
    }
    const LinkSet &set() const { return *set_; }

  private:
    std::optional<LinkSet> own_;
    const LinkSet *set_;
  };

  /// Loads x, or x0, of some terms to their sites of full fields.
  void load_some(const char *function, const QuarkForceJob &job, ColorSpinorField &block, std::size_t first,
                 std::size_t from)
  {
    const auto count = static_cast<std::size_t>(block.rhs());
    {
      const PhaseScope phase(Phase::h2d);
      load_block(block, std::span(job.quarks.h_in).subspan(from + first, count));
    }
    check_finite(
        function, [&](std::size_t n) { return job.quarks.in_names[from + first + n]; }, block);
  }

  /// Loads and completes the terms from `first` on, as many as the fields hold. Returns the factor of their pairs.
  double load_pairs(const char *function, const QuarkForceJob &job, const Dirac &dirac, std::size_t first,
                    ColorSpinorField &left, ColorSpinorField &right)
  {
    const int count = left.rhs();
    const bool dagger = job.quarks.dagger;
    const auto part = [&](ColorSpinorField &field) {
      return job.matpc ? field.half(job.parity()) : field.columns(0, count);
    };
    ColorSpinorField l = part(left), r = part(right);
    if (job.given == Given::pairs) { // M^dag exchanges the two
      load_some(function, job, dagger ? r : l, first, 0);
      load_some(function, job, dagger ? l : r, first, job.terms());
      const PhaseScope phase(Phase::compute);
      return dirac.gradient_pair(left, right, job.matpc);
    }
    ColorSpinorField &x = dagger || job.one_flavour() ? r : l;
    if (job.resident_x)
      x = job.resident_x->columns(static_cast<int>(first), count);
    else
      load_some(function, job, x, first, 0);
    std::optional<ColorSpinorField> x_0;
    if (job.ratio) {
      x_0.emplace(dirac.shape(job.parity(), count));
      load_some(function, job, *x_0, first, job.resident_x ? 0 : job.terms());
    }
    const PhaseScope phase(Phase::compute);
    if (x_0 && job.gamma5_x0) times_gamma5(*x_0, *x_0);
    if (job.one_flavour()) return complete_one_flavour_pair(dirac, left, right);
    return complete_force_pair(dirac, *job.matpc, !dagger, left, right, x_0 ? &*x_0 : nullptr);
  }

  /// Adds the terms, a few at a time: there may be dozens.
  void add_pairs(const char *function, const QuarkForceJob &job, const Dirac &dirac, QuarkGradient &gradient)
  {
    const std::size_t together = quark_pairs_together(dirac.shape(-1, 1));
    const int parity = job.matpc ? job.parity() : 0;
    double clover[2];
    clover[parity] = job.weights.here;
    clover[1 - parity] = job.weights.other;
    for (std::size_t first = 0; first < job.terms(); first += together) {
      const auto count = static_cast<int>(std::min(together, job.terms() - first));
      ColorSpinorField left(dirac.shape(-1, count)), right(dirac.shape(-1, count));
      const double factor = load_pairs(function, job, dirac, first, left, right);
      const PhaseScope phase(Phase::compute);
      gradient.add({left, right, std::span(job.coeff).subspan(first, static_cast<std::size_t>(count))},
                   job.weights.of_pairs ? job.weights.hop * factor : job.weights.hop, clover);
    }
  }

  /// Adds the determinant of A on the sites where x is not.
  void add_determinant(const QuarkForceJob &job, QuarkGradient &gradient)
  {
    const CloverSet *const clover = clover_of(job.quarks.dirac);
    if (!clover || job.weights.determinant == 0) return;
    const PhaseScope phase(Phase::compute);
    double of_parity[2] = {0, 0};
    of_parity[1 - job.parity()] = job.weights.determinant;
    const Precision precision = job.quarks.storage.precision;
    if (const auto *const twisted = std::get_if<TwistedFermions>(&job.quarks.dirac)) {
      CloverField product(clover->copy(precision).param());
      clover_product(product, clover->copy(precision), clover->inverse_square(twisted->twist.square(), precision));
      gradient.add(product, of_parity);
    } else {
      gradient.add(clover->inverse(precision), of_parity);
    }
  }

  void carry_out_force(QuarkForceJob &job)
  {
    const char *function = job.momentum.function;
    const WholeLinks links(*job.quarks.links);
    const std::unique_ptr<Dirac> dirac = make_dirac(job.quarks.dirac, *job.quarks.links, job.quarks.storage);
    QuarkGradient sum(links.set());
    add_pairs(function, job, *dirac, sum);
    add_determinant(job, sum);
    std::optional<GaugeField> gradient;
    {
      const PhaseScope phase(Phase::compute);
      gradient.emplace(sum.take());
    }
    add_force(function, "clover", job.momentum, job.step, job.overwrite, job.recorded,
              [&](GaugeField &momentum, double step, bool overwrite) {
                add_gradient_force(momentum, links.set().precise(), *gradient, -step, overwrite);
              });
  }

} // namespace

constexpr JobOf<::computeCloverForceQuda> jobs::computeCloverForceQuda {"computeCloverForceQuda",
                                                                        by<prepare_clover, carry_out_force>};

} // namespace quda

extern "C" {

void computeCloverForceQuda(void *mom, double dt, void **x, void **p, double *coeff, double kappa2, double ck,
                            int nvector, double multiplicity, void *gauge, QudaGaugeParam *gauge_param,
                            QudaInvertParam *inv_param)
{
  quda::jobs::computeCloverForceQuda.call(mom, dt, x, p, coeff, kappa2, ck, nvector, multiplicity, gauge, gauge_param,
                                          inv_param);
}

void computeQuarkForceQuda(void *mom, double dt, void **x, void **x0, double *coeff, int nvector, double multiplicity,
                           QudaGaugeParam *gauge_param, QudaInvertParam *inv_param)
{
  quda::guard_job(__func__, quda::by<quda::prepare_quark, quda::carry_out_force>, mom, dt, x, x0, coeff, nvector,
                  multiplicity, gauge_param, inv_param);
}

void computeQuarkPairForceQuda(void *mom, double dt, void **left, void **right, double *coeff, int npairs,
                               QudaGaugeParam *gauge_param, QudaInvertParam *inv_param)
{
  quda::guard_job(__func__, quda::by<quda::prepare_pairs, quda::carry_out_force>, mom, dt, left, right, coeff, npairs,
                  gauge_param, inv_param);
}

void computeTMCloverForceQuda(void *h_mom, void **h_x, void **h_x0, double *coeff, int nvector,
                              QudaGaugeParam *gauge_param, QudaInvertParam *inv_param, int detratio)
{
  constexpr quda::JobOf<computeTMCloverForceQuda> job {__func__,
                                                       quda::by<quda::prepare_twisted, quda::carry_out_force>};
  job.call(h_mom, h_x, h_x0, coeff, nvector, gauge_param, inv_param, detratio);
}

} // extern "C"
