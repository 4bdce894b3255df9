#pragma once

/// Blocks of the pools in the hands of callers.

#include "core/error.h"
#include "targets/pool.h"

namespace quda
{

/// Takes back a block that a caller was given; null is nothing to do. A pointer that is no such block is the caller's
/// mistake, not the library's: Error (bad_argument). Collective: no.
inline void take_back(MemoryPool &pool, void *pointer, const char *function, const char *file = __builtin_FILE(),
                      int line = __builtin_LINE())
{
  try {
    pool.put(pointer, function, file, line);
  } catch (const Error &error) {
    fail(ErrorKind::bad_argument, error.what());
  }
}

} // namespace quda
