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
  std::array<int, 4> grid = {1, 1, 1, 1}; // of ranks
  std::vector<Precision> precisions = {Precision::double_, Precision::single, Precision::half};
  std::vector<int> reconstructs = {18, 12};
  std::vector<int> nrhs = {1};
  std::vector<int> threads;
  std::vector<std::string> targets, tunings, kernels;
  int first = 0, last = 0; // of a sweep of extents
  double seconds = -1;     // not given
  int passes = 0;          // not given
  std::string filter, json, csv, load_gauge;
  double kappa = 0; // not given
  bool list = false;

  std::vector<std::string> compare; // two programs
  int rounds = 5;
  double least = 0.97;
  bool retune = false;

  double kernel_seconds() const { return seconds < 0 ? 2 : seconds; }
  double run_seconds() const { return seconds < 0 ? 0.25 : seconds; }
};

/// The options of a run but for what is measured, for another quda_bench. Nothing that older ones do not know, unless
/// it was given.
std::vector<std::string> words_of(const Options &options);

/// Makes QUDA_ENABLE_TUNING and QUDA_TUNE_FORCE say what one word of --tunings means.
void set_tuning(const std::string &tuning);

} // namespace quda::bench
