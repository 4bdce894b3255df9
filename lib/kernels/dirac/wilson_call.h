#pragma once
/// What the host side hands to the Wilson hop, and to the kernels that make its halo.

#include "kernels/dirac/stencil_call.h"

namespace quda
{

/// out = a x + b D in.
struct WilsonCall {
  StencilCall hop;
  AddToCall finish; // out: parity 1 - in's
};

} // namespace quda
