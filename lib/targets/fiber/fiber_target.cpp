#include "targets/host_target.h"

namespace quda
{

/// The fiber target: the CUDA target's geometry in host memory. Linked into test programs only.
const TargetApi *fiber_target()
{
  static const TargetApi *const fiber = new HostTarget(Target::fiber, 1, 0, 1);
  return fiber;
}

} // namespace quda
