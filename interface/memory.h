#pragma once

/// Memory blocks of the pools that callers hold.

#include "core/error.h"
#include "targets/pool.h"

namespace quda
{

/// Takes back a caller's block; null is ignored. A pointer that is not such a block is the caller's mistake, not the
/// library's. Errors: bad_argument. Collective: no.
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
