#pragma once
/// The sums of Wilson's hop on CPUs, where they are functions: compiled in one unit for all hops that differ only in
/// their finish. That unit has QUDA_WILSON_SUMS(), the others QUDA_WILSON_SUMS(extern), at the target's namespace
/// and once for each precision.

#include "device/instances.h"
#include "kernels/dirac/hop.h"
#include "kernels/dirac/wilson_leg.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Stored type and links of a unit of one precision.
#if QUDA_UNIT_PRECISION == 8
using UnitStored = double;
#elif QUDA_UNIT_PRECISION == 4
using UnitStored = float;
#elif QUDA_UNIT_PRECISION == 2
using UnitStored = Half;
#else
using UnitStored = Quarter;
#endif

} // namespace quda::QUDA_TARGET_NAMESPACE

#define QUDA_WILSON_SUM(where, side, recon, Links)                                                                     \
  where template void spinor_sum<WilsonLegs, side>(ColorVectors<Real<UnitStored>, 4> &,                                \
                                                   const StencilArg<UnitStored, recon, 24, 12> &, const StencilSite &, \
                                                   const StencilSite *, const Links<UnitStored, recon> &, int);
#define QUDA_WILSON_SUMS_OF(where, recon)                                                                              \
  QUDA_WILSON_SUM(where, +1, recon, SiteLinks)                                                                         \
  QUDA_WILSON_SUM(where, -1, recon, SiteLinks)                                                                         \
  QUDA_WILSON_SUM(where, +1, recon, FieldLinks)                                                                        \
  QUDA_WILSON_SUM(where, -1, recon, FieldLinks)

#if !defined(QUDA_SITE_SUMS) || !(QUDA_PRECISION & QUDA_UNIT_PRECISION)
#define QUDA_WILSON_SUMS(where)
#elif QUDA_RECONSTRUCT & 2
#define QUDA_WILSON_SUMS(where) QUDA_WILSON_SUMS_OF(where, 18) QUDA_WILSON_SUMS_OF(where, 12)
#else
#define QUDA_WILSON_SUMS(where) QUDA_WILSON_SUMS_OF(where, 18)
#endif
