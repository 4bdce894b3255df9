/// What a host program does to links before it hands them over, and what storing two rows of them does.
#pragma once

#include "reference/field.h"

namespace reference
{

/// The factor a link carries after set_up_links: 1/anisotropy in space, t_boundary on the t links of the last time
/// slice.
double link_factor(const Lattice &lattice, const Coords &x, int mu, double anisotropy, int t_boundary);

/// Divides spatial links by the anisotropy and multiplies the t links of the last time slice by t_boundary (1 or -1).
void set_up_links(GaugeField &gauge, double anisotropy, int t_boundary);

/// Reconstruct 12: the third row remade from the first two, of links that set_up_links prepared with the same numbers.
/// With a, b = f times the first rows of an SU(3) matrix, the third is conj(a x b) / f; f is its own inverse where it
/// is a sign.
GaugeField reconstructed_12(const GaugeField &gauge, double anisotropy = 1, int t_boundary = 1);

/// The field as single precision holds it.
GaugeField rounded_to_single(const GaugeField &gauge);

Spinors rounded_to_single(const Spinors &psi);

/// The field as 16-bit fixed point holds it: elements of links are multiples of 1/32767; those of a spinor at a site,
/// of the largest real or imaginary part there over 32767.
GaugeField rounded_to_half(const GaugeField &gauge);

Spinors rounded_to_half(const Spinors &psi);

} // namespace reference
