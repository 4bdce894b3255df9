/// Momenta: traceless anti-Hermitian matrices in the place of links; their storage in host arrays, their action, and
/// the step of the links that they drive.
#pragma once

#include <array>
#include <cstdint>

#include "reference/field.h"

namespace reference
{

/// i sum_a h_a lambda_a with normal h_a of variance 1/2.
GaugeField random_momentum(const Lattice &lattice, std::uint64_t seed);

/// The ten numbers of a host array: A_01, A_02, A_12, Im A_00, Im A_11, Im A_22, 0.
std::array<double, 10> ten_numbers(const Link &a);

/// real: float or double
template <class real> Link from_ten(const real *q);

/// sum_{x mu} [ sum_ij |A_ij|^2 / 2 - 4 ]
double momentum_action(const GaugeField &a);

/// exp(dt A) U, or its Taylor series up to a power.
GaugeField updated(const GaugeField &u, const GaugeField &a, double dt, int order = 60);

} // namespace reference
