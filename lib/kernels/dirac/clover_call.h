#pragma once
/// Call of the hop of clover fermions.

#include "kernels/dirac/stencil_call.h"

namespace quda
{

/// out = a (A + shift + T) x + b D in, T the twist of the finish without its `one`, or with an inverse out = a x + b B
/// D in, and with a twist out = a x + b (A + T) B D in.
struct CloverCall {
  StencilCall hop;
  AddToCall finish;
  FieldView clover; // (parity 2, x_cb, block 2, 36): A, or B if `inverse`
  FieldView term;   // A in addition to B; null: none
  int inverse;
  double shift;
};

} // namespace quda
