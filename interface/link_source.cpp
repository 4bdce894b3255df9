#include "interface/link_source.h"

#include "core/log.h"
#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/params/param_table.h"

namespace quda
{

namespace
{

  /// Checks that a resident field is on the lattice and in the precision of the call.
  void check_resident(const char *function, const char *flag, const GaugeField &resident, const QudaGaugeParam &param,
                      QudaPrecision precision, const char *member)
  {
    const Lattice &lattice = resident.lattice();
    for (int d = 0; d < 4; d++)
      if (param.X[d] != lattice.X(d))
        fail(ErrorKind::bad_argument,
             text("%s: QudaGaugeParam.X[%d] = %d; allowed with %s = 1: the resident field's, %d", function, d,
                  param.X[d], flag, lattice.X(d)));
    if (static_cast<int>(precision) != bytes_of(resident.precision()))
      fail(ErrorKind::bad_argument, text("%s: %s = %s; allowed with %s = 1: the resident field's, %d bytes", function,
                                         member, value_text(precision).c_str(), flag, bytes_of(resident.precision())));
  }

} // namespace

std::unique_ptr<GaugeField> LinkSource::load() const
{
  const PhaseScope phase(Phase::h2d);
  GaugeFieldParam whole = field;
  whole.reconstruct = Reconstruct::none;
  auto links = std::make_unique<GaugeField>(whole);
  *links = *host;
  if (field.reconstruct == Reconstruct::none) return links;
  auto stored = std::make_unique<GaugeField>(field);
  return store_links(function, *stored, *links) ? std::move(stored) : std::move(links);
}

bool store_links(const char *function, GaugeField &to, const GaugeField &whole)
{
  if (!fitted(to.reconstruct())) {
    to = whole;
    return true;
  }
  if (compress(to, whole)) return true;
  if (over_their_unit(to.reconstruct())) {
    warn("%s: QudaGaugeParam.reconstruct = %d: these long links are not all one number times unitary matrices and are "
         "stored whole",
         function, static_cast<int>(to.reconstruct()));
  } else {
    const LinkDifference most = largest_difference(to, whole);
    warn("%s: QudaGaugeParam.reconstruct = 12: the third rows of these links are not what the others, anisotropy and "
         "t_boundary give: by up to %.2g, direction %d, site %d %d %d %d; they are stored whole%s",
         function, most.by, most.direction, most.x[0], most.x[1], most.x[2], most.x[3],
         most.by > 0.1 ? " (are X, gauge_order, cpu_prec and t_boundary those of the array?)" : "");
  }
  return false;
}

LinkSource link_source(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param,
                       QudaPrecision precision, const char *member)
{
  using P = QudaGaugeParam;
  const char *function = checks.function;
  check_lattice(checks, param);
  check(checks, param, &P::use_resident_gauge, &P::make_resident_gauge);
  check_built(function, member, precision);
  if (param.use_resident_gauge) {
    const GaugeField &resident = checks.session.wilson.precise(function);
    check_resident(function, "use_resident_gauge", resident, param, precision, member);
    checks.same("the storage of the resident links", resident.reconstruct());
    return {function, checks.session.wilson, resident.param(), {}};
  }
  check_host_gauge(checks, param);
  check_phases(checks, param);
  check(checks, param, &P::reconstruct);
  check_built(function, "QudaGaugeParam.reconstruct", param.reconstruct);
  check_phases_stored(function, param, "QudaGaugeParam.reconstruct", param.reconstruct);
  if (param.type != QUDA_WILSON_LINKS && param.reconstruct != QUDA_RECONSTRUCT_NO)
    fail(
        ErrorKind::bad_argument,
        text("%s: QudaGaugeParam.reconstruct = %s with type = %s; allowed: QUDA_RECONSTRUCT_NO, Wilson links alone can "
             "be compressed",
             function, value_text(param.reconstruct).c_str(), value_text(param.type).c_str()));
  QudaGaugeParam as_wilson = param;
  as_wilson.type = QUDA_WILSON_LINKS;
  LinkSource source {function, checks.session.wilson, gauge_param(checks, as_wilson),
                     host_links(checks, name, arrays, as_wilson)};
  source.field.precision = static_cast<Precision>(precision);
  source.field.reconstruct = static_cast<Reconstruct>(param.reconstruct);
  check_finite(function, name, *source.host);
  return source;
}

GaugeField &MomentumSource::open()
{
  if (resident) return *there;
  const PhaseScope phase(Phase::h2d);
  own = std::make_unique<GaugeField>(field);
  if (read) *own = *host;
  return *own;
}

void MomentumSource::close()
{
  if (returned) {
    const PhaseScope phase(Phase::d2h);
    *host = resident ? *there : *own;
  }
  if (!kept)
    there.reset();
  else if (!resident)
    there = std::move(own);
}

MomentumSource momentum_source(Checks &checks, const char *name, void *arrays, const QudaGaugeParam &param,
                               QudaPrecision precision, const char *member, bool read, bool returned)
{
  using P = QudaGaugeParam;
  const char *function = checks.function;
  check_lattice(checks, param);
  check(checks, param, &P::use_resident_mom, &P::make_resident_mom);
  check_built(function, member, precision);
  if (returned) check(checks, param, &P::return_result_mom);
  MomentumSource source {function,
                         checks.session.momentum,
                         momentum_param(checks, param),
                         {},
                         param.use_resident_mom != 0,
                         false,
                         false,
                         false,
                         nullptr};
  source.field.precision = static_cast<Precision>(precision);
  source.read = read && !source.resident;
  source.returned = returned && param.return_result_mom;
  source.kept = param.make_resident_mom != 0;
  if (source.resident) {
    if (!checks.session.momentum)
      fail(ErrorKind::bad_argument,
           text("%s: QudaGaugeParam.use_resident_mom = 1, but no momentum is resident; allowed: 0, or make one with "
                "momResidentQuda()",
                function));
    check_resident(function, "use_resident_mom", *checks.session.momentum, param, precision, member);
  }
  if (source.read || source.returned) {
    check(checks, param, &P::gauge_order, &P::cpu_prec);
    source.host.emplace(host_momentum(checks, name, arrays, param));
  }
  if (source.read) check_finite(function, name, *source.host);
  return source;
}

void make_resident(ResidentLinks &wilson, std::unique_ptr<GaugeField> links) { wilson.load(std::move(links)); }

} // namespace quda
