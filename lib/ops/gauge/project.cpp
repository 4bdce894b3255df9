#include "ops/gauge/project.h"

#include "comms/replicated_sum.h"
#include "core/exact_sum.h"
#include "ops/gauge/project_table.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(ProjectTable, project_table)

namespace
{

  class ProjectLinks : public TunableReduction
  {
  public:
    ProjectLinks(const GaugeField &out, const GaugeField &in, double tolerance)
        : TunableReduction(in.shared_lattice()->shared_communicator(), registers(in), 2, volume_text(in.lattice()).s,
                           "Project", links_text(in).s)
        , in_(in)
        , call_ {in.view(), out.view(), tolerance}
        , kernel_(instance(project_table().project, "projection", in.precision(), in.reconstruct()))
    {
    }

    void launch(const TuneParam &tp, void *stream) override
    {
      failures = {};
      kernel_(tp, stream, call_, &failures);
    }
    long long flops() const override { return 0; }
    long long bytes() const override { return 8 * in_.lattice().volume() * in_.reals() * bytes_of(in_.precision()); }

    ExactLimbs failures {};

  private:
    const GaugeField &in_;
    ProjectCall call_;
    decltype(+ProjectTable {}.project[0][0]) kernel_;
  };

  void check_fields(const GaugeField &out, const GaugeField &in)
  {
    const char *function = "project_su3";
    check_same_links(out, in);
    if (in.precision() != out.precision() || in.reconstruct() != out.reconstruct())
      fail(ErrorKind::internal, text("%s: in and out must be of one precision and reconstruct", function));
    for (int d = 0; d < 4; d++)
      if (out.R()[d] != in.R()[d]) fail(ErrorKind::internal, text("%s: borders of in and out differ", function));
    check_projection(function, in.param());
  }

} // namespace

void check_projection(const char *function, const GaugeFieldParam &links)
{
  if (links.reconstruct == Reconstruct::r12 && (links.anisotropy != 1 || links.t_boundary == TBoundary::antiperiodic))
    fail(ErrorKind::unsupported,
         text("%s: reconstruct = 12 with anisotropy = %g, t_boundary = %d; allowed: anisotropy 1 and t_boundary 1, or "
              "reconstruct 18",
              function, links.anisotropy, static_cast<int>(links.t_boundary)));
}

long long project_su3(GaugeField &out, const GaugeField &in, double tolerance)
{
  check_fields(out, in);
  // a launch repeated by tuning must find its input as it was
  if (in.data() == out.data()) {
    GaugeField copy(in.param());
    copy = in;
    return project_su3(out, copy, tolerance);
  }
  ProjectLinks projection(out, in, tolerance);
  projection.apply();
  out.mark_written();
  sum_limbs(in.lattice().communicator(), &projection.failures, 1);
  return static_cast<long long>(exact_value(projection.failures));
}

} // namespace quda
