#pragma once
/// What the exchange of gauge borders hands to its kernel.

#include "core/view.h"

namespace quda
{

/// The border of an extended field along d, on both sides. Leaving: lanes whose border lies in the rank are filled at
/// once, what the ranks beside need goes into the messages. Arriving: lanes that another rank sent.
struct GaugeBorderCall {
  FieldView links; // inner = 4
  int d;
  int arriving;
  void *message[2];     // for the border below, above
  int parity, parities; // the first parity, and how many
  int mu, directions;   // the first direction of the links, and how many
};

} // namespace quda
