#pragma once
/// What the host side of the Wilson hop hands to its launch unit.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

/// out = a x + b D in, or out = b D in where x is null, on the sites of one or both parities.
struct WilsonCall {
  SpinorView out; // parity 1 - in's
  SpinorView in;  // its halo slots current in cut directions
  SpinorView x;   // same parity as out; data null: no such term
  GaugeView links;
  double a, b;
  int dagger;
  int parity;            // of out; both parities of full fields: 0
  int parities;          // 1 or 2
  const unsigned *sites; // (parities, count) registers to do, device memory; null: all of them
  unsigned count;        // registers a parity
};

/// [precision: double, single][reconstruct: 18, 12]
struct WilsonTable {
  void (*hop[2][2])(const TuneParam &, void *stream, const WilsonCall &);
};

} // namespace quda
