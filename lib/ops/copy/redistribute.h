#pragma once
/// Fields of a lattice over all ranks laid out on the sub-grids that these are cut into, and back.
///
/// Numbers travel as they are stored, with their scales in fixed point, so that both fields have the same bits. They are
/// native and own all of their memory; their way goes through the host's.
/// Errors: internal. Collective over the communicator of all ranks.

#include "fields/clover_field.h"
#include "fields/color_spinor_field.h"
#include "fields/gauge_field.h"
#include "fields/sub_grids.h"

namespace quda
{

/// The field on this rank's sub-grid. Links without a border; what else belongs to them, a unit among it, comes along.
/// Errors: FoundTogether if memory is short on some rank.
GaugeField redistributed(const SubGrids &grids, const GaugeField &from);
CloverField redistributed(const SubGrids &grids, const CloverField &from);
/// Right-hand side n of sub-grid j is number n count() + j of the field over all ranks; one of both is `to`.
void redistribute(const SubGrids &grids, ColorSpinorField &to, const ColorSpinorField &from);

} // namespace quda
