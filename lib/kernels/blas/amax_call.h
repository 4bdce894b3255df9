#pragma once
/// Call of the largest magnitude (amax.launch.cpp).

#include "core/stream_view.h"

namespace quda
{

struct AmaxCall {
  StreamView shape;
  StreamField field;
  long long *bits; // one for each group, in the target's memory: raised
};

} // namespace quda
