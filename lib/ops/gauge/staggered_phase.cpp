#include "ops/gauge/staggered_phase.h"

#include "kernels/gauge/staggered_phase_call.h"
#include "ops/launch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quda
{

QUDA_KERNELS(StaggeredPhaseCall, staggered_phase)

namespace
{

  /// (-1)^(plus + coordinates of the bits in odd)
  struct Signs {
    int plus[4], odd[4];
  };

  Signs signs_of(StaggeredPhase type)
  {
    constexpr int x = 1, y = 2, z = 4, t = 8;
    switch (type) {
    case StaggeredPhase::milc:
      return {{0, 0, 0, 0}, {t, t | x, t | x | y, 0}};
    case StaggeredPhase::chroma:
      return {{1, 1, 1, 1}, {0, x, x | y, x | y | z}};
    case StaggeredPhase::tifr:
      return {{1, 0, 1, 0}, {t | z | y, t | z, t, 0}};
    default:
      return {};
    }
  }

  GaugeField changed(const char *function, const GaugeField &links, bool apply)
  {
    check_phase_type(function, links.phases());
    if (links.phases().applied == apply || links.extended())
      fail(ErrorKind::internal,
           text("%s: links with a border, or phases that are%s applied", function, apply ? "" : " not"));
    GaugeField result(links.param());
    const double angle =
        (apply ? 1 : -1) * std::numbers::pi * links.phases().i_mu / static_cast<double>(links.lattice().global_X()[3]);
    StaggeredPhaseCall call {
        .out = result.view(), .in = links.view(), .plus = {}, .odd = {}, .turn = {std::cos(angle), std::sin(angle)}};
    const Signs signs = signs_of(links.phases().type);
    std::copy_n(signs.plus, 4, call.plus);
    std::copy_n(signs.odd, 4, call.odd);
    launch({.name = "StaggeredPhase",
            .lattice = links.lattice(),
            .extent = {registers(links), 2},
            .aux = links_text(links),
            .flops = 72 * links.lattice().volume(),
            .bytes = 2 * link_bytes(links)},
           instance(staggered_phase_kernels(), function, links), call);
    Phases phases = links.phases();
    phases.applied = apply;
    result.set_phases(phases);
    result.mark_written();
    return result;
  }

} // namespace

void check_phase_type(const char *function, const Phases &phases)
{
  const int type = static_cast<int>(phases.type);
  if (type >= static_cast<int>(StaggeredPhase::milc) && type <= static_cast<int>(StaggeredPhase::tifr)) return;
  fail(ErrorKind::bad_argument,
       text("%s: staggered_phase_type = %d; allowed: QUDA_STAGGERED_PHASE_MILC (1), QUDA_STAGGERED_PHASE_CHROMA (2), "
            "QUDA_STAGGERED_PHASE_TIFR (3)",
            function, type));
}

GaugeField with_staggered_phases(const GaugeField &links) { return changed("with_staggered_phases", links, true); }

GaugeField without_staggered_phases(const GaugeField &links)
{
  return changed("without_staggered_phases", links, false);
}

} // namespace quda
