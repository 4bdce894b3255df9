#pragma once
/// Call of the exchange of gauge borders.

#include "core/view.h"

namespace quda
{

/// The border of an extended field along d, on both sides. Leaving: lanes whose border lies in the rank are filled at
/// once, records for the neighbouring ranks go into the messages. Arriving: lanes that another rank sent.
struct GaugeBorderCall {
  FieldView links; // inner = 4
  int d;
  int arriving;
  void *message[2];     // for the border below, above
  int parity, parities; // the first parity, and the number of parities
  int mu, directions;   // the first direction of the links, and their number
};

} // namespace quda
