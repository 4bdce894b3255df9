#pragma once
/// Call of factors of the coordinates.

#include "core/view.h"

namespace quda
{

struct SiteFactorCall {
  FieldView out, in; // of one shape; may be one field
  int parities;
  int parity;          // of a field of one parity
  const void *factors; // device/coordinate_table.h, one number a coordinate
};

} // namespace quda
