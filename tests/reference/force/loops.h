/// Sets of loops and the paths of their force: of each loop, started at any of its corners and run either way, those
/// that begin with a step along mu are U_mu(x) times a path from x + mu back to x.
#pragma once

#include <vector>

#include "reference/force/paths.h"

namespace reference
{

using Loop = std::vector<int>;

Loop reversed(const Loop &loop);

/// One loop for each class of loops that differ by rotations and reflections of the lattice, all of them: every image,
/// up to start and sense.
std::vector<Loop> images(const Loop &loop);

inline const Loop plaquette_loop = {0, 1, 7, 6};
inline const Loop rectangle_loop = {0, 0, 1, 7, 7, 6};
inline const Loop chair_loop = {0, 1, 7, 2, 6, 5};
inline const Loop parallelogram_loop = {0, 1, 2, 7, 6, 5};

/// The paths of the force of sum_x coefficient Re tr loop(x), summed over `loops`: [mu][i].
PathTerms force_paths(const std::vector<Loop> &loops, double coefficient);

PathTerms operator+(PathTerms a, const PathTerms &b);

} // namespace reference
