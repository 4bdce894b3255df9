/// Gradient flow of gauge fields.
///
///   performWFlowQuda  : Wilson and Symanzik flow; from the resident links, or from the smeared ones (restart)
///   gradientFlowQuda  : Wilson, Symanzik and Zeuthen flow with measurements at equidistant flow times, with fixed
///                       steps or steps as large as a tolerance permits
/// Both leave their links as the smeared resident ones.

#include "interface/flow.h"

#include "quda_ext.h"

#include "core/log.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "interface/smear_steps.h"
#include "ops/halo/gauge_border.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace quda
{

namespace
{

  /// The links that a flow begins with; the gauge field is needed in any case. restart: text of the parameter that
  /// selects the smeared links.
  const GaugeField &first_links(Checks &checks, bool smeared, const char *restart)
  {
    const char *function = checks.function;
    const GaugeField &gauge = checks.session.wilson.precise(function);
    if (!smeared) return gauge;
    const ResidentLinks &links = checks.session.smeared;
    if (!links.loaded())
      fail(ErrorKind::bad_argument,
           text("%s: %s, but no smeared links are resident; allowed: after smearing or a flow", function, restart));
    return links.precise(function);
  }

  // ---- even measurements ----

  struct EvenFlowJob {
    GradientFlow flow;
    const GaugeField *first;
    QudaGaugeSmearParam intervals; // as steps, with a measurement after each
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
    int action = 0; // copied as bytes: the caller's value may be no enumerator
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
                      &first_links(checks, param->restart != 0, "QudaGradientFlowParam.restart = 1"),
                      {}};
    const double least = even.first->precision() == Precision::double_ ? 1e-13 : 1e-5;
    if (param->tolerance != 0 && !(param->tolerance >= least && std::isfinite(param->tolerance)))
      fail(ErrorKind::bad_argument,
           text("%s: QudaGradientFlowParam.tolerance = %g; allowed: 0, or %g and more for links of this precision",
                function, param->tolerance, least));
    checks.same("QudaGradientFlowParam.tolerance", param->tolerance);
    even.intervals.n_steps = static_cast<unsigned>(param->n_intervals);
    even.intervals.meas_interval = 1;
    check_measurements(checks, even.intervals, observables, *even.first);
    return even;
  }

  void print_energies(double t, const QudaGaugeObservableParam &now)
  {
    print(Verbosity::summarize, "%le %.16e %+.16e %+.16e %+.16e %+.16e\n", t, now.plaquette[0], now.energy[0],
          now.energy[1], now.energy[2], now.qcharge);
  }

  constexpr char energies_header[] = "flow t, plaquette, E_tot, E_spatial, E_temporal, Q charge\n";

  void carry_out_even_flow(Session &session, const char *function, const EvenFlowJob &even,
                           QudaGradientFlowParam &param, QudaGaugeObservableParam *observables)
  {
    FlowChain chain(smeared_copy(*even.first, smear_border), even.flow);
    AdaptiveSteps steps {param.epsilon, param.tolerance};
    const double in_interval = std::max(1.0, std::ceil(param.interval / param.epsilon * (1 - 1e-12)));
    print(Verbosity::summarize, energies_header);
    const auto report = [&](unsigned step, const QudaGaugeObservableParam &now) {
      print_energies(param.interval * step, now);
    };
    run_steps(session, function, even.intervals, observables, chain, report, [&] {
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

} // namespace

GradientFlow checked_flow(Checks &checks, const QudaGaugeSmearParam *param)
{
  using P = QudaGaugeSmearParam;
  check_steps(checks, param);
  const bool symanzik = param->smear_type == QUDA_GAUGE_SMEAR_SYMANZIK_FLOW;
  if (!symanzik && param->smear_type != QUDA_GAUGE_SMEAR_WILSON_FLOW)
    refuse(checks.function, "QudaGaugeSmearParam.smear_type", param->smear_type,
           "QUDA_GAUGE_SMEAR_WILSON_FLOW, QUDA_GAUGE_SMEAR_SYMANZIK_FLOW");
  check(checks, *param, &P::epsilon, &P::rk_order, &P::restart, &P::t0);
  return {param->epsilon, symanzik ? FlowAction::symanzik : FlowAction::wilson, param->rk_order == 4 ? 4 : 3,
          anisotropy(checks, *param)};
}

const GaugeField &first_links(Checks &checks, const QudaGaugeSmearParam &param)
{
  return first_links(checks, param.restart == QUDA_BOOLEAN_TRUE, "QudaGaugeSmearParam.restart = QUDA_BOOLEAN_TRUE");
}

} // namespace quda

extern "C" {

void performWFlowQuda(QudaGaugeSmearParam *smear_param, QudaGaugeObservableParam *obs_param)
{
  using namespace quda;
  const char *function = __func__;
  struct Job {
    GradientFlow flow;
    const GaugeField *first;
  };
  guard_collective(
      function,
      [&](Checks &checks) {
        Job job {checked_flow(checks, smear_param), nullptr};
        check_not_null(function, "obs_param", obs_param);
        job.first = &first_links(checks, *smear_param);
        check_measurements(checks, *smear_param, obs_param, *job.first);
        return job;
      },
      [&](Session &session, const Job &job) {
        FlowChain chain(smeared_copy(*job.first, smear_border), job.flow);
        print(Verbosity::summarize, energies_header);
        const auto report = [&](unsigned step, const QudaGaugeObservableParam &now) {
          print_energies(smear_param->t0 + smear_param->epsilon * step, now);
        };
        run_steps(session, function, *smear_param, obs_param, chain, report, [&] { chain.step(); });
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
      [&](quda::Session &session, const quda::EvenFlowJob &even) {
        quda::carry_out_even_flow(session, function, even, *param, obs_param);
      });
}

} // extern "C"
