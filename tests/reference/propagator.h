/// Propagators as Chroma writes them: a LIME file whose record scidac-binary-data holds big-endian doubles, site x
/// fastest, then sink spin, source spin, sink colour, source colour, (re, im).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "reference/field.h"

namespace reference
{

using Propagator = std::array<Spinors, 12>; // columns 3 spin + colour of the source, all slots

Propagator read_propagator(const std::string &path, const Lattice &lattice);

/// Of each time slice: the sum over space and all components of |S|^2.
std::vector<double> correlator(const Propagator &S, const Lattice &lattice);

} // namespace reference
