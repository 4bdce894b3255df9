#pragma once
/// Places of sites: shared/site_index.h, and the trivial lane moves of scalar targets.

#include "targets/shared/site_index.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class R> QUDA_DEVICE R moved(R a, const Place &) { return a; }

} // namespace quda::QUDA_TARGET_NAMESPACE
