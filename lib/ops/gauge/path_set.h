#pragma once
/// Paths in the notation of host programs: a step is 0 to 3 forwards along x y z t, 7 to 4 backwards.

#include <array>
#include <vector>

#include "core/path.h"

namespace quda
{

using StepCodes = std::vector<int>;

constexpr int backwards(int d) { return 7 - d; }

struct WeightedPath {
  StepCodes steps;
  double coefficient;
};

/// For each direction mu the paths of sum_i c_i Path_i(x + mu): they begin at x + mu.
using PathSet = std::array<std::vector<WeightedPath>, 4>;

/// Distance of the links from the site that a path belongs to, in each direction.
using Reach = std::array<int, 4>;

/// The links of a path, seen from x, that begins at `start`; `reach` grows to include them. Step codes are 0 to 7.
void append_steps(std::vector<PathStep> &steps, Reach &reach, const StepCodes &codes, std::array<int, 4> start);

Reach reach_of(const PathSet &paths);
Reach reach_of(const StepCodes &loop);

/// The paths of a force by staples: plaquettes with one weight, 1 x 2 rectangles with another.
PathSet staple_paths(double plaquette, double rectangle);

/// Removes all staples of plaquettes and of 1 x 2 rectangles from a set: for each mu and plane those whose weights
/// agree. The rest stays; paths that occur several times count with their sum.
StapleWeights take_staples(PathSet &paths);

bool has_plaquettes(const StapleWeights &weights);
bool has_rectangles(const StapleWeights &weights);
bool empty(const PathSet &paths);

} // namespace quda
