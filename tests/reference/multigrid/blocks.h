/// Between a lattice and the coarse grid of its blocks of sites; from the formulas.
#pragma once

#include <vector>

#include "reference/field.h"

namespace reference
{

/// Numbers of the coarse grid's sites: (slot, row), row X n + i for chirality X (0: spins 0 and 1) and vector i of n.
using CoarseVector = std::vector<Complex>;

Lattice coarse_lattice(const Lattice &fine, const Coords &block);

/// Sum over the sites of each block with lo_d <= coordinate in the block < hi_d and the spins of X of conj(V_i) in.
CoarseVector restrict_blocks(const std::vector<Spinors> &V, const Spinors &in, const Lattice &fine, const Coords &block,
                             const Coords &lo, const Coords &hi);
CoarseVector restrict_blocks(const std::vector<Spinors> &V, const Spinors &in, const Lattice &fine,
                             const Coords &block);

/// sum_i V_i c_i, the spins of each chirality with that chirality's numbers.
Spinors prolong_blocks(const std::vector<Spinors> &V, const CoarseVector &c, const Lattice &fine, const Coords &block);

/// The spins of chirality X alone.
Spinors chirality(const Spinors &psi, int X);

} // namespace reference
