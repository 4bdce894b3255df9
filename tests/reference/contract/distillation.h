/// Products of colour vectors, and of them with the spins of quark fields, summed over time slices; from the formulas.
#pragma once

#include <array>

#include "reference/contract/propagators.h"
#include "reference/dirac/covariant.h"

namespace reference
{

/// (quark, vector, t, spin): sum over space and colours of conj(vector) quark. Vectors: spin 0 of the fields.
std::vector<Complex> slice_products(const Propagator &vectors, const Propagator &quarks, const Lattice &lattice);

/// (mode, t, i, j): sum over space and colours of conj(left i) exp(-i p x) right j, p_d = 2 pi mode_d / L_d.
std::vector<Complex> elementals(const std::vector<SpinVectors<1>> &left, const std::vector<SpinVectors<1>> &right,
                                const std::vector<std::array<int, 3>> &modes, const Lattice &lattice);

} // namespace reference
