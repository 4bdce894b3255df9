#pragma once
/// What copies share: the stored type of so many bytes, since they have one list of types for each side, and the range
/// of fixed point without scales.

#include "core/number.h"
#include "kernels/copy/reorder_call.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <int bytes> struct StoredOf;
template <> struct StoredOf<8> {
  using type = double;
};
template <> struct StoredOf<4> {
  using type = float;
};
template <> struct StoredOf<2> {
  using type = Half;
};
template <> struct StoredOf<1> {
  using type = Quarter;
};
template <int bytes> using stored_of = typename StoredOf<bytes>::type;

QUDA_DEVICE float range_of(const ReorderEnd &end) { return end.range != 0 ? static_cast<float>(end.range) : 1.0f; }

} // namespace quda::QUDA_TARGET_NAMESPACE
