#pragma once
/// Elementals of distillation: products of colour vectors with plane waves between them, summed over time slices.

#include "fields/color_spinor_field.h"
#include "ops/contract/plane_waves.h"

#include <complex>
#include <span>
#include <vector>

namespace quda
{

/// sums[((w T + t) n_left + i) n_right + j] = sum over space and colours of conj(left vector i) times wave w times right
/// vector j on time slice t of the whole lattice, T of them. Products in the fields' precision, each a wave's number
/// times a vector's, then chains and exact sums as in slice_products(): one bit pattern on all ranks, for any rank grid,
/// lane split, thread count, tuning and number of vectors or waves.
/// left, right: native, full, of one lattice (best one of Lattice::sliced()) and precision, double or single, one spin, 3
/// colors, a right-hand side each. Collective over their communicator.
std::vector<std::complex<double>> elementals(const ColorSpinorField &left, const ColorSpinorField &right,
                                             std::span<const PlaneWave> waves, const int (&origin)[4]);

/// Flops for one pair of vectors and one wave on this rank.
double elementals_flops(const Lattice &lattice);

} // namespace quda
