/// Instances of the projection.

#include "ops/gauge/project_table.h"
#include "device/built.h"
#include "kernels/gauge/project.h"
#include <reduce.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

namespace
{

  template <class T, int recon>
  void project(const TuneParam &tp, void *stream, const ProjectCall &call, ExactLimbs *sums)
  {
    launch_sum_2d<Project>(tp, stream, ProjectArg<T, recon>(call), sums);
  }

} // namespace

extern const ProjectTable project_table;
const ProjectTable project_table = {QUDA_PRECISION_RECONSTRUCT(project)};

} // namespace quda::QUDA_TARGET_NAMESPACE
