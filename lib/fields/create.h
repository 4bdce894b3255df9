/// How a field comes by its memory.
#pragma once

namespace quda
{

enum class Create : int {
  allocate, ///< owned, contents as the pool gives them: nothing may read what was not written
  zero,     ///< owned, all zero
  reference ///< the caller's memory, which must outlive the field
};

} // namespace quda
