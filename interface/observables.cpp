/// Observables of gauge fields.

#include "interface/observables.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/loops.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "interface/without_phases.h"
#include "ops/gauge/field_strength.h"
#include "ops/gauge/plaquette.h"
#include "ops/gauge/polyakov.h"
#include "ops/gauge/project.h"
#include "ops/halo/gauge_border.h"

namespace quda
{

namespace
{

  bool yes(QudaBoolean wanted) { return wanted == QUDA_BOOLEAN_TRUE; }

  /// all, spatial, temporal
  void measure_plaquette(const GaugeField &links, double *result)
  {
    const PlaquetteAverage plaquettes = plaquette(links);
    result[0] = plaquettes.mean();
    result[1] = plaquettes.spatial;
    result[2] = plaquettes.temporal;
  }

  void measure_charge(const GaugeField &links, QudaGaugeObservableParam &param)
  {
    const ChargeAndEnergy of =
        charge_and_energy(links, yes(param.compute_qcharge_density) ? param.qcharge_density : nullptr);
    param.qcharge = of.charge;
    param.energy[0] = of.energy();
    param.energy[1] = of.spatial_energy;
    param.energy[2] = of.temporal_energy;
  }

  void measure_polyakov_loop(const GaugeField &links, double *result)
  {
    const std::complex<double> loop = polyakov_loop(links);
    result[0] = loop.real();
    result[1] = loop.imag();
  }

  const GaugeField &with_border(const LinkSet &links)
  {
    const PhaseScope phase(Phase::comms);
    return links.with_border(observable_border);
  }

} // namespace

void check_observables(Checks &checks, const QudaGaugeObservableParam *param, const GaugeField &links)
{
  using P = QudaGaugeObservableParam;
  const char *function = checks.function;
  check_struct(function, param);
  check(checks, *param, &P::compute_plaquette, &P::su_project, &P::compute_rectangle, &P::compute_polyakov_loop,
        &P::compute_gauge_loop_trace, &P::compute_qcharge, &P::compute_qcharge_density, &P::remove_staggered_phase);
  const bool phases = links.phases().applied, remove = yes(param->remove_staggered_phase);
  if (yes(param->compute_rectangle))
    fail(ErrorKind::unsupported,
         text("%s: QudaGaugeObservableParam.compute_rectangle = 1 (QUDA_BOOLEAN_TRUE); allowed: "
              "0 (QUDA_BOOLEAN_FALSE), rectangles are not measured",
              function));
  if (remove && !phases)
    fail(ErrorKind::bad_argument, text("%s: QudaGaugeObservableParam.remove_staggered_phase = 1 (QUDA_BOOLEAN_TRUE); "
                                       "allowed: 0 (QUDA_BOOLEAN_FALSE), the links carry no staggered phases",
                                       function));
  if (remove) check_phase_type(function, links.phases());
  if (yes(param->su_project) && phases && !remove)
    fail(ErrorKind::bad_argument, text("%s: QudaGaugeObservableParam.su_project = 1 (QUDA_BOOLEAN_TRUE); allowed where "
                                       "links carry staggered phases: 0, or with remove_staggered_phase = 1",
                                       function));
  if (yes(param->compute_qcharge_density)) check(function, *param, &P::qcharge_density);
  if (yes(param->compute_gauge_loop_trace)) check_loop_traces(checks, links.lattice(), *param);
}

GaugeField projected(const char *function, const GaugeField &links)
{
  const PhaseScope phase(Phase::compute);
  const double tolerance = projection_tolerance(links.precision());
  GaugeField result(links.param());
  const long long failures = project_su3(result, links, tolerance);
  if (failures > 0)
    throw FoundTogether(ErrorKind::bad_argument, text("%s: su_project: %lld links cannot be projected onto SU(3) to %g",
                                                      function, failures, tolerance));
  exchange_border(result);
  return result;
}

void measure_observables(const char *function, QudaGaugeObservableParam &param, const LinkSet &set)
{
  if (yes(param.remove_staggered_phase) && set.precise().phases().applied)
    return measure_observables(function, param, WithoutPhases(set).links());
  if (yes(param.compute_gauge_loop_trace)) measure_loop_traces(function, set, param);
  const GaugeField &links = with_border(set);
  const PhaseScope phase(Phase::compute);
  if (yes(param.compute_plaquette)) measure_plaquette(links, param.plaquette);
  if (yes(param.compute_polyakov_loop)) measure_polyakov_loop(links, param.ploop);
  if (yes(param.compute_qcharge) || yes(param.compute_qcharge_density)) measure_charge(links, param);
}

} // namespace quda

extern "C" {

void plaqQuda(double plaq[3])
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        quda::check_not_null(function, "plaq", plaq);
        return &checks.session.wilson.set(function);
      },
      [&](const quda::LinkSet *set) {
        const quda::GaugeField &links = quda::with_border(*set);
        const quda::PhaseScope phase(quda::Phase::compute);
        quda::measure_plaquette(links, plaq);
      });
}

void polyakovLoopQuda(double ploop[2], int dir)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        quda::check_not_null(function, "ploop", ploop);
        quda::check_range(function, "dir", dir, 3, 3);
        return &quda::measured_links(checks).precise(function);
      },
      [&](const quda::GaugeField *links) {
        const quda::PhaseScope phase(quda::Phase::compute);
        quda::measure_polyakov_loop(*links, ploop);
      });
}

void gaugeObservablesQuda(QudaGaugeObservableParam *param)
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&](quda::Checks &checks) {
        const quda::GaugeField &links = quda::measured_links(checks).precise(function);
        quda::check_observables(checks, param, links);
        if (quda::yes(param->su_project)) quda::check_projection(function, links.param());
      },
      [&](quda::Session &session) {
        using namespace quda;
        ResidentLinks &links = session.measured_links(function);
        if (!yes(param->su_project)) return measure_observables(function, *param, links.set(function));
        const WithoutPhases bare(links.set(function));
        GaugeField measured = projected(function, bare.links().precise());
        measure_observables(function, *param, LinkSet(measured));
        // the gauge field itself stays unchanged
        if (&links != &session.wilson) swap(links.precise(function), measured);
      });
}

} // extern "C"
