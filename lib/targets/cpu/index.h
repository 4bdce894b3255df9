#pragma once
/// Places of sites: shared/site_index.h, and lane moves of loaded registers.

#include "targets/shared/site_index.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int W> QUDA_DEVICE Lane<T, W> moved(Lane<T, W> a, const Place &n)
{
  return permute(a, n.shift->index);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
