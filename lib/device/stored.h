#pragma once
/// The stored type for a number of bytes, for kernels between two precisions, whose instances list one type a side.

#include "core/number.h"

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

} // namespace quda::QUDA_TARGET_NAMESPACE
