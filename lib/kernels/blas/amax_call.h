#pragma once
/// What the largest magnitude is launched on (amax.launch.cpp).

#include "core/stream_view.h"

namespace quda
{

struct AmaxCall {
  StreamView shape;
  StreamField field;
  long long *bits; // of each group, in the target's memory: raised
};

} // namespace quda
