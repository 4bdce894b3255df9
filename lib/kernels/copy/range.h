#pragma once
/// The range of fixed point without scales.

#include "kernels/copy/reorder_call.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

QUDA_DEVICE float range_of(const ReorderEnd &end) { return end.range != 0 ? static_cast<float>(end.range) : 1.0f; }

} // namespace quda::QUDA_TARGET_NAMESPACE
