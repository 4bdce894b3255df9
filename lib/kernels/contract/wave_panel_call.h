#pragma once
/// What products of colour vectors and plane waves are launched on.

#include "core/view.h"

namespace quda
{

struct WavePanelCall {
  FieldView vectors; // of one spin, an entry each
  FieldView panel;   // of four spins
  const void *waves; // kernels/contract/waves.h
  int n_waves;
};

} // namespace quda
