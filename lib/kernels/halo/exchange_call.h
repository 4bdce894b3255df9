#pragma once
/// Calls of the exchange of halos.

#include "core/view.h"

namespace quda
{

/// Records of a field as they are, into messages and slots.
struct HaloPackCall {
  HaloMessages messages; // outgoing
  FieldView field;       // of the slots' precision, reals and inner extent; no border
  int parity;            // of the field's first half
};

/// Messages that do not arrive as slots, into slots.
struct HaloUnpackCall {
  HaloMessages messages; // that arrived
  int parity;            // of the data in their first half
};

} // namespace quda
