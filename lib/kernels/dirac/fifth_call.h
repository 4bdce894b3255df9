#pragma once
/// Call of matrices in the fifth dimension.

#include "core/view.h"
#include "kernels/dirac/stencil_call.h"

namespace quda
{

constexpr int most_fifth = 32; // the largest extent of the fifth dimension

/// Coefficients of a layer and chirality: for itself, for the previous layer of the sweep, for the sweep's last layer,
/// and for the recursion; in memory of the target, (chirality 2, s, coefficient 4) reals or complex numbers.
enum FifthCoefficient { fifth_own, fifth_before, fifth_last, fifth_recursion, fifth_coefficients };

struct FifthTable {
  const void *numbers; // doubles, or floats if fields are of lower precision
  int up[2];           // for each chirality: whether sweeps go to larger s
  int recursion;       // whether there is a recursion
  int wall;            // whether there are coefficients `last`
  int adjoint;         // the product comes before the recursion, and `last` weights all layers for the first
};

struct FifthCall {
  SpinorView out, in;
  int parities;
  FifthTable matrix;
};

/// Call of Wilson's hop with such a matrix, real, applied to its sum.
struct FifthHopCall {
  StencilCall hop;
  AddToCall finish;
  FifthTable matrix;
};

} // namespace quda
