/// Staggered phases of links.
///
///   staggeredPhaseQuda : multiplies the phases of staggered_phase_type into links without them, removes them from
///                        links with them (formulas: ops/gauge/staggered_phase.h). The sign of t_boundary and the phase
///                        of i_mu go with them.
/// Links of the host carry phases if staggered_phase_applied says so; resident links have their own record, with
/// convention and boundary from the load, or from this call if the load named no convention. Resident links are changed
/// in place whether or not make_resident_gauge is set. The work is done in cpu_prec.

#include "quda.h"
#include "quda_fortran.h"

#include "core/profile.h"
#include "interface/guard.h"
#include "interface/host_gauge.h"
#include "interface/jobs.h"
#include "interface/link_source.h"
#include "interface/params/param_table.h"
#include "ops/gauge/staggered_phase.h"

#include <optional>

namespace quda
{

namespace
{

  /// Refuses resident links in a form that the kernel cannot change.
  void check_whole(const char *function, const GaugeFieldParam &links)
  {
    if (links.reconstruct != Reconstruct::none)
      fail(ErrorKind::bad_argument,
           text("%s: reconstruct = %d of the resident links; allowed: 18, links with staggered phases cannot be "
                "compressed",
                function, static_cast<int>(links.reconstruct)));
  }

  GaugeField toggled(const GaugeField &links)
  {
    const PhaseScope phase(Phase::compute);
    return links.phases().applied ? without_staggered_phases(links) : with_staggered_phases(links);
  }

  struct RephasingJob {
    const QudaGaugeParam *param;
    LinkSource links;
    Phases phases; // of the input
    std::optional<GaugeField> host;
  };

  RephasingJob prepare_rephasing(Checks &checks, void *gauge_h, const QudaGaugeParam *param)
  {
    using P = QudaGaugeParam;
    const char *function = checks.function;
    check_struct(function, param);
    check(checks, *param, &P::cpu_prec, &P::return_result_gauge);
    check_phases(checks, *param);
    if (!param->use_resident_gauge) {
      check(checks, *param, &P::reconstruct);
      if (param->reconstruct != QUDA_RECONSTRUCT_NO)
        refuse(function, "QudaGaugeParam.reconstruct", param->reconstruct, "QUDA_RECONSTRUCT_NO");
    }
    RephasingJob rephasing {
        param, link_source(checks, "gauge_h", gauge_h, *param, param->cpu_prec, "QudaGaugeParam.cpu_prec"), {}, {}};
    check_whole(function, rephasing.links.field);
    rephasing.phases = rephasing.links.field.phases;
    if (rephasing.phases.type == StaggeredPhase::none) {
      rephasing.phases.type = static_cast<StaggeredPhase>(param->staggered_phase_type);
      rephasing.phases.i_mu = param->i_mu;
    }
    check_phase_type(function, rephasing.phases);
    checks.same("whether the links carry phases", rephasing.phases.applied);
    if (param->return_result_gauge) {
      check(checks, *param, &P::gauge_order);
      rephasing.host.emplace(host_links_like(checks, "gauge_h", gauge_h, *param, rephasing.links.field));
    }
    return rephasing;
  }

  void carry_out(RephasingJob &rephasing)
  {
    const bool of_host = rephasing.links.host.has_value();
    std::unique_ptr<GaugeField> own;
    if (of_host) own = rephasing.links.load();
    GaugeField &links = of_host ? *own : rephasing.links.wilson.precise(rephasing.links.function);
    links.set_phases(rephasing.phases);
    GaugeField result = toggled(links);
    swap(links, result); // copies for solvers are stale from here on
    if (rephasing.host) {
      const PhaseScope phase(Phase::d2h);
      *rephasing.host = links;
    }
    if (own && rephasing.param->make_resident_gauge) make_resident(rephasing.links.wilson, std::move(own));
  }

  /// Sets the phases of the resident links for the Fortran interface; refuses if they are already so.
  void set_resident_phases(const char *function, bool wanted)
  {
    guard_collective(
        function,
        [&](Checks &checks) {
          const GaugeField &links = checks.session.wilson.precise(function);
          check_whole(function, links.param());
          check_phase_type(function, links.phases());
          checks.same("whether the links carry phases", links.phases().applied);
          if (links.phases().applied == wanted)
            fail(ErrorKind::bad_argument,
                 text("%s: the resident links carry %s staggered phases already", function, wanted ? "their" : "no"));
        },
        [&](Session &session) {
          GaugeField &links = session.wilson.precise(function);
          GaugeField result = toggled(links);
          swap(links, result);
        });
  }

} // namespace

constexpr JobOf<::staggeredPhaseQuda> jobs::staggeredPhaseQuda {"staggeredPhaseQuda", by<prepare_rephasing, carry_out>};

} // namespace quda

extern "C" {

void staggeredPhaseQuda(void *gauge_h, QudaGaugeParam *param) { quda::jobs::staggeredPhaseQuda.call(gauge_h, param); }

void apply_staggered_phase_quda_(void) { quda::set_resident_phases(__func__, true); }
void remove_staggered_phase_quda_(void) { quda::set_resident_phases(__func__, false); }

} // extern "C"
