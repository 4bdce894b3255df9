#pragma once
/// What quda_bench is asked for on its command line.

#include <array>
#include <string>
#include <vector>

#include "core/types.h"

namespace quda::bench
{

struct Options {
  std::array<int, 4> dims = {0, 0, 0, 0}; // not given
  std::vector<Precision> precisions = {Precision::double_, Precision::single, Precision::half};
  std::vector<int> reconstructs = {18, 12};
  std::vector<int> nrhs = {1};
  int threads = 0;
  double seconds = -1; // not given
  std::string filter, target, json, load_gauge;
  double kappa = 0; // not given
  bool list = false;

  std::vector<std::string> compare; // two programs
  int rounds = 5;
  double least = 0.97;
  bool retune = false;

  double kernel_seconds() const { return seconds < 0 ? 2 : seconds; }
  double run_seconds() const { return seconds < 0 ? 0.25 : seconds; }
};

} // namespace quda::bench
