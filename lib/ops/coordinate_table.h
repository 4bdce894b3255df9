#pragma once
/// Tables of numbers that depend on one coordinate of a site, in the target's memory (device/coordinate_table.h).

#include <functional>

#include "core/view.h"
#include "fields/lattice.h"
#include "ops/halo/message_buffer.h"

namespace quda
{

/// Number i, 0 <= i < numbers, of coordinate x_d of the whole lattice.
using NumberOfCoordinate = std::function<double(int d, long long x, int i)>;

/// view: view of the fields used with it; single: floats, not doubles.
DeviceBuffer coordinate_table(const Lattice &lattice, const LatticeView &view, bool single, int numbers,
                              const NumberOfCoordinate &number);

} // namespace quda
