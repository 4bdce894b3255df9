/// Smearing and gradient flow of gauge fields.
///
///   performGaugeSmearQuda : APE, stout, over-improved stout, HYP; always from the resident links on (restart is not
///                           read)
///   performWFlowQuda      : Wilson and Symanzik flow; from the resident links on, or from the smeared ones (restart)
///   performGFlowQuda      : the same with quark fields, d phi/dt = sum over all four directions of the second
///                           covariant difference; no step gives them back as they came
///   gradientFlowQuda      : Wilson, Symanzik and Zeuthen flow with measurements at even flow times, steps of one size
///                           or as large as a tolerance lets them be
/// All leave their links as the smeared resident ones. obs_param[0] is measured before, entry m after step
/// m meas_interval.

#include "quda.h"
#include "quda_ext.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/observables.h"
#include "interface/params/param_table.h"
#include "interface/quark_job.h"
#include "interface/resident.h"
#include "ops/blas/blas.h"
#include "ops/halo/gauge_border.h"
#include "ops/smear/flow.h"
#include "ops/smear/projected.h"
#include "ops/smear/quark.h"
#include "ops/smear/stout.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <variant>

namespace quda
{

namespace
{

  constexpr int time = 3;

  using Smearing = std::variant<StoutSmearing, ProjectedSmearing, GradientFlow>;

  std::unique_ptr<SmearChain> chain_of(const Smearing &smearing, GaugeField &&links)
  {
    if (const auto *stout = std::get_if<StoutSmearing>(&smearing))
      return std::make_unique<StoutChain>(std::move(links), *stout);
    if (const auto *projected = std::get_if<ProjectedSmearing>(&smearing))
      return std::make_unique<ProjectedChain>(std::move(links), *projected);
    return std::make_unique<FlowChain>(std::move(links), std::get<GradientFlow>(smearing));
  }

  void check_steps(Checks &checks, const QudaGaugeSmearParam *param)
  {
    using P = QudaGaugeSmearParam;
    check_struct(checks.function, param);
    check(checks, *param, &P::smear_type, &P::n_steps);
    if (param->n_steps > 0) check(checks, *param, &P::meas_interval);
  }

  double anisotropy(Checks &checks, const QudaGaugeSmearParam &param)
  {
    check(checks, param, &QudaGaugeSmearParam::smear_anisotropy);
    return param.smear_anisotropy == 0 ? 1 : param.smear_anisotropy;
  }

  /// What the parameters ask for. A negative dir_ignore is t for APE and stout smearing and none for the others.
  Smearing checked_smearing(Checks &checks, const QudaGaugeSmearParam *param)
  {
    using P = QudaGaugeSmearParam;
    check_steps(checks, param);
    check(checks, *param, &P::dir_ignore);
    const int ignored = param->dir_ignore, or_time = ignored < 0 ? time : ignored;
    switch (param->smear_type) {
    case QUDA_GAUGE_SMEAR_APE: {
      check(checks, *param, &P::alpha);
      ProjectedSmearing ape = ProjectedSmearing::ape(param->alpha, or_time);
      ape.anisotropy = anisotropy(checks, *param);
      return ape;
    }
    case QUDA_GAUGE_SMEAR_HYP:
      check(checks, *param, &P::alpha1, &P::alpha2, &P::alpha3);
      return ProjectedSmearing::hyp_levels(param->alpha1, param->alpha2, param->alpha3, ignored);
    case QUDA_GAUGE_SMEAR_STOUT:
    case QUDA_GAUGE_SMEAR_OVRIMP_STOUT: {
      check(checks, *param, &P::rho);
      const bool plain = param->smear_type == QUDA_GAUGE_SMEAR_STOUT;
      if (!plain) check(checks, *param, &P::epsilon);
      StoutSmearing stout = plain ? StoutSmearing::stout(param->rho, or_time)
                                  : StoutSmearing::over_improved_stout(param->rho, param->epsilon, ignored);
      stout.anisotropy = anisotropy(checks, *param);
      return stout;
    }
    default:
      fail(ErrorKind::bad_argument, text("%s: QudaGaugeSmearParam.smear_type = %s; allowed: QUDA_GAUGE_SMEAR_APE, "
                                         "QUDA_GAUGE_SMEAR_STOUT, QUDA_GAUGE_SMEAR_OVRIMP_STOUT, QUDA_GAUGE_SMEAR_HYP",
                                         checks.function, value_text(param->smear_type).c_str()));
    }
  }

  GradientFlow checked_flow(Checks &checks, const QudaGaugeSmearParam *param)
  {
    using P = QudaGaugeSmearParam;
    check_steps(checks, param);
    const bool symanzik = param->smear_type == QUDA_GAUGE_SMEAR_SYMANZIK_FLOW;
    if (!symanzik && param->smear_type != QUDA_GAUGE_SMEAR_WILSON_FLOW)
      fail(ErrorKind::bad_argument, text("%s: QudaGaugeSmearParam.smear_type = %s; allowed: "
                                         "QUDA_GAUGE_SMEAR_WILSON_FLOW, QUDA_GAUGE_SMEAR_SYMANZIK_FLOW",
                                         checks.function, value_text(param->smear_type).c_str()));
    check(checks, *param, &P::epsilon, &P::rk_order, &P::restart, &P::t0);
    return {param->epsilon, symanzik ? FlowAction::symanzik : FlowAction::wilson, param->rk_order == 4 ? 4 : 3,
            anisotropy(checks, *param)};
  }

  /// The links that a flow begins with: the gauge field is needed all the same. restart: how the parameter that asks
  /// for smeared ones reads.
  const GaugeField &first_links(const char *function, bool smeared, const char *restart)
  {
    const GaugeField &gauge = resident_links(LinkType::su3)->precise(function);
    if (!smeared) return gauge;
    const ResidentLinks &links = *resident_links(LinkType::smeared);
    if (!links.loaded())
      fail(ErrorKind::bad_argument,
           text("%s: %s, but no smeared links are resident; allowed: after smearing or a flow", function, restart));
    return links.precise(function);
  }

  const GaugeField &first_links(Checks &checks, const QudaGaugeSmearParam &param)
  {
    return first_links(checks.function, param.restart == QUDA_BOOLEAN_TRUE,
                       "QudaGaugeSmearParam.restart = QUDA_BOOLEAN_TRUE");
  }

  unsigned measurements(const QudaGaugeSmearParam &param)
  {
    return 1 + (param.n_steps > 0 ? param.n_steps / param.meas_interval : 0);
  }

  void measure(const char *function, QudaGaugeObservableParam &param, GaugeField &links)
  {
    if (param.su_project == QUDA_BOOLEAN_TRUE) {
      GaugeField result = projected(function, links);
      swap(links, result);
    }
    measure_observables(function, param, LinkSet(links));
  }

  /// All steps, and measurements between, which report(step, observables) tells of. The links take the place of the
  /// smeared ones.
  template <class Report, class Step> void run_steps(const char *function, const QudaGaugeSmearParam &param,
                                                     QudaGaugeObservableParam *observables, SmearChain &chain,
                                                     Report &&report, Step &&next)
  {
    measure(function, observables[0], chain.links());
    report(0, observables[0]);
    for (unsigned step = 1; step <= param.n_steps; step++) {
      {
        const PhaseScope phase(Phase::compute);
        next();
      }
      if (step % param.meas_interval != 0) continue;
      QudaGaugeObservableParam &now = observables[step / param.meas_interval];
      measure(function, now, chain.links());
      report(step, now);
    }
    GaugeField &last = chain.links();
    GaugeFieldParam plain = last.param();
    for (int &R : plain.R) R = 0;
    std::unique_ptr<GaugeField> result;
    if (last.extended()) {
      result = std::make_unique<GaugeField>(plain);
      *result = last;
    } else {
      result = std::make_unique<GaugeField>(std::move(last));
    }
    resident_links(LinkType::smeared)->load(std::move(result));
  }

  template <class Report> void smear(const char *function, const QudaGaugeSmearParam &param,
                                     QudaGaugeObservableParam *observables, const Smearing &smearing,
                                     const GaugeField &first, Report &&report)
  {
    const std::unique_ptr<SmearChain> chain = chain_of(smearing, smeared_copy(first, smear_border));
    run_steps(function, param, observables, *chain, report, [&] { chain->step(); });
  }

  // ---- flow with even measurements ----

  struct EvenFlowJob {
    GradientFlow flow;
    const GaugeField *first;
    QudaGaugeSmearParam intervals; // as steps, a measurement after each
  };

  void check_above_zero(Checks &checks, const char *name, double value)
  {
    if (!(value > 0) || !std::isfinite(value))
      fail(ErrorKind::bad_argument,
           text("%s: %s = %g; allowed: finite numbers, more than 0", checks.function, name, value));
    checks.same(name, value);
  }

  int checked_whole(Checks &checks, const char *name, int value, int low, int high)
  {
    check_range(checks.function, name, value, low, high);
    checks.same(name, value);
    return value;
  }

  EvenFlowJob checked_even_flow(Checks &checks, const QudaGradientFlowParam *param,
                                const QudaGaugeObservableParam *observables)
  {
    const char *function = checks.function;
    check_not_null(function, "param", param);
    if (param->struct_size != sizeof *param)
      fail(ErrorKind::bad_argument,
           text("%s: QudaGradientFlowParam.struct_size = %zu; allowed: %zu, as newQudaGradientFlowParam() sets it",
                function, param->struct_size, sizeof *param));
    int action = 0; // copied as bytes: the caller's may be none of the enumerators
    std::memcpy(&action, &param->action, sizeof action);
    checked_whole(checks, "QudaGradientFlowParam.action", action, QUDA_FLOW_WILSON, QUDA_FLOW_ZEUTHEN);
    checked_whole(checks, "QudaGradientFlowParam.rk_order", param->rk_order, 3, param->tolerance == 0 ? 4 : 3);
    checked_whole(checks, "QudaGradientFlowParam.restart", param->restart, 0, 1);
    checked_whole(checks, "QudaGradientFlowParam.n_intervals", param->n_intervals, 0,
                  std::numeric_limits<int>::max() - 1);
    check_above_zero(checks, "QudaGradientFlowParam.interval", param->interval);
    check_above_zero(checks, "QudaGradientFlowParam.epsilon", param->epsilon);
    check_above_zero(checks, "QudaGradientFlowParam.anisotropy", param->anisotropy);
    if (param->interval / param->epsilon > 1e9)
      fail(ErrorKind::bad_argument, text("%s: QudaGradientFlowParam.epsilon = %g with interval = %g; allowed: a "
                                         "thousand millionth of the interval, or more",
                                         function, param->epsilon, param->interval));
    if (action == QUDA_FLOW_ZEUTHEN && param->anisotropy != 1)
      fail(ErrorKind::unsupported, text("%s: QudaGradientFlowParam.anisotropy = %g with QUDA_FLOW_ZEUTHEN; allowed: 1",
                                        function, param->anisotropy));
    check_not_null(function, "obs_param", observables);
    EvenFlowJob even {{param->epsilon, static_cast<FlowAction>(action), param->rk_order, param->anisotropy},
                      &first_links(function, param->restart != 0, "QudaGradientFlowParam.restart = 1"),
                      {}};
    const double least = even.first->precision() == Precision::double_ ? 1e-13 : 1e-5;
    if (param->tolerance != 0 && !(param->tolerance >= least && std::isfinite(param->tolerance)))
      fail(ErrorKind::bad_argument,
           text("%s: QudaGradientFlowParam.tolerance = %g; allowed: 0, or %g and more for links of this precision",
                function, param->tolerance, least));
    checks.same("QudaGradientFlowParam.tolerance", param->tolerance);
    even.intervals.n_steps = static_cast<unsigned>(param->n_intervals);
    even.intervals.meas_interval = 1;
    for (unsigned i = 0; i < measurements(even.intervals); i++) check_observables(checks, observables + i, *even.first);
    return even;
  }

  void print_energies(double t, const QudaGaugeObservableParam &now)
  {
    print(Verbosity::summarize, "%le %.16e %+.16e %+.16e %+.16e %+.16e\n", t, now.plaquette[0], now.energy[0],
          now.energy[1], now.energy[2], now.qcharge);
  }

  constexpr char energies_header[] = "flow t, plaquette, E_tot, E_spatial, E_temporal, Q charge\n";

  void carry_out_even_flow(const char *function, const EvenFlowJob &even, QudaGradientFlowParam &param,
                           QudaGaugeObservableParam *observables)
  {
    FlowChain chain(smeared_copy(*even.first, smear_border), even.flow);
    AdaptiveSteps steps {param.epsilon, param.tolerance};
    const double in_interval = std::max(1.0, std::ceil(param.interval / param.epsilon * (1 - 1e-12)));
    print(Verbosity::summarize, energies_header);
    const auto report = [&](unsigned step, const QudaGaugeObservableParam &now) {
      print_energies(param.interval * step, now);
    };
    run_steps(function, even.intervals, observables, chain, report, [&] {
      if (param.tolerance > 0) return flow_adaptively(function, chain, param.interval, steps);
      for (double i = 0; i < in_interval; i++) chain.step(param.interval / in_interval);
      steps.taken += static_cast<long long>(in_interval);
    });
    param.n_steps = steps.taken;
    param.n_taken_back = steps.taken_back;
    param.last_epsilon = param.tolerance > 0 ? steps.epsilon : param.interval / in_interval;
    if (param.tolerance > 0)
      print(Verbosity::verbose, "%s: %lld steps, %lld more taken back, the next one %g\n", function, steps.taken,
            steps.taken_back, steps.epsilon);
  }

  // ---- flow of quark fields ----

  struct QuarkFlowJob {
    GradientFlow flow;
    const GaugeField *first;
    QuarkJob quarks;
  };

  QuarkFlowJob prepare_quark_flow(Checks &checks, void **h_out, void **h_in, const QudaInvertParam *inv_param,
                                  const QudaGaugeSmearParam *smear_param, QudaGaugeObservableParam *obs_param,
                                  std::size_t n)
  {
    const char *function = checks.function;
    const GradientFlow flow = checked_flow(checks, smear_param);
    check_not_null(function, "obs_param", obs_param);
    const GaugeField &first = first_links(checks, *smear_param);
    for (unsigned i = 0; i < measurements(*smear_param); i++) check_observables(checks, obs_param + i, first);
    check_struct(function, inv_param);
    const bool restart = smear_param->restart == QUDA_BOOLEAN_TRUE;
    QuarkFlowJob flowing {flow, &first,
                          link_job(checks, *inv_param, *resident_links(restart ? LinkType::smeared : LinkType::su3))};
    if (bytes_of(flowing.quarks.storage.precision) < 4)
      fail(ErrorKind::unsupported,
           text("%s: QudaInvertParam.cuda_prec = %s; allowed: QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION", function,
                value_text(inv_param->cuda_prec).c_str()));
    checks.same("nSpinors", n);
    if (n == 0) fail(ErrorKind::bad_argument, text("%s: nSpinors = 0; allowed: 1 or more", function));
    check_not_null(function, "h_out", h_out);
    check_not_null(function, "h_in", h_in);
    for (std::size_t i = 0; i < n; i++)
      add_fields(function, flowing.quarks, *inv_param, text("h_out[%zu]", i).c_str(), h_out[i], -1,
                 text("h_in[%zu]", i).c_str(), h_in[i], -1);
    return flowing;
  }

  void carry_out_flow(const char *function, QuarkFlowJob &job, QudaInvertParam &inv_param,
                      const QudaGaugeSmearParam &param, QudaGaugeObservableParam *observables)
  {
    carry_out(job.quarks, inv_param, [&](const Dirac &, ColorSpinorField &out, const ColorSpinorField &in) {
      blas::copy(out, in);
      QuarkFlow quarks(out);
      FlowChain chain(smeared_copy(*job.first, smear_border), job.flow);
      print(Verbosity::summarize, "flow t, plaquette, norm(f_spinor)\n");
      const auto report = [&](unsigned step, const QudaGaugeObservableParam &now) {
        print(Verbosity::summarize, "%le %.16e %+.16e\n", param.t0 + param.epsilon * step, now.plaquette[0],
              blas::norm2(out));
      };
      run_steps(function, param, observables, chain, report, [&] {
        chain.step(param.epsilon,
                   [&](const GaugeField &links, double a, double step) { quarks.stage(links, a, step); });
      });
      return quarks.flops();
    });
  }

  struct StoutJob {
    GaugeField in, out;
    GaugeFieldParam device;
    StoutSmearing smearing;
  };

  StoutJob prepare_stout(Checks &checks, void *h_out, void *h_in, unsigned n_steps, double rho, int dir_ignore,
                         const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check_host_gauge(checks, *param);
    refuse_staggered_phases(checks, *param);
    check(checks, *param, &P::cuda_prec, &P::reconstruct);
    check_built(function, "QudaGaugeParam.cuda_prec", param->cuda_prec);
    check_built(function, "QudaGaugeParam.reconstruct", param->reconstruct);
    check_range(function, "dir_ignore", dir_ignore, -1, 3);
    check_number(function, "rho", rho);
    checks.same("n_steps", n_steps);
    checks.same("rho", rho);
    checks.same("dir_ignore", dir_ignore);
    StoutJob stout {host_links(function, "h_in", h_in, *param), host_links(function, "h_out", h_out, *param),
                    gauge_param(*param), StoutSmearing::stout(rho, dir_ignore)};
    stout.device.precision = static_cast<Precision>(param->cuda_prec);
    stout.device.reconstruct = static_cast<Reconstruct>(param->reconstruct);
    check_finite(function, "h_in", stout.in);
    return stout;
  }

  void carry_out_stout(StoutJob &stout, unsigned n_steps)
  {
    GaugeField links(stout.device);
    {
      const PhaseScope phase(Phase::h2d);
      links = stout.in;
    }
    const PhaseScope phase(Phase::compute);
    StoutChain chain(extended(links, stout_border), stout.smearing);
    for (unsigned step = 0; step < n_steps; step++) chain.step();
    links = chain.links();
    const PhaseScope back(Phase::d2h);
    stout.out = links;
  }

} // namespace

} // namespace quda

extern "C" {

void performGaugeSmearQuda(QudaGaugeSmearParam *smear_param, QudaGaugeObservableParam *obs_param)
{
  using namespace quda;
  const char *function = __func__;
  guard_collective(
      function,
      [&](Checks &checks) {
        const Smearing smearing = checked_smearing(checks, smear_param);
        check_not_null(function, "obs_param", obs_param);
        const GaugeField &gauge = resident_links(LinkType::su3)->precise(function);
        for (unsigned i = 0; i < measurements(*smear_param); i++) check_observables(checks, obs_param + i, gauge);
        return smearing;
      },
      [&](const Smearing &smearing) {
        const GaugeField &gauge = resident_links(LinkType::su3)->precise(function);
        smear(function, *smear_param, obs_param, smearing, gauge,
              [&](unsigned step, const QudaGaugeObservableParam &now) {
                if (now.compute_qcharge == QUDA_BOOLEAN_TRUE || now.compute_qcharge_density == QUDA_BOOLEAN_TRUE)
                  print(Verbosity::summarize, "%s: Q charge at step %03u = %+.16e\n", function, step, now.qcharge);
              });
      });
}

void performWFlowQuda(QudaGaugeSmearParam *smear_param, QudaGaugeObservableParam *obs_param)
{
  using namespace quda;
  const char *function = __func__;
  struct Flow {
    Smearing flow;
    const GaugeField *first;
  };
  guard_collective(
      function,
      [&](Checks &checks) {
        Flow flow {checked_flow(checks, smear_param), nullptr};
        check_not_null(function, "obs_param", obs_param);
        flow.first = &first_links(checks, *smear_param);
        for (unsigned i = 0; i < measurements(*smear_param); i++) check_observables(checks, obs_param + i, *flow.first);
        return flow;
      },
      [&](const Flow &flow) {
        print(Verbosity::summarize, energies_header);
        smear(function, *smear_param, obs_param, flow.flow, *flow.first,
              [&](unsigned step, const QudaGaugeObservableParam &now) {
                print_energies(smear_param->t0 + smear_param->epsilon * step, now);
              });
      });
}

QudaGradientFlowParam newQudaGradientFlowParam(void)
{
  QudaGradientFlowParam param = {};
  param.struct_size = sizeof param;
  param.rk_order = 3;
  param.n_intervals = 1;
  param.epsilon = 0.01;
  param.anisotropy = 1;
  return param;
}

void gradientFlowQuda(QudaGradientFlowParam *param, QudaGaugeObservableParam *obs_param)
{
  const char *function = __func__;
  quda::guard_collective(
      function, [&](quda::Checks &checks) { return quda::checked_even_flow(checks, param, obs_param); },
      [&](const quda::EvenFlowJob &even) { quda::carry_out_even_flow(function, even, *param, obs_param); });
}

void performGFlowQuda(void **h_out, void **h_in, QudaInvertParam *inv_param, QudaGaugeSmearParam *smear_param,
                      QudaGaugeObservableParam *obs_param, size_t nSpinors)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        return quda::prepare_quark_flow(checks, h_out, h_in, inv_param, smear_param, obs_param, nSpinors);
      },
      [&](quda::QuarkFlowJob &job) { quda::carry_out_flow(function, job, *inv_param, *smear_param, obs_param); });
}

void stoutQuda(void *h_out, void *h_in, unsigned int n_steps, double rho, int dir_ignore,
               struct QudaGaugeParam_s *param)
{
  quda::guard_collective(
      __func__,
      [&](quda::Checks &checks) { return quda::prepare_stout(checks, h_out, h_in, n_steps, rho, dir_ignore, param); },
      [&](quda::StoutJob &stout) { quda::carry_out_stout(stout, n_steps); });
}

} // extern "C"
