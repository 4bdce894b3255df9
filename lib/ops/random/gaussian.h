#pragma once
/// Random momenta and links. The numbers depend only on seed and global site (device/random.h): the same field on any
/// rank grid, target and number of threads; in single precision the double field's numbers, rounded.
/// Fields: native, written whole except for borders, and marked as written. Collective: while being tuned.

#include "fields/gauge_field.h"

namespace quda
{

/// A = sigma H, H = i sum_a h_a lambda_a with h_a normally distributed, variance 1/2.
void gaussian_momentum(GaugeField &momentum, unsigned long long seed, double sigma);

/// U = exp(sigma H). A field of reconstruct 12 gets links that carry its anisotropy and boundary sign, the only ones it
/// can hold.
void gaussian_links(GaugeField &links, unsigned long long seed, double sigma);

/// Unit links, times anisotropy and boundary sign by the field's description.
void cold_start(GaugeField &links);

/// Links uniform in SU(3), with the same factors.
void hot_start(GaugeField &links, unsigned long long seed);

} // namespace quda
