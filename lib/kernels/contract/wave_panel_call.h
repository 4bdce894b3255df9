#pragma once
/// Call of products of colour vectors and plane waves.

#include "core/view.h"

namespace quda
{

struct WavePanelCall {
  FieldView vectors; // one spin, an entry for each vector
  FieldView panel;   // of four spins
  const void *waves; // kernels/contract/waves.h
  int n_waves;
};

} // namespace quda
