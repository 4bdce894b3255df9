#pragma once
/// What the tests of this folder pass to their launch units: arrays in the target's memory, a multiple of 16 long.

#include "core/tune_param.h"

namespace quda
{

struct FunctionsCall {
  unsigned n;
  const void *in; // double or float
  void *log, *sqrt, *sin, *cos;
};

struct AnglesCall {
  unsigned n;
  const void *y, *x; // double or float
  void *half_turns;
};

struct WordsCall {
  unsigned n;
  const unsigned long long *in[4];
  unsigned long long *out[4];
  double *uniform[2];
  unsigned long long seed;
};

struct FunctionsTable {
  void (*functions[2])(const TuneParam &, const FunctionsCall &); // [double, single]
  void (*angles[2])(const TuneParam &, const AnglesCall &);       // [double, single]
  void (*philox)(const TuneParam &, const WordsCall &);
};

} // namespace quda
