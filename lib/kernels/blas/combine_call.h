#pragma once
/// Call of linear combinations of columns (combine.h).

#include "core/stream_view.h"

namespace quda
{

constexpr int combine_inputs = 16;  // of one launch
constexpr int combine_results = 16; // outputs times groups
constexpr int combine_together = 4; // outputs computed together

struct CombineCall {
  StreamView shape; // groups within each column
  StreamField in[combine_inputs];
  StreamField out[combine_results];
  int inputs;
  int outputs;
  double re[combine_inputs][combine_results]; // [input][group * outputs + output]
  double im[combine_inputs][combine_results];
};

} // namespace quda
