#pragma once
/// Products of colour vectors and quark fields, summed over time slices.

#include "fields/color_spinor_field.h"

#include <complex>
#include <vector>

namespace quda
{

/// sums[((q n_vectors + e) T + t) 4 + s] = sum over space and colours of conj(vector e) times spin s of quark q on time
/// slice t of the whole lattice, T of them: each slice's products are one dense product of two panels. Chains of 24
/// products in the fields' precision, placed on the lattice independently of the ranks, then exact sums: one bit
/// pattern on all ranks, for any rank grid, lane split, thread count, tuning and number of fields.
/// vectors, quarks: native, full, on one lattice (best one of Lattice::sliced(); from skewed blocks they are copied
/// there) and in one precision, double or single, 3
/// colors, one and four spins, a right-hand side each. Collective over their communicator.
std::vector<std::complex<double>> slice_products(const ColorSpinorField &vectors, const ColorSpinorField &quarks);

/// A copy on Lattice::sliced(), for fields on a lattice of skewed blocks.
ColorSpinorField in_even_blocks(const ColorSpinorField &field);

/// Flops for one product of a vector and a quark field on this rank.
double slice_products_flops(const Lattice &lattice);

} // namespace quda
