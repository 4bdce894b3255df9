#pragma once
/// What the test of stored number types passes to its launch units: fields of one lattice and inner extent.

#include "core/tune_param.h"
#include "core/view.h"

namespace quda
{

struct StorageCall {
  FieldView numbers; // floats
  FieldView stored;
  FieldView raw;    // floats: integers as they are stored
  FieldView scales; // floats, two reals a record: its scale, 0
};

struct LinksCall {
  GaugeView stored;
  FieldView numbers;  // 18 floats a link
  FieldView operands; // the same, read as factors of a product
};

/// [half, quarter]
struct StorageTable {
  void (*write[2][3])(const StorageCall &); // numbers -> stored; records of 24, of 6, and 18 of the fixed scale
  void (*read[2][3])(const StorageCall &);  // stored -> numbers, raw, scales
  void (*links[2][2])(const LinksCall &);   // reconstruct 18, 12: numbers -> stored -> numbers, operands
};

} // namespace quda
