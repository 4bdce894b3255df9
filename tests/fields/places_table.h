#pragma once
/// What the tests of this folder pass to their launch unit.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

/// Requests: real k of inner entry i in lane `lane` of a register, its own and one step further along d.
struct PlacesCall {
  unsigned n;
  FieldView field;         // its data are never touched
  const unsigned *request; // (n, [x_cb, parity, i, k, lane, d])
  long long *offset;       // (n, [here, one step up d]), counted from data
};

/// Whether places that are found together are those that are found one by one: of register n of both parities.
struct AroundCall {
  unsigned n; // registers of a parity
  LatticeView lattice;
  int *differ; // (2, n): bit 8 (length 3) + 2 d + up
};

struct PlacesTable {
  void (*links[2])(const TuneParam &, const PlacesCall &);   // [double, single], 18 reals
  void (*spinors[2])(const TuneParam &, const PlacesCall &); // 24 reals
  void (*around)(const TuneParam &, const AroundCall &);
};

} // namespace quda
