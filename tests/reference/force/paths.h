/// Sums of products of links along paths. A step is 0 to 3 forwards along x y z t, 7 to 4 backwards.
#pragma once

#include <array>
#include <vector>

#include "reference/field.h"

namespace reference
{

struct PathTerm {
  std::vector<int> steps;
  double coefficient;
};

/// [mu]: the paths from x + mu back to x that close a loop with U_mu(x).
using PathTerms = std::array<std::vector<PathTerm>, 4>;

/// W_mu(x) = U_mu(x) sum_i c_i Path_i(x + mu)
Link path_sum(const GaugeField &gauge, const PathTerms &terms, const Coords &x, int mu);

GaugeField path_sum(const GaugeField &gauge, const PathTerms &terms);

/// sum over sites of the trace of the path from there
Complex loop_trace(const GaugeField &gauge, const std::vector<int> &steps);

} // namespace reference
