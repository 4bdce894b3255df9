#pragma once
/// Time slices as right-hand sides: each slice of a field on all sites becomes a right-hand side of a field on one parity
/// of a lattice of its own, whose fourth extent is 2: site (x, y, z) of a slice stands at (x, y, z, (x + y + z) mod 2).
/// So operations of linear algebra on each right-hand side act on each slice.

#include <memory>

#include "fields/color_spinor_field.h"

namespace quda
{

/// The lattice of the slices that a rank holds; its communicator is that of the ranks with the same slices. Collective.
std::shared_ptr<const Lattice> lattice_of_slices(const Lattice &lattice);

/// Parameters of `slices` for a field of `rhs` 1 on all sites.
ColorSpinorParam param_of_slices(const ColorSpinorParam &field, std::shared_ptr<const Lattice> slices);

/// Copies between native fields of double or single precision, `slices` of param_of_slices(). Collective while tuned.
void to_slices(ColorSpinorField &slices, const ColorSpinorField &field);
void from_slices(ColorSpinorField &field, const ColorSpinorField &slices);

} // namespace quda
