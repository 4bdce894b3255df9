#pragma once
/// Linear algebra on whole native spinor fields of one shape and precision. Sums are exactly rounded: the same on all
/// ranks, for any rank grid and any number of threads.

#include "fields/color_spinor_field.h"

namespace quda::blas
{

/// z = x, bit by bit. Not collective.
void copy(ColorSpinorField &z, const ColorSpinorField &x);

/// z = a x + y; z may be x or y. Not collective.
void axpyz(double a, const ColorSpinorField &x, const ColorSpinorField &y, ColorSpinorField &z);

/// Sum of |x|^2 over all sites and inner entries of the global lattice. Collective over its communicator.
double norm2(const ColorSpinorField &x);

} // namespace quda::blas
