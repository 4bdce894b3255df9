/// Projection of links onto SU(3). Staggered phases are removed before, and restored after it if
/// staggered_phase_applied = 1.

#include "quda.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/params/param_table.h"
#include "interface/resident.h"
#include "ops/gauge/project.h"
#include "ops/gauge/staggered_phase.h"

#include <cmath>
#include <optional>

namespace quda
{

namespace
{

  struct ProjectionJob {
    const char *function;
    double tol;
    ResidentLinks *links;
    std::optional<GaugeField> host; // absent: neither read nor written
    GaugeFieldParam device;
    bool from_resident, keeps, returns;
    Phases phases; // of the result
  };

  ProjectionJob prepare_projection(Checks &checks, void *gauge_h, double tol, const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check_host_gauge(checks, *param);
    check_phases(checks, *param);
    check(checks, *param, &P::use_resident_gauge, &P::make_resident_gauge, &P::return_result_gauge);
    if (!(std::isfinite(tol) && tol > 0)) refuse(function, "tol", tol, "a finite number above 0");
    checks.same("tol", tol);
    ProjectionJob projection {function,
                              tol,
                              &links_of(checks.session, function, param->type),
                              {},
                              gauge_param(checks, *param),
                              param->use_resident_gauge != 0,
                              param->make_resident_gauge != 0,
                              param->return_result_gauge != 0,
                              gauge_param(checks, *param).phases};
    if (projection.phases.applied) check_phase_type(function, projection.phases);
    if (projection.from_resident) {
      projection.device = projection.links->precise(function).param();
      checks.same("the precision of the resident links", projection.device.precision);
      checks.same("the storage of the resident links", projection.device.reconstruct);
    } else {
      check(checks, *param, &P::reconstruct);
      check_built(function, "QudaGaugeParam.cpu_prec", param->cpu_prec);
      check_built(function, "QudaGaugeParam.reconstruct", param->reconstruct);
      check_phases_stored(function, *param, "QudaGaugeParam.reconstruct", param->reconstruct);
      projection.device.precision = static_cast<Precision>(param->cpu_prec);
      projection.device.reconstruct = static_cast<Reconstruct>(param->reconstruct);
    }
    if (projection.phases.applied && projection.device.phases.type == StaggeredPhase::none &&
        projection.device.t_boundary == TBoundary::antiperiodic)
      fail(ErrorKind::bad_argument,
           text("%s: QudaGaugeParam.staggered_phase_applied = 1; allowed with resident links that have no phases, and "
                "the sign of an antiperiodic boundary: 0",
                function));
    if (projection.device.phases.applied) check_phase_type(function, projection.device.phases);
    if (projection.phases.applied && projection.device.reconstruct != Reconstruct::none)
      fail(ErrorKind::bad_argument,
           text("%s: QudaGaugeParam.staggered_phase_applied = 1; allowed with reconstruct = %d "
                "of the resident links: 0",
                function, static_cast<int>(projection.device.reconstruct)));
    check_projection(function, projection.device);
    if (!projection.from_resident || projection.returns) {
      projection.host.emplace(host_links(checks, "gauge_h", gauge_h, *param));
      if (projection.from_resident)
        check_like_resident(function, *projection.host, projection.links->precise(function));
    }
    return projection;
  }

  void carry_out(ProjectionJob &projection)
  {
    const char *function = projection.function;
    GaugeField in(projection.device);
    {
      const PhaseScope phase(Phase::h2d);
      in = projection.from_resident ? projection.links->precise(function) : *projection.host;
    }
    if (in.phases().applied) {
      const PhaseScope phase(Phase::compute);
      GaugeField bare = without_staggered_phases(in);
      swap(in, bare);
    }
    auto out = std::make_unique<GaugeField>(projection.device);
    {
      const PhaseScope phase(Phase::compute);
      const long long failures = project_su3(*out, in, projection.tol);
      if (failures > 0)
        throw FoundTogether(ErrorKind::bad_argument,
                            text("%s: %lld links cannot be projected onto SU(3) to tol = %g; no field was changed",
                                 function, failures, projection.tol));
      Phases phases = projection.phases.applied ? projection.phases : in.phases();
      phases.applied = false;
      out->set_phases(phases);
      if (projection.phases.applied) {
        GaugeField phased = with_staggered_phases(*out);
        swap(*out, phased);
      }
    }
    if (projection.returns) {
      const PhaseScope phase(Phase::d2h);
      *projection.host = *out;
    }
    if (!projection.keeps) return;
    if (projection.from_resident) {
      swap(projection.links->precise(function), *out); // copies for solvers are stale from here on
    } else {
      projection.links->load(std::move(out));
    }
  }

} // namespace

constexpr JobOf<::projectSU3Quda> jobs::projectSU3Quda {"projectSU3Quda", by<prepare_projection, carry_out>};

} // namespace quda

extern "C" {

void projectSU3Quda(void *gauge_h, double tol, QudaGaugeParam *param)
{
  quda::jobs::projectSU3Quda.call(gauge_h, tol, param);
}

} // extern "C"
