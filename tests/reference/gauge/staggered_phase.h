/// Staggered phases of links, by their tables: eta_mu(x) times the sign of the boundary and the phase of an imaginary
/// chemical potential on time links.
#pragma once

#include "reference/field.h"

namespace reference
{

enum class StaggeredPhases { milc, chroma, tifr };

/// put: 1 puts the phases on, -1 takes them off.
GaugeField staggered(const GaugeField &gauge, StaggeredPhases type, int t_boundary, double i_mu = 0, int put = 1);

} // namespace reference
