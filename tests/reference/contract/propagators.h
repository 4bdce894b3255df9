/// Contractions of two propagators, and sums over slices times plane waves; from their formulas. A propagator is a list
/// of spinor fields, source spins outermost, then source colours.
#pragma once

#include <vector>

#include "reference/field.h"

namespace reference
{

using Propagator = std::vector<Spinors>;
using SiteNumbers = std::vector<std::vector<Complex>>; // (slot)(entry)

/// tr X^dag (gamma5 Gamma_G) Y (gamma5 Gamma_G), X and Y (sink spin, source spin), colours summed, in the
/// DeGrand-Rossi basis; G: gamma_1 to 4, gamma5 gamma_1 to 4, 1, gamma5, sigma_12, 13, 14, 23, 24, 34.
SiteNumbers propagator_contraction(const Propagator &x, const Propagator &y);

/// sum over columns and colours of conj(x) y of spin 0.
SiteNumbers color_contraction(const Propagator &x, const Propagator &y);

/// kind, of each direction: 3 exp(i theta), 2 cos theta, 1 i sin theta; theta = 2 pi mode (x - origin) / L.
struct PlaneWave {
  Coords mode, kind;
};

Complex wave_at(const PlaneWave &wave, const Lattice &lattice, const Coords &x, const Coords &origin);

/// (wave, slice, entry)
std::vector<Complex> sum_waves(const SiteNumbers &numbers, const Lattice &lattice, const std::vector<PlaneWave> &waves,
                               int direction, const Coords &origin);

} // namespace reference
