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
  bool clear = true;         // whether the machine was quiet enough to decide
};

/// Budget in seconds of the search for a launch that takes `seconds`.
double tuning_budget(double seconds);

/// Measures candidates(), then the refinements() of the best, and of the new best; restores the memory that the kernel
/// changed in place. Candidates take turns, in several rounds, and are judged by their smallest times: other programs
/// only add time. Where they do so often, candidates drop out only after several times each. If not even the best has two
/// times that agree, the result is not clear. Candidates that the kernel refuses (Error bad_argument or device) drop out;
/// the last error is thrown if all do. Takes the time of 120 launches, at least tens of milliseconds and at most about two
/// seconds; among other programs up to four times as long. Does not communicate.
TuneResult search_best(Tunable &tunable, void *stream, bool report);

} // namespace quda
