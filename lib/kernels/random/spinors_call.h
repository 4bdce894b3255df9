#pragma once
/// What the kernel of random quark fields is launched on.

#include "core/view.h"

namespace quda
{

struct RandomSpinorsCall {
  FieldView out;
  int parities;
  int parity; // of a field of one parity
  unsigned long long seed;
  unsigned first; // of the streams that its inner entries have, one each
  int slices;     // of a checkerboard of five dimensions, in whose odd ones the parities change places; or 1
};

} // namespace quda
