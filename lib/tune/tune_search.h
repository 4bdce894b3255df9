#pragma once
/// Measuring the candidates of a launch on this rank. Internal to lib/tune.

#include <exception>

#include "core/tune_param.h"

namespace quda
{

class Tunable;

struct TuneResult {
  TuneParam param = {};
  double seconds = 0;        // of one launch
  double tuning_seconds = 0; // the whole search
  bool clear = true;         // the machine was quiet enough to tell
};

/// What the search for a launch that takes so long may take itself, in seconds.
double tuning_budget(double seconds);

/// Measures candidates(), then the refinements() of the best, and of the best then; puts back what the kernel
/// changed in place. Candidates take turns, in several rounds, and are judged by their smallest times: what else runs on
/// the machine only adds. Where not even the best has two times that agree, the result is not clear. Those that the kernel
/// refuses (Error bad_argument or device) drop out; the last error is thrown when all do. Takes 120 launches, at least
/// tens of milliseconds and at most about two seconds, whatever comes last. Does not communicate.
TuneResult search_best(Tunable &tunable, void *stream, bool report);

} // namespace quda
