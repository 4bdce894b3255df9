#pragma once
/// Call of contractions site by site.

#include "core/view.h"

namespace quda
{

struct SitewiseCall {
  FieldView x, y; // one shape, lattice and precision
  FieldView out;  // 2 spins^2 reals
  int parities;
  int corrected; // bilinears: entries 11 and 15 are sigma_13 and sigma_34
};

} // namespace quda
