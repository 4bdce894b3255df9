#pragma once

/// Paths of the gauge actions made of plaquettes, rectangles (1 x 2) and parallelograms (x, y, z), in the form of
/// computeGaugeForceQuda(): the staples of each direction, from x + mu back to x, and their weights.

#include "interface/guard.h"

#include <array>
#include <vector>

namespace quda
{

class GaugeActionPaths
{
public:
  /// Steps of the longest path.
  static constexpr int longest = 5;

  /// Refuses numbers of loop types other than 1 to 3, and weights that are not finite; compares the ranks on the
  /// former. name: of the weights in messages. Collective: no.
  static void check(Checks &checks, int loop_types, const char *name, const double *coefficients);

  /// coefficients: one per loop type.
  GaugeActionPaths(int loop_types, const double *coefficients);
  GaugeActionPaths(const GaugeActionPaths &) = delete;
  GaugeActionPaths(GaugeActionPaths &&) = default;

  // the arrays belong to this object: a list of paths for each direction; length and weight of each path
  int count() const { return static_cast<int>(lengths_.size()); }
  int ***steps() { return lists_.data(); }
  int *lengths() { return lengths_.data(); }
  double *weights() { return weights_.data(); }

private:
  using Path = std::array<int, longest>;

  std::vector<Path> paths_[4];
  std::vector<int *> first_steps_[4];
  std::vector<int **> lists_;
  std::vector<int> lengths_;
  std::vector<double> weights_;
};

} // namespace quda
