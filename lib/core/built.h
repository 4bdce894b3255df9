#pragma once
/// Precisions and reconstructs that this build computes in (QUDA_PRECISION, QUDA_RECONSTRUCT).

#include "core/types.h"

namespace quda
{

bool built(Precision precision);
bool built(Reconstruct reconstruct);

/// The next better precision that is built; for double, double itself.
Precision next_better(Precision precision);
/// The precision itself if it is built, else the next better one.
Precision at_least(Precision precision);

} // namespace quda
