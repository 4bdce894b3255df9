/// Forces of staggered fermions, from quark fields.
///
///   computeHISQForceQuda      : A_mu(x) = A_mu(x) + dt eps(x) TA(U_mu(x) F_mu(x)), eps = +1 on even sites, -1 on odd,
///                               F the derivative with respect to U_mu(x) of
///     sum_x eps(x) sum_i { coeff[i][0] q_i(x)^dag fat_mu(x) q_i(x+mu) + coeff[i][1] q_i(x)^dag W W W q_i(x+3mu) }
///                               and, for the last num_naik_terms fields, of the same with coeff[num_terms + ...], and
///                               W in place of fat links. fat and W by ops/force/hisq_force.h, weights in the order of
///                               computeKSLinkQuda(), whose weights of long links are part of coeff here
///   computeStaggeredForceQuda : A_mu(x) = A_mu(x) + dt delta eps(x) TA(U_mu(x) sum_i residue[i] x_i(x+mu) x_i(x)^dag),
///                               x_i on even sites the resident solutions, on odd ones D x_i
/// W is in U(3), and with staggered_phase_type = QUDA_STAGGERED_PHASE_CHROMA in SU(3), as in computeKSLinkQuda(); the
/// force is the derivative in either case, in QUDA only in the first. The first function works in cpu_prec, on links
/// that carry their phases, and begins with A = 0 unless the resident momentum is used; the host's momentum is not
/// read. Its links may come in every gauge_order that the momentum can have. The second works on the resident links,
/// which carry their phases. With the force monitor on, forces are computed once more only for the record
/// (ops/force/force_monitor.h).

#include "quda.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/invert.h"
#include "interface/jobs.h"
#include "interface/link_source.h"
#include "interface/momentum_step.h"
#include "interface/params/param_table.h"
#include "ops/dirac/staggered.h"
#include "ops/force/force_monitor.h"
#include "ops/force/hisq_force.h"
#include "ops/force/link_gradient.h"
#include "ops/force/outer_products.h"
#include "ops/links/two_link.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace quda
{

namespace
{

  using Weights = std::vector<double>; // one per quark field

  struct HisqForceJob {
    LinkSource U, V, W;
    FatWeights fat7, level2;
    std::vector<ColorSpinorField> quarks;
    Weights fat, straight, single;
    double dt;
    MomentumSource momentum;
    bool recorded;
  };

  FatWeights fat_weights(Checks &checks, const char *name, const double *c)
  {
    check_not_null(checks.function, name, c);
    for (int i = 0; i < 6; i++) {
      check_number(checks.function, text("%s[%d]", name, i).c_str(), c[i]);
      checks.same(name, c[i]);
    }
    return {c[0], c[2], c[3], c[4], c[5]};
  }

  void read_weights(Checks &checks, HisqForceJob &force, const double *const *coeff, int terms, int naik_terms)
  {
    check_not_null(checks.function, "coeff", coeff);
    const auto weights = [&](int i) {
      const std::string name = text("coeff[%d]", i);
      check_not_null(checks.function, name.c_str(), coeff[i]);
      for (int k = 0; k < 2; k++) {
        check_number(checks.function, text("%s[%d]", name.c_str(), k).c_str(), coeff[i][k]);
        checks.same("coeff", coeff[i][k]);
      }
      return coeff[i];
    };
    for (int i = 0; i < terms; i++) {
      const double *const here = weights(i), *const more = i < terms - naik_terms ? nullptr : weights(i + naik_terms);
      force.fat.push_back(here[0]);
      force.straight.push_back(here[1] + (more ? more[1] : 0));
      force.single.push_back(more ? more[0] : 0);
    }
  }

  void read_quarks(const char *function, HisqForceJob &force, void *const *quark, int terms,
                   const QudaGaugeParam &param)
  {
    check_not_null(function, "quark", quark);
    ColorSpinorParam field;
    field.lattice = force.U.lattice();
    field.spins = 1;
    field.precision = static_cast<Precision>(param.cpu_prec);
    field.order = DiracOrder::dirac;
    field.location = Location::host;
    field.create = Create::reference;
    for (int i = 0; i < terms; i++) {
      check_not_null(function, text("quark[%d]", i).c_str(), quark[i]);
      field.data = quark[i];
      force.quarks.emplace_back(field);
    }
  }

  HisqForceJob prepare_hisq(Checks &checks, void *momentum, double dt, const double *level2, const double *fat7,
                            const void *w, const void *v, const void *u, void *const *quark, int terms, int naik_terms,
                            const double *const *coeff, const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::gauge_order, &P::cpu_prec, &P::reconstruct);
    const QudaReconstructType recon = param->reconstruct;
    if (recon != QUDA_RECONSTRUCT_NO && recon != QUDA_RECONSTRUCT_13 && recon != QUDA_RECONSTRUCT_9)
      refuse(function, "QudaGaugeParam.reconstruct", recon,
             "QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_13, QUDA_RECONSTRUCT_9");
    check_range(function, "num_terms", terms, 1, 1 << 20);
    check_range(function, "num_naik_terms", naik_terms, 0, terms);
    check_number(function, "dt", dt);
    checks.same("num_terms", terms);
    checks.same("num_naik_terms", naik_terms);
    checks.same("dt", dt);
    const FatWeights of_level2 = fat_weights(checks, "level2_coeff", level2),
                     of_fat7 = fat_weights(checks, "fat7_coeff", fat7);
    QudaGaugeParam given = *param;
    given.location = QUDA_CPU_FIELD_LOCATION;
    given.use_resident_gauge = given.make_resident_gauge = 0;
    given.type = QUDA_WILSON_LINKS;
    given.reconstruct = QUDA_RECONSTRUCT_NO;
    const auto links = [&](const char *name, const void *array) {
      return link_source(checks, name, const_cast<void *>(array), given, param->cpu_prec, "QudaGaugeParam.cpu_prec");
    };
    LinkSource U = links("u_link", u), V = links("v_link", v), W = links("w_link", w);
    const bool recorded = force_monitor();
    checks.same("QUDA_ENABLE_FORCE_MONITOR", recorded);
    HisqForceJob force {
        std::move(U),
        std::move(V),
        std::move(W),
        of_fat7,
        of_level2,
        {},
        {},
        {},
        {},
        dt,
        momentum_source(checks, "momentum", momentum, given, param->cpu_prec, "QudaGaugeParam.cpu_prec", false, true),
        recorded};
    read_weights(checks, force, coeff, terms, naik_terms);
    read_quarks(function, force, quark, terms, *param);
    return force;
  }

  Weights some_of(const Weights &weights, std::size_t first, std::size_t count)
  {
    const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  /// The gradients, from a few quark fields at a time: there may be dozens.
  HisqGradients gradients_of(const char *function, const HisqForceJob &job, const GaugeFieldParam &param)
  {
    HisqGradients gradients {GaugeField(param), GaugeField(param)};
    if (std::ranges::any_of(job.single, [](double weight) { return weight != 0; })) gradients.single.emplace(param);
    constexpr std::size_t together = outer_terms_together;
    for (std::size_t first = 0; first < job.quarks.size(); first += together) {
      const std::size_t count = std::min(together, job.quarks.size() - first);
      ColorSpinorParam block = job.quarks[0].param();
      block.rhs = static_cast<int>(count);
      block.order = DiracOrder::native;
      block.location = Location::device;
      ColorSpinorField quarks(block);
      {
        const PhaseScope phase(Phase::h2d);
        for (std::size_t n = 0; n < count; n++) quarks.columns(static_cast<int>(n), 1) = job.quarks[first + n];
        quarks.mark_written();
      }
      check_finite(
          function, [&](std::size_t n) { return text("quark[%zu]", first + n); }, quarks);
      const PhaseScope phase(Phase::compute);
      std::vector<OuterProductSum> sums {{gradients.fat, 1, some_of(job.fat, first, count)},
                                         {gradients.straight, 3, some_of(job.straight, first, count)}};
      if (gradients.single) sums.push_back({*gradients.single, 1, some_of(job.single, first, count)});
      outer_products(quarks, sums, first > 0);
    }
    return gradients;
  }

  void carry_out_hisq(Session &session, HisqForceJob &job)
  {
    const char *function = job.U.function;
    std::unique_ptr<GaugeField> V = job.V.load();
    HisqLinks links {{},
                     std::move(*V),
                     {},
                     job.U.field.phases.type == StaggeredPhase::chroma,
                     session.hisq_filter.value_or(hisq_force_filter)};
    links.thin.load(job.U.load());
    links.unitary.load(job.W.load());
    HisqGradients gradients = gradients_of(function, job, matrices_of(links.fat7.param()));
    GaugeField gradient = hisq_gradient(links, job.fat7, job.level2, std::move(gradients));
    add_force(function, "hisq", job.momentum, job.dt, !job.momentum.resident, job.recorded,
              [&](GaugeField &momentum, double step, bool overwrite) {
                add_gradient_force(momentum, links.thin.precise(), gradient, step, overwrite);
              });
  }

  // ---- naive staggered fermions ----

  struct StaggeredForceJob {
    const LinkSet &links;
    const ColorSpinorField &solutions; // the resident ones
    Weights residue;
    double step;
    MomentumSource momentum;
    bool recorded;
  };

  const ColorSpinorField &check_solutions(Checks &checks, const QudaInvertParam &param, const GaugeField &links)
  {
    using P = QudaInvertParam;
    const char *function = checks.function;
    check(checks, param, &P::use_resident_solution, &P::solve_type, &P::num_offset);
    if (param.num_offset == 0) refuse(function, "QudaInvertParam.num_offset", "0", "1 or more");
    check(checks, param, first(param.num_offset, &P::residue));
    if (param.solve_type != QUDA_DIRECT_PC_SOLVE)
      refuse(function, "QudaInvertParam.solve_type", value_text(param.solve_type), "QUDA_DIRECT_PC_SOLVE");
    if (!param.use_resident_solution)
      refuse(function, "QudaInvertParam.use_resident_solution", "0", "1, the solutions are the resident ones");
    const ColorSpinorField *const x = checks.session.solution.get();
    if (!x || x->spins() != 1 || x->parities() != 1 || x->parity() != 0 || x->rhs() != param.num_offset ||
        x->precision() != links.precision() || !same_sites(x->lattice(), links.lattice()))
      refuse(
          function, "QudaInvertParam.use_resident_solution", "1",
          "after invertMultiShiftQuda() with make_resident_solution = 1 and as many shifts, of staggered fermions on "
          "the even sites of the resident links");
    return *x;
  }

  StaggeredForceJob prepare_staggered(Checks &checks, void *mom, double dt, double delta,
                                      const QudaGaugeParam *gauge_param, const QudaInvertParam *invert_param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, gauge_param);
    check_struct(function, invert_param);
    check_number(function, "dt", dt);
    check_number(function, "delta", delta);
    checks.same("dt", dt);
    checks.same("delta", delta);
    check(checks, *gauge_param, &P::cuda_prec, &P::use_resident_gauge);
    if (!gauge_param->use_resident_gauge)
      refuse(function, "QudaGaugeParam.use_resident_gauge", "0", "1, the links are the resident ones");
    const LinkSource links =
        link_source(checks, "gauge", nullptr, *gauge_param, gauge_param->cuda_prec, "QudaGaugeParam.cuda_prec");
    const Phases &phases = links.field.phases;
    if (!phases.applied || static_cast<int>(phases.type) != static_cast<int>(gauge_param->staggered_phase_type))
      refuse(function, "QudaGaugeParam.staggered_phase_type", value_text(gauge_param->staggered_phase_type),
             "the convention of the phases that the resident links carry; they are put on by staggeredPhaseQuda()");
    const LinkSet &set = checks.session.wilson.set(function);
    const ColorSpinorField &solutions = check_solutions(checks, *invert_param, set.precise());
    const bool recorded = force_monitor();
    checks.same("QUDA_ENABLE_FORCE_MONITOR", recorded);
    return {set,
            solutions,
            {invert_param->residue, invert_param->residue + invert_param->num_offset},
            dt * delta,
            momentum_source(checks, "mom", mom, *gauge_param, gauge_param->cuda_prec, "QudaGaugeParam.cuda_prec", true,
                            true),
            recorded};
  }

  void carry_out_staggered(const char *function, StaggeredForceJob &job)
  {
    const GaugeField &links = job.links.precise();
    GaugeField gradient(matrices_of(links.param()));
    {
      const PhaseScope phase(Phase::compute);
      ColorSpinorParam full = job.solutions.param();
      full.subset = SiteSubset::full;
      ColorSpinorField quarks(full);
      quarks.even() = job.solutions;
      ColorSpinorField odd = quarks.odd();
      staggered_hop(odd, quarks.even(), links, nullptr, false, {});
      quarks.mark_written();
      const OuterProductSum sum {gradient, 1, job.residue};
      outer_products(quarks, {&sum, 1}, false);
    }
    add_force(function, "staggered", job.momentum, job.step, false, job.recorded,
              [&](GaugeField &momentum, double step, bool overwrite) {
                add_gradient_force(momentum, links, gradient, step, overwrite);
              });
  }

} // namespace

constexpr JobOf<::computeHISQForceQuda> jobs::computeHISQForceQuda {"computeHISQForceQuda",
                                                                    by<prepare_hisq, carry_out_hisq>};

} // namespace quda

extern "C" {

void computeHISQForceQuda(void *momentum, double dt, const double level2_coeff[6], const double fat7_coeff[6],
                          const void *const w_link, const void *const v_link, const void *const u_link, void **quark,
                          int num_terms, int num_naik_terms, double **coeff, QudaGaugeParam *param)
{
  quda::jobs::computeHISQForceQuda.call(momentum, dt, level2_coeff, fat7_coeff, w_link, v_link, u_link, quark,
                                        num_terms, num_naik_terms, coeff, param);
}

void computeStaggeredForceQuda(void *mom, double dt, double delta, void *, void **, QudaGaugeParam *gauge_param,
                               QudaInvertParam *invert_param)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) { return quda::prepare_staggered(checks, mom, dt, delta, gauge_param, invert_param); },
      [&](quda::StaggeredForceJob &job) { quda::carry_out_staggered(function, job); });
}

} // extern "C"
