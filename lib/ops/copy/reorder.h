#pragma once
/// Common path of all copies: foreign bytes cross to the target raw, and a kernel there reorders, converts and rotates.

#include "fields/gauge_field.h"
#include "kernels/copy/rebuild_call.h"
#include "kernels/copy/reorder_call.h"

namespace quda
{

/// Names in tuning keys for a copy between native fields, into one and out of one.
struct CopyNames {
  const char *copy, *load, *save;
};

/// Whether one kernel can do the copy: one side is native, and if both are, their sites lie in the same lanes.
bool in_one_step(const Field &to, const Field &from);

/// Changes param, which is from.param(), to that of an intermediate field for copies that take two steps.
void set_between(FieldParam &param, const Field &from);

/// Copies as in `call`, in one step; the layout of both sides' records is filled in here. False if a
/// number was clamped: NaN or beyond 1 in a field of fixed point without scales.
bool reorder(Field &to, const Field &from, ReorderCall call, const CopyNames &names);

/// Whole links from compressed ones, or links of 8, 12, 13 or 9 numbers from whole ones: native fields of one lattice
/// and precision, double or single. For 12, 13 and 9 returns the number of links of all ranks that cannot be stored so
/// within the call's tolerance; collective, the call's sums are filled in.
long long rebuild_links(const Lattice &lattice, RebuildCall call, Precision precision);

/// The sum of |U|^2 over all links of all ranks, which are whole, native and in double or single precision. Collective.
double link_norm2(const GaugeField &links);

} // namespace quda
