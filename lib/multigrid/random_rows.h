#pragma once
/// Random row fields (ops/multigrid/rows.h), uniform in the square of half width 1. Numbers depend only on stream,
/// global site and row; right-hand side j has stream first + j; rows that fill up a register stay zero.
/// Source: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).

#include "fields/color_spinor_field.h"

namespace quda
{

void random_rows(ColorSpinorField &out, int rows, unsigned long long first);

} // namespace quda
