#pragma once
/// Call of random quark fields.

#include "core/view.h"

namespace quda
{

struct RandomSpinorsCall {
  FieldView out;
  int parities;
  int parity; // of a field of one parity
  unsigned long long seed;
  unsigned first; // first of the streams of its inner entries, one each
  int slices;     // of a checkerboard of five dimensions, whose odd ones exchange the parities; or 1
};

} // namespace quda
