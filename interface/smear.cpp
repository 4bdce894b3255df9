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

#include <cmath>

namespace quda
{

namespace
{

  constexpr int time = 3;

  /// What the parameters ask for. A negative dir_ignore is t for stout smearing and none for the over-improved one.
  StoutSmearing checked_smearing(const char *function, const QudaGaugeSmearParam *param)
  {
    using P = QudaGaugeSmearParam;
    check_struct(function, param);
    check(function, *param, &P::smear_type, &P::n_steps, &P::rho, &P::dir_ignore);
    if (param->n_steps > 0) check(function, *param, &P::meas_interval);
    switch (param->smear_type) {
    case QUDA_GAUGE_SMEAR_STOUT:
      return StoutSmearing::stout(param->rho, param->dir_ignore < 0 ? time : param->dir_ignore);
    case QUDA_GAUGE_SMEAR_OVRIMP_STOUT:
      check(function, *param, &P::epsilon);
      return StoutSmearing::over_improved_stout(param->rho, param->epsilon, param->dir_ignore);
    default:
      fail(ErrorKind::unsupported,
           text("%s: QudaGaugeSmearParam.smear_type = %s; allowed: QUDA_GAUGE_SMEAR_STOUT, "
                "QUDA_GAUGE_SMEAR_OVRIMP_STOUT",
                function,
                params::enumerator_text(params::enum_table<QudaGaugeSmearType>(), param->smear_type).c_str()));
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
    measure_observables(function, param, links);
    if (param.compute_qcharge == QUDA_BOOLEAN_TRUE || param.compute_qcharge_density == QUDA_BOOLEAN_TRUE)
      print(Verbosity::summarize, "%s: Q charge at step %03u = %+.16e\n", function, step, param.qcharge);
  }

  /// Takes the place of the smeared links.
  void keep_smeared(GaugeField &&links)
  {
    auto smeared = std::make_unique<GaugeField>(std::move(links));
    const LinkStorage same {smeared->precision(), smeared->reconstruct()};
    resident_links(LinkType::smeared)->load(std::move(smeared), {same, same, same, same});
  }

  struct StoutOfHost {
    GaugeField in, out;
    GaugeFieldParam device;
    StoutSmearing smearing;
  };

  StoutOfHost prepare_stout(const char *function, void *h_out, void *h_in, double rho, int dir_ignore,
                            const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    check_struct(function, param);
    check_host_gauge(function, *param);
    refuse_staggered_phases(function, *param);
    check(function, *param, &P::cuda_prec, &P::reconstruct);
    check_built(function, "QudaGaugeParam.cuda_prec", param->cuda_prec);
    check_built(function, "QudaGaugeParam.reconstruct", param->reconstruct);
    check_range(function, "dir_ignore", dir_ignore, -1, 3);
    if (!std::isfinite(rho))
      fail(ErrorKind::bad_argument, text("%s: rho = %g; allowed: a finite number", function, rho));
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
      [&] {
        const StoutSmearing smearing = checked_smearing(function, smear_param);
        check_not_null(function, "obs_param", obs_param);
        const GaugeField &gauge = resident_links(LinkType::su3)->precise(function);
        for (unsigned i = 0; i < measurements(*smear_param); i++) check_observables(function, obs_param + i, gauge);
        return smearing;
      },
      [&](const StoutSmearing &smearing) {
        const GaugeField &gauge = resident_links(LinkType::su3)->precise(function);
        Communicator &communicator = gauge.lattice().communicator();
        guarded::same_on_all_ranks(communicator, function,
                                   {{"QudaGaugeSmearParam.smear_type", smear_param->smear_type},
                                    {"QudaGaugeSmearParam.n_steps", smear_param->n_steps},
                                    {"QudaGaugeSmearParam.meas_interval", smear_param->meas_interval},
                                    {"QudaGaugeSmearParam.dir_ignore", smear_param->dir_ignore},
                                    {"QudaGaugeSmearParam.rho", smearing.rho},
                                    {"QudaGaugeSmearParam.epsilon", smearing.epsilon}});
        for (unsigned i = 0; i < measurements(*smear_param); i++)
          same_observables(function, communicator, obs_param[i]);
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
  const char *function = __func__;
  quda::guard_collective(
      function, [&] { return quda::prepare_stout(function, h_out, h_in, rho, dir_ignore, param); },
      [&](quda::StoutOfHost &stout) {
        quda::guarded::same_on_all_ranks(*stout.device.lattice, function,
                                         {{"QudaGaugeParam.type", stout.device.link_type},
                                          {"QudaGaugeParam.cuda_prec", stout.device.precision},
                                          {"QudaGaugeParam.reconstruct", stout.device.reconstruct},
                                          quda::cpu_prec_of(stout.in),
                                          {"n_steps", n_steps},
                                          {"rho", rho},
                                          {"dir_ignore", dir_ignore}});
        quda::carry_out(stout, n_steps);
      });
}

} // extern "C"
