#pragma once
/// Site fields summed over slices, times plane waves.

#include "fields/site_field.h"
#include "ops/coordinate_table.h"

#include <complex>
#include <span>
#include <vector>

namespace quda
{

/// Factor for one direction, theta = 2 pi m (x - origin) / L, x and L of the whole lattice.
enum class Wave {
  exponential, // exp(i theta)
  cosine,      // cos theta
  sine         // i sin theta
};

struct PlaneWave {
  int mode[4]; // m
  Wave kind[4];
};

/// Table of the waves at the sites of a lattice, in the target's memory (kernels/contract/waves.h).
DeviceBuffer wave_table(const Lattice &lattice, const LatticeView &view, Precision precision,
                        std::span<const PlaneWave> waves, const int (&origin)[4]);

/// sums[(w * slices + s) * entries + e] = sum over all x with x_d = s of the product of wave w's four factors times
/// entry e of `numbers`: slices of the whole lattice along `direction`, d. Exact sums of products in the field's
/// precision: one bit pattern on all ranks, for any rank grid, lane split, thread count and tuning.
/// numbers: native, full, double or single, right-hand sides of one complex number. Collective over its communicator.
std::vector<std::complex<double>> sum_plane_waves(const SiteField &numbers, int direction,
                                                  std::span<const PlaneWave> waves, const int (&origin)[4]);

/// Flops of the sums on this rank.
double plane_waves_flops(const SiteField &numbers, std::size_t waves);

} // namespace quda
