/// Gauge transformations: U_mu(x) -> g(x) U_mu(x) g(x+mu)^dag, psi(x) -> g(x) psi(x), with SU(3) matrices g at the
/// slots.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/field.h"

namespace reference
{

using Rotation = std::vector<Link>;

Rotation random_rotation(const Lattice &lattice, std::uint64_t seed);

/// length: steps from one end of a link to the other.
GaugeField transformed(const GaugeField &gauge, const Rotation &g, int length = 1);

/// A matrix acts on the colour index, the columns of a Spinor, so it stands transposed on the right.
Spinors transformed(const Spinors &psi, const Rotation &g);

} // namespace reference
