#include "interface/smear_steps.h"

#include "core/profile.h"
#include "interface/observables.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"

namespace quda
{

namespace
{

  void measure(const char *function, QudaGaugeObservableParam &param, GaugeField &links)
  {
    if (param.su_project == QUDA_BOOLEAN_TRUE) {
      GaugeField result = projected(function, links);
      swap(links, result);
    }
    measure_observables(function, param, LinkSet(links));
  }

} // namespace

void check_steps(Checks &checks, const QudaGaugeSmearParam *param)
{
  using P = QudaGaugeSmearParam;
  check_struct(checks.function, param);
  check(checks, *param, &P::smear_type, &P::n_steps);
}

double anisotropy(Checks &checks, const QudaGaugeSmearParam &param)
{
  check(checks, param, &QudaGaugeSmearParam::smear_anisotropy);
  return param.smear_anisotropy == 0 ? 1 : param.smear_anisotropy;
}

StoutSmearing stout_smearing(Checks &checks, const QudaGaugeSmearParam &param)
{
  check(checks, param, &QudaGaugeSmearParam::rho);
  StoutSmearing stout = StoutSmearing::stout(param.rho, ignored_or_time(param.dir_ignore));
  stout.anisotropy = anisotropy(checks, param);
  return stout;
}

unsigned measurements(const QudaGaugeSmearParam &param)
{
  return 1 + (param.n_steps > 0 ? param.n_steps / param.meas_interval : 0);
}

void check_measurements(Checks &checks, const QudaGaugeSmearParam &param, const QudaGaugeObservableParam *observables,
                        const GaugeField &links)
{
  check_not_null(checks.function, "obs_param", observables);
  if (param.n_steps > 0) check(checks, param, &QudaGaugeSmearParam::meas_interval);
  for (unsigned i = 0; i < measurements(param); i++) check_observables(checks, observables + i, links);
}

void run_steps(Session &session, const char *function, const QudaGaugeSmearParam &param,
               QudaGaugeObservableParam *observables, SmearChain &chain, const Report &report,
               const std::function<void()> &next)
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
  session.smeared.load(std::move(result));
}

} // namespace quda
