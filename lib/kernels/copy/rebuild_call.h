#pragma once
/// What the host side hands to the kernels that rebuild and compress links.

#include "core/view.h"

namespace quda
{

struct RebuildCall {
  GaugeView from; // reconstruct 12 or 8; to be compressed: 18
  FieldView to;   // 18 reals; compressed: 8; same lattice and precision
};

} // namespace quda
