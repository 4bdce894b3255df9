/// The two C++ functions that PyQUDA's allocator module calls.

#include "malloc_quda.h"

#include "interface/guard.h"
#include "interface/memory.h"
#include "targets/target.h"

namespace quda::pool
{

void *device_malloc_(const char *function, const char *file, int line, std::size_t size)
{
  return guard("device_malloc_", [&] {
    require_initialised("device_malloc_");
    return device_pool().get(size, function ? function : "unknown", file ? file : "unknown", line);
  });
}

void device_free_(const char *function, const char *file, int line, void *pointer)
{
  guard("device_free_",
        [&] { take_back(device_pool(), pointer, function ? function : "unknown", file ? file : "unknown", line); });
}

} // namespace quda::pool
