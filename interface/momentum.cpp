/// Momenta, and the update of the links.
///
///   momResidentQuda      : host to resident momentum (make_resident_mom = 1, return_result_mom = 0), or the resident
///                          momentum to the host, then freed (0, 1)
///   momActionQuda        : sum_{x mu} [ sum_ij |A_ij|^2 / 2 - 4 ] over the global lattice
///   updateGaugeFieldQuda : U' = exp(dt A) U, A made traceless; -A with conj_mom; exact: to rounding for any A; else
///                          the Taylor series to eighth order
/// Sources and destinations of the fields: interface/link_source.h. The update works in cpu_prec, which resident fields
/// must have. Solvers' copies of links that became resident are made anew when used; a resident field that is used but
/// not made resident stays unchanged.

#include "quda.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/link_source.h"
#include "interface/params/param_table.h"
#include "ops/force/momentum.h"

namespace quda
{

namespace
{

  /// Momenta from host to library or from library to host.
  struct MomentumExchangeJob {
    GaugeField host;
    std::unique_ptr<GaugeField> fresh; // absent: to the host
  };

  MomentumExchangeJob prepare_exchange(Checks &checks, void *mom, const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check_lattice(checks, *param);
    check(checks, *param, &P::make_resident_mom, &P::return_result_mom, &P::gauge_order, &P::cpu_prec, &P::cuda_prec);
    if (!param->make_resident_mom == !param->return_result_mom)
      fail(ErrorKind::bad_argument,
           text("%s: QudaGaugeParam.make_resident_mom = %d with return_result_mom = %d; allowed: 1 with 0, or 0 with 1",
                function, param->make_resident_mom, param->return_result_mom));
    if (param->return_result_mom && !checks.session.momentum)
      fail(ErrorKind::bad_argument,
           text("%s: QudaGaugeParam.return_result_mom = 1, but no momentum is resident; allowed: after "
                "make_resident_mom = 1",
                function));
    if (param->make_resident_mom) check_built(function, "QudaGaugeParam.cuda_prec", param->cuda_prec);
    MomentumExchangeJob exchange {host_momentum(checks, "mom", mom, *param), nullptr};
    if (param->return_result_mom) {
      check_like_resident(function, exchange.host, *checks.session.momentum);
      return exchange;
    }
    check_finite(function, "mom", exchange.host);
    GaugeFieldParam field = momentum_param(checks, *param);
    field.precision = static_cast<Precision>(param->cuda_prec);
    exchange.fresh = std::make_unique<GaugeField>(field);
    return exchange;
  }

  void exchange(Session &session, MomentumExchangeJob &job)
  {
    std::unique_ptr<GaugeField> &resident = session.momentum;
    const PhaseScope phase(job.fresh ? Phase::h2d : Phase::d2h);
    if (job.fresh)
      *job.fresh = job.host;
    else
      job.host = *resident;
    resident = std::move(job.fresh);
  }

  MomentumSource prepare_action(Checks &checks, void *momentum, const QudaGaugeParam *param)
  {
    check_struct(checks.function, param);
    check(checks, *param, &QudaGaugeParam::cuda_prec);
    return momentum_source(checks, "momentum", momentum, *param, param->cuda_prec, "QudaGaugeParam.cuda_prec", true,
                           false);
  }

  double action(MomentumSource &source)
  {
    const GaugeField &field = source.open();
    double action;
    {
      const PhaseScope phase(Phase::compute);
      action = momentum_action(field);
    }
    source.close();
    return action;
  }

  struct LinkUpdateJob {
    const QudaGaugeParam *param;
    LinkSource links;
    MomentumSource momentum;
    std::optional<GaugeField> host; // receives the result
    double dt;
    bool exact;
  };

  LinkUpdateJob prepare_update(Checks &checks, void *gauge, void *mom, double dt, int conj_mom, int exact,
                               const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::cpu_prec, &P::return_result_gauge);
    const char *member = "QudaGaugeParam.cpu_prec";
    LinkUpdateJob request {param,
                           link_source(checks, "gauge", gauge, *param, param->cpu_prec, member),
                           momentum_source(checks, "momentum", mom, *param, param->cpu_prec, member, true, false),
                           {},
                           conj_mom ? -dt : dt,
                           exact != 0};
    check_number(function, "dt", dt);
    checks.same("dt, negative with conj_mom,", request.dt);
    checks.same("exact", request.exact);
    if (param->return_result_gauge) {
      check(checks, *param, &P::gauge_order);
      request.host.emplace(host_links_like(checks, "gauge", gauge, *param, request.links.field));
    }
    return request;
  }

  void step(LinkUpdateJob &request, GaugeField &out, const GaugeField &in, const GaugeField &momentum)
  {
    {
      const PhaseScope phase(Phase::compute);
      update_links(out, in, momentum, request.dt, request.exact);
    }
    if (!request.host) return;
    const PhaseScope phase(Phase::d2h);
    *request.host = out;
  }

  void update(LinkUpdateJob &request)
  {
    const char *function = request.links.function;
    const bool keeps = request.param->make_resident_gauge != 0;
    ResidentLinks &wilson = request.links.wilson;
    const GaugeField &momentum = request.momentum.open();
    std::unique_ptr<GaugeField> links;
    if (request.links.host) {
      links = request.links.load();
      step(request, *links, *links, momentum);
    } else if (keeps) {
      GaugeField &resident = wilson.precise(function);
      write_or_free(
          resident, function, [&] { step(request, resident, resident, momentum); }, [&] { wilson.free(); });
      links = wilson.release();
    } else {
      links = std::make_unique<GaugeField>(wilson.precise(function).param());
      step(request, *links, wilson.precise(function), momentum);
    }
    if (keeps) make_resident(wilson, std::move(links));
    request.momentum.close();
  }

} // namespace

constexpr JobOf<::momResidentQuda> jobs::momResidentQuda {"momResidentQuda", by<prepare_exchange, exchange>};
constexpr JobOf<::momActionQuda> jobs::momActionQuda {"momActionQuda", by<prepare_action, action>};
constexpr JobOf<::updateGaugeFieldQuda> jobs::updateGaugeFieldQuda {"updateGaugeFieldQuda", by<prepare_update, update>};

} // namespace quda

extern "C" {

void momResidentQuda(void *mom, QudaGaugeParam *param) { quda::jobs::momResidentQuda.call(mom, param); }

double momActionQuda(void *momentum, QudaGaugeParam *param) { return quda::jobs::momActionQuda.call(momentum, param); }

void updateGaugeFieldQuda(void *gauge, void *momentum, double dt, int conj_mom, int exact, QudaGaugeParam *param)
{
  quda::jobs::updateGaugeFieldQuda.call(gauge, momentum, dt, conj_mom, exact, param);
}

} // extern "C"
