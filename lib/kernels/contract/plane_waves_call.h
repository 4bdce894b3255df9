#pragma once
/// Call of sums of site fields times plane waves.

#include "core/exact_limbs.h"
#include "core/view.h"

namespace quda
{

constexpr int wave_pairs = 4; // complex sums of one group

struct PlaneWavesCall {
  FieldView numbers; // entries of one complex number
  const void *waves; // device/coordinate_table.h, a complex number for each wave
  int n_waves;
  int direction;  // of the slices
  unsigned first; // first group of the launch
  unsigned groups;
  ExactLimbs *sums; // (group, wave_pairs, part)
};

} // namespace quda
