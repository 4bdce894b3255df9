#include "ops/gauge/project.h"

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "kernels/gauge/project_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(ProjectCall, project)

namespace
{

  void check_fields(const GaugeField &out, const GaugeField &in)
  {
    const char *function = "project_su3";
    check_same_links(function, out, in);
    if (in.precision() != out.precision() || in.reconstruct() != out.reconstruct())
      fail(ErrorKind::internal, text("%s: in and out must be of one precision and reconstruct", function));
    for (int d = 0; d < 4; d++)
      if (out.R()[d] != in.R()[d]) fail(ErrorKind::internal, text("%s: borders of in and out differ", function));
    check_projection(function, in.param());
  }

  /// Whether links carry the boundary's sign by itself; of staggered phases, applied or not, it is a part.
  bool carries_signs(const GaugeField &links)
  {
    return links.t_boundary() == TBoundary::antiperiodic && links.phases().type == StaggeredPhase::none;
  }

  long long project(GaugeField &out, const GaugeField &in, double tolerance, bool special)
  {
    // a launch repeated by tuning must find its input as it was
    if (in.data() == out.data()) {
      GaugeField copy(in.param());
      copy = in;
      return project(out, copy, tolerance, special);
    }
    ExactLimbs failures;
    launch({.name = "Project",
            .lattice = in.lattice(),
            .extent = {registers(in), 2},
            .aux = links_text(in, special ? "" : ",unitary"),
            .bytes = 2 * link_bytes(in),
            .sums = {&failures, 1}},
           instance(project_kernels(), "project_su3", in),
           {in.view(), out.view(), tolerance, special, special && carries_signs(in), &failures});
    out.mark_written();
    sum_limbs(in.lattice().communicator(), &failures, 1);
    return static_cast<long long>(exact_value(failures));
  }

} // namespace

void check_projection(const char *function, const GaugeFieldParam &links)
{
  if (links.reconstruct != Reconstruct::r12) return;
  if (links.anisotropy != 1)
    fail(ErrorKind::unsupported,
         text("%s: reconstruct = 12 with anisotropy = %g; allowed: anisotropy 1, or reconstruct 18", function,
              links.anisotropy));
  if (links.t_boundary == TBoundary::antiperiodic && links.phases.type != StaggeredPhase::none)
    fail(ErrorKind::unsupported,
         text("%s: reconstruct = 12 with t_boundary = %d and staggered_phase_type = %d; allowed: t_boundary 1, no "
              "phases, or reconstruct 18",
              function, static_cast<int>(links.t_boundary), static_cast<int>(links.phases.type)));
}

long long project_su3(GaugeField &out, const GaugeField &in, double tolerance)
{
  check_fields(out, in);
  return project(out, in, tolerance, true);
}

long long make_unitary(GaugeField &out, const GaugeField &in, double tolerance)
{
  check_same_links("make_unitary", out, in);
  return project(out, in, tolerance, false);
}

} // namespace quda
