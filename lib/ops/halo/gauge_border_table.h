#pragma once
/// What the exchange of gauge borders hands to its launch unit.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

/// The border of an extended field on one side of direction d. pack: lanes whose border lies in the rank are filled at
/// once, what the rank across the other side needs goes into the message. unpack: lanes that another rank sent.
struct GaugeBorderCall {
  FieldView links; // inner = 4
  int d;
  int side; // +1: o_d in [O_d, O_d + R_d), -1: [-R_d, 0)
  void *message;
  int parity, parities; // the first parity, and how many
  int mu, directions;   // the first direction of the links, and how many
};

struct GaugeBorderTable {
  void (*pack[2])(const TuneParam &, void *stream, const GaugeBorderCall &); // [double, single]
  void (*unpack[2])(const TuneParam &, void *stream, const GaugeBorderCall &);
};

} // namespace quda
