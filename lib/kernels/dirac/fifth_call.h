#pragma once
/// What the host side hands to the kernel of matrices in the fifth dimension.

#include "core/view.h"
#include "kernels/dirac/stencil_call.h"

namespace quda
{

constexpr int most_fifth = 32; // the largest extent of the fifth dimension

/// Coefficients of a layer and chirality: of itself, of the layer before it in the sweep, of the last one of the sweep,
/// and of the recursion; in memory of the target, (chirality 2, s, coefficient 4) reals or complex numbers.
enum FifthCoefficient { fifth_own, fifth_before, fifth_last, fifth_recursion, fifth_coefficients };

struct FifthTable {
  const void *numbers; // doubles, or floats where fields are of lower precision
  int up[2];           // of each chirality: whether sweeps go to larger s
  int recursion;       // whether there is one
  int wall;            // whether coefficients `last` are there
  int adjoint;         // the product comes before the recursion, and `last` are what the first layer takes of all
};

struct FifthCall {
  SpinorView out, in;
  int parities;
  FifthTable matrix;
};

/// Call of Wilson's hop with such a matrix, real, of its sum.
struct FifthHopCall {
  StencilCall hop;
  AddToCall finish;
  FifthTable matrix;
};

} // namespace quda
