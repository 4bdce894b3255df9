/// Smearing of gauge fields.

#include "quda.h"
#include "quda_ext.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/observables.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/halo/gauge_border.h"
#include "ops/smear/stout.h"

namespace quda
{

namespace
{

  constexpr int time = 3;

  /// What the parameters ask for. A negative dir_ignore is t for stout smearing and none for the over-improved one.
  StoutSmearing checked_smearing(Call &call, const QudaGaugeSmearParam *param)
  {
    using P = QudaGaugeSmearParam;
    const char *function = call.function;
    check_struct(function, param);
    check(call, *param, &P::smear_type, &P::n_steps, &P::rho, &P::dir_ignore);
    if (param->n_steps > 0) check(call, *param, &P::meas_interval);
    switch (param->smear_type) {
    case QUDA_GAUGE_SMEAR_STOUT:
      return StoutSmearing::stout(param->rho, param->dir_ignore < 0 ? time : param->dir_ignore);
    case QUDA_GAUGE_SMEAR_OVRIMP_STOUT:
      check(call, *param, &P::epsilon);
      return StoutSmearing::over_improved_stout(param->rho, param->epsilon, param->dir_ignore);
    default:
      fail(ErrorKind::unsupported, text("%s: QudaGaugeSmearParam.smear_type = %s; allowed: QUDA_GAUGE_SMEAR_STOUT, "
                                        "QUDA_GAUGE_SMEAR_OVRIMP_STOUT",
                                        function, value_text(param->smear_type).c_str()));
    }
  }

  unsigned measurements(const QudaGaugeSmearParam &param)
  {
    return 1 + (param.n_steps > 0 ? param.n_steps / param.meas_interval : 0);
  }

  void measure(const char *function, QudaGaugeObservableParam &param, GaugeField &links, unsigned step)
  {
    if (param.su_project == QUDA_BOOLEAN_TRUE) {
      GaugeField result = projected(function, links);
      swap(links, result);
    }
    measure_observables(function, param, LinkSet(links));
    if (param.compute_qcharge == QUDA_BOOLEAN_TRUE || param.compute_qcharge_density == QUDA_BOOLEAN_TRUE)
      print(Verbosity::summarize, "%s: Q charge at step %03u = %+.16e\n", function, step, param.qcharge);
  }

  /// Takes the place of the smeared links.
  void keep_smeared(GaugeField &&links)
  {
    resident_links(LinkType::smeared)->load(std::make_unique<GaugeField>(std::move(links)));
  }

  struct StoutOfHost {
    GaugeField in, out;
    GaugeFieldParam device;
    StoutSmearing smearing;
  };

  StoutOfHost prepare_stout(Call &call, void *h_out, void *h_in, unsigned n_steps, double rho, int dir_ignore,
                            const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = call.function;
    check_struct(function, param);
    check_host_gauge(call, *param);
    refuse_staggered_phases(call, *param);
    check(call, *param, &P::cuda_prec, &P::reconstruct);
    check_built(function, "QudaGaugeParam.cuda_prec", param->cuda_prec);
    check_built(function, "QudaGaugeParam.reconstruct", param->reconstruct);
    check_range(function, "dir_ignore", dir_ignore, -1, 3);
    check_number(function, "rho", rho);
    call.same("n_steps", n_steps);
    call.same("rho", rho);
    call.same("dir_ignore", dir_ignore);
    StoutOfHost stout {host_links(function, "h_in", h_in, *param), host_links(function, "h_out", h_out, *param),
                       gauge_param(*param), StoutSmearing::stout(rho, dir_ignore)};
    stout.device.precision = static_cast<Precision>(param->cuda_prec);
    stout.device.reconstruct = static_cast<Reconstruct>(param->reconstruct);
    check_finite(function, "h_in", stout.in);
    return stout;
  }

  void carry_out(StoutOfHost &stout, unsigned n_steps)
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
      [&](Call &call) {
        const StoutSmearing smearing = checked_smearing(call, smear_param);
        check_not_null(function, "obs_param", obs_param);
        const GaugeField &gauge = resident_links(LinkType::su3)->precise(function);
        for (unsigned i = 0; i < measurements(*smear_param); i++) check_observables(call, obs_param + i, gauge);
        return smearing;
      },
      [&](const StoutSmearing &smearing) {
        const GaugeField &gauge = resident_links(LinkType::su3)->precise(function);
        StoutChain chain(smeared_copy(gauge, stout_border), smearing);
        measure(function, obs_param[0], chain.links(), 0);
        for (unsigned step = 1; step <= smear_param->n_steps; step++) {
          {
            const PhaseScope phase(Phase::compute);
            chain.step();
          }
          if (step % smear_param->meas_interval == 0)
            measure(function, obs_param[step / smear_param->meas_interval], chain.links(), step);
        }
        if (!chain.links().extended()) return keep_smeared(std::move(chain.links()));
        GaugeFieldParam plain = chain.links().param();
        for (int &R : plain.R) R = 0;
        GaugeField result(plain);
        result = chain.links();
        keep_smeared(std::move(result));
      });
}

void stoutQuda(void *h_out, void *h_in, unsigned int n_steps, double rho, int dir_ignore,
               struct QudaGaugeParam_s *param)
{
  quda::guard_collective(
      __func__,
      [&](quda::Call &call) { return quda::prepare_stout(call, h_out, h_in, n_steps, rho, dir_ignore, param); },
      [&](quda::StoutOfHost &stout) { quda::carry_out(stout, n_steps); });
}

} // extern "C"
