/// What is measured on gauge fields.

#include "quda.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/gauge/plaquette.h"

namespace quda
{

namespace
{

  constexpr int border = 2; // even, and deep enough for loops of one plaquette

  /// all, spatial, temporal
  void measure_plaquette(const char *function, ResidentLinks &links, double (&result)[3])
  {
    const GaugeField *extended;
    {
      const PhaseScope phase(Phase::comms);
      extended = &links.extended(function, border);
    }
    const PhaseScope phase(Phase::compute);
    const PlaquetteAverage plaquettes = plaquette(*extended);
    result[0] = plaquettes.mean();
    result[1] = plaquettes.spatial;
    result[2] = plaquettes.temporal;
  }

  void check_observables(const char *function, const QudaGaugeObservableParam *param)
  {
    using P = QudaGaugeObservableParam;
    check_struct(function, param);
    const struct {
      const char *name;
      QudaBoolean P::*wanted;
    } switches[] = {{"compute_plaquette", &P::compute_plaquette},
                    {"su_project", &P::su_project},
                    {"compute_rectangle", &P::compute_rectangle},
                    {"compute_polyakov_loop", &P::compute_polyakov_loop},
                    {"compute_gauge_loop_trace", &P::compute_gauge_loop_trace},
                    {"compute_qcharge", &P::compute_qcharge},
                    {"compute_qcharge_density", &P::compute_qcharge_density},
                    {"remove_staggered_phase", &P::remove_staggered_phase}};
    for (const auto &one : switches) check(function, *param, one.wanted);
    for (const auto &one : switches)
      if (one.wanted != &P::compute_plaquette && param->*one.wanted == QUDA_BOOLEAN_TRUE)
        fail(
            ErrorKind::unsupported,
            text("%s: QudaGaugeObservableParam.%s = 1 (QUDA_BOOLEAN_TRUE); allowed: 0 (QUDA_BOOLEAN_FALSE), this build "
                 "measures the plaquette alone",
                 function, one.name));
    resident_links(LinkType::su3)->precise(function);
  }

} // namespace

} // namespace quda

extern "C" {

void plaqQuda(double plaq[3])
{
  const char *function = __func__;
  quda::guard_collective(
      function,
      [&] {
        quda::check_not_null(function, "plaq", plaq);
        quda::resident_links(quda::LinkType::su3)->precise(function);
      },
      [&] {
        double result[3];
        quda::measure_plaquette(function, *quda::resident_links(quda::LinkType::su3), result);
        for (int i = 0; i < 3; i++) plaq[i] = result[i];
      });
}

void gaugeObservablesQuda(QudaGaugeObservableParam *param)
{
  const char *function = __func__;
  quda::guard_collective(
      function, [&] { quda::check_observables(function, param); },
      [&] {
        // the smeared links where there are any
        quda::ResidentLinks *links = quda::resident_links(quda::LinkType::smeared);
        if (!links->loaded()) links = quda::resident_links(quda::LinkType::su3);
        if (param->compute_plaquette == QUDA_BOOLEAN_TRUE) quda::measure_plaquette(function, *links, param->plaquette);
      });
}

} // extern "C"
