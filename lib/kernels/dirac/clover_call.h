#pragma once
/// What the host side hands to the hop of clover fermions.

#include "kernels/dirac/stencil_call.h"

namespace quda
{

/// out = a (A + shift) x + b D in, or with an inverse clover term out = a x + b A^-1 D in.
struct CloverCall {
  StencilCall hop;
  AddToCall finish;
  FieldView clover; // (parity 2, x_cb, block 2, 36): A or A^-1
  int inverse;
  double shift;
};

} // namespace quda
