#pragma once
/// Staggered phases of links, applied and removed.

#include "fields/gauge_field.h"

namespace quda
{

/// links times eta_mu(x), x y z t counted from the first site of the lattice, or of any rank, whose extents are even:
///   milc   (-1)^t, (-1)^(t+x), (-1)^(t+x+y), 1
///   chroma -1, -(-1)^x, -(-1)^(x+y), -(-1)^(x+y+z)         (CPS has this one, too)
///   tifr   -(-1)^(t+z+y), (-1)^(t+z), -(-1)^t, 1
/// for mu = x y z t; time links also times -1 on the last global time slice if the field's t_boundary is
/// antiperiodic, and times exp(i pi i_mu / T), T the global extent. Convention and i_mu: the field's phases().
/// without: the inverse.
/// The result states whether it carries phases; its t_boundary stays as it was. links: native, double or single,
/// reconstruct 18, no border, without phases or with the phases of the result. Collective: while tuned.
GaugeField with_staggered_phases(const GaugeField &links);
GaugeField without_staggered_phases(const GaugeField &links);

/// Refuses, naming `function`, phases without a convention. Collective: no.
void check_phase_type(const char *function, const Phases &phases);

} // namespace quda
