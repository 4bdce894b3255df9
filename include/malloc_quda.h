#pragma once

/**
 * @file
 * Device memory from the library's pool, for array libraries that allocate through it. C++ only. The memory belongs to
 * the caller until it is handed back; endQuda() names blocks that are left. Collective: no.
 */

#include <cstddef>

namespace quda
{

namespace pool
{

  /**
   * Take a block of device memory (host memory on the CPU target) from the pool.
   * @param[in] function where it is asked for, named when the block is never handed back
   * @param[in] file     the same
   * @param[in] line     the same
   * @param[in] size     bytes
   * @return address, aligned to 64 bytes at least
   * Errors: out of memory, library not initialised.
   */
  void *device_malloc_(const char *function, const char *file, int line, std::size_t size);

  /**
   * Hand a block back.
   * @param[in] function where it is handed back
   * @param[in] file     the same
   * @param[in] line     the same
   * @param[in] pointer  a block of device_malloc_(); null: nothing happens
   * Errors: not a block of the pool.
   */
  void device_free_(const char *function, const char *file, int line, void *pointer);

} // namespace pool

} // namespace quda

/** device_malloc_() and device_free_() with the place of the call filled in. */
#define pool_device_malloc(size) quda::pool::device_malloc_(__func__, __FILE__, __LINE__, size)
#define pool_device_free(pointer) quda::pool::device_free_(__func__, __FILE__, __LINE__, pointer)
