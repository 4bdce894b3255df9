#pragma once
/// What of the precisions and reconstructs this build computes in (QUDA_PRECISION, QUDA_RECONSTRUCT).

#include "core/types.h"

namespace quda
{

bool built(Precision precision);
bool built(Reconstruct reconstruct);

/// The next better precision that is built; double is its own.
Precision next_better(Precision precision);
/// The precision itself where it is built, else the next better one.
Precision at_least(Precision precision);

} // namespace quda
