#pragma once
/// Large fields, which some ranks may have no memory for.

#include <optional>
#include <utility>

#include "comms/found_together.h"
#include "fields/color_spinor_field.h"

namespace quda
{

/// A field that all ranks have memory for; else FoundTogether (out_of_memory) on all of them. Collective.
inline ColorSpinorField field_together(const ColorSpinorParam &param)
{
  std::optional<ColorSpinorField> field;
  found_together(param.lattice->communicator(), [&] { field.emplace(param); });
  return std::move(*field);
}

} // namespace quda
