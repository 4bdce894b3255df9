#pragma once
/// What the test of halos hands to its kernel: out(x) = what lies `steps` along d from x.

#include "core/view.h"

namespace quda
{

struct HaloReadCall {
  FieldView in, out; // of one shape
  HaloView halo;     // of in
  int d, steps;
  int parity, parities; // of out: the first, and how many
};

} // namespace quda
