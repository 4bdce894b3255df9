/// Products of colour vectors with the spins of quark fields, summed over time slices; from the formula.
#pragma once

#include "reference/contract/propagators.h"

namespace reference
{

/// (quark, vector, t, spin): sum over space and colours of conj(vector) quark. Vectors: spin 0 of the fields.
std::vector<Complex> slice_products(const Propagator &vectors, const Propagator &quarks, const Lattice &lattice);

} // namespace reference
