#include "targets/host_target.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"

namespace quda
{

namespace
{

  constexpr std::size_t line_bytes = 64;
  constexpr std::size_t huge_page = std::size_t {1} << 21;

  /// "32768K" as sysfs writes it; 0 if there is no such file.
  std::size_t cache_of_sysfs(int index)
  {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    std::size_t size = 0;
    char unit = 0;
    if (!(file >> size)) return 0;
    file >> unit;
    return size << (unit == 'M' ? 20 : unit == 'K' ? 10 : 0);
  }

  std::size_t largest_cache()
  {
    std::size_t largest = 0;
    for (int index = 0; index < 8; index++) largest = std::max(largest, cache_of_sysfs(index));
    for (const int name : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
      if (largest == 0) largest = static_cast<std::size_t>(std::max(0L, sysconf(name)));
    return largest ? largest : std::size_t {32} << 20;
  }

} // namespace

HostTarget::HostTarget(Target kind, int lanes, int register_bytes, int max_threads)
    : kind_(kind)
    , lanes_(lanes)
    , register_bytes_(register_bytes)
    , max_threads_(max_threads)
    , last_cache_(largest_cache())
{
}

std::string HostTarget::description() const { return processor_name(); }

int HostTarget::width(Precision precision) const
{
  if (lanes_ == 1) return 1;
  const int computed = precision == Precision::double_ ? 8 : 4; // half and quarter are computed in single
  return register_bytes_ / computed;
}

void *HostTarget::allocate(std::size_t bytes) const
{
  const std::size_t step = bytes < huge_page ? line_bytes : huge_page;
  if (bytes > SIZE_MAX - step) fail(ErrorKind::out_of_memory, text("allocate: no host memory for %zu bytes", bytes));
  const std::size_t rounded = bytes ? (bytes + step - 1) / step * step : step;
  void *p = std::aligned_alloc(step, rounded);
  if (!p) fail(ErrorKind::out_of_memory, text("allocate: no host memory for %zu bytes", bytes));
  if (step == huge_page) madvise(p, rounded, MADV_HUGEPAGE); // a request: without huge pages memory is only slower
  return p;
}

void HostTarget::release(void *p) const { std::free(p); }

void HostTarget::copy(void *to, const void *from, std::size_t bytes) const
{
  if (bytes) std::memmove(to, from, bytes);
}

void HostTarget::clear(void *p, std::size_t bytes) const
{
  if (bytes) std::memset(p, 0, bytes);
}

std::string processor_name()
{
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) break;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    if (begin != std::string::npos) return line.substr(begin, line.find_last_not_of(" \t") - begin + 1);
  }
  return "unnamed processor";
}

} // namespace quda
