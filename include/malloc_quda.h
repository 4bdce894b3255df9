#pragma once

#include <cstddef>

namespace quda
{

namespace pool
{

  void *device_malloc_(const char *function, const char *file, int line, std::size_t size);
  void device_free_(const char *function, const char *file, int line, void *pointer);

} // namespace pool

} // namespace quda

#define pool_device_malloc(size) quda::pool::device_malloc_(__func__, __FILE__, __LINE__, size)
#define pool_device_free(ptr) quda::pool::device_free_(__func__, __FILE__, __LINE__, ptr)
