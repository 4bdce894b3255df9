#pragma once
/// Spinor fields as streams of the linear algebra's kernels (core/stream_view.h).

#include "core/stream_view.h"
#include "fields/color_spinor_field.h"

namespace quda::blas
{

/// Groups of `rhs` right-hand sides with their layers. flat: the fields have no gaps and are one group, so that inner
/// entries are points like any other.
StreamView stream_view(const ColorSpinorField &shape, int rhs, int groups, bool flat);

/// The same for sums: for row fields (ops/multigrid/rows.h) whose rows are a multiple of max_lanes, a scalar target has
/// a point for each of max_lanes adjacent rows, as lanes have, so that sums have the same bits.
StreamView sum_view(const ColorSpinorField &shape, int rhs, int groups, bool flat);

/// A field from its right-hand side `first` on.
StreamField stream_field(const ColorSpinorField &field, int first, bool flat);

/// Records of one right-hand side: one for each site and layer, and for each of a site's lanes if these are rows.
long long records_of(const Field &field);

} // namespace quda::blas
