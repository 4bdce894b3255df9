#include "targets/pool.h"

#include "core/environment.h"
#include "core/error.h"
#include "core/log.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <new>
#include <vector>

namespace quda
{

namespace
{

  constexpr std::size_t small_step = 64;
  constexpr std::size_t large_step = std::size_t {1} << 21; // a transparent huge page
  constexpr std::size_t large_from = std::size_t {1} << 24; // from here on the larger step wastes at most an eighth

  // 0 where the size cannot be represented
  std::size_t block_size(std::size_t bytes)
  {
    const std::size_t step = bytes < large_from ? small_step : large_step;
    if (bytes > std::numeric_limits<std::size_t>::max() - step) return 0;
    return std::max(step, (bytes + step - 1) / step * step);
  }

  std::string pool_switch(const char *what)
  {
    std::string name = "QUDA_ENABLE_";
    for (const char *c = what; *c && *c != ' '; c++)
      name += static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
    return name + "_MEMORY_POOL";
  }

  void fill_host(void *p, std::size_t bytes, std::uint32_t word)
  {
    std::fill_n(static_cast<std::uint32_t *>(p), bytes / 4, word);
  }

  double mebibytes(std::size_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

} // namespace

MemoryPool::MemoryPool(const char *what, Allocate allocate, Release release, Fill fill)
    : what_(what)
    , allocate_(allocate)
    , release_(release)
    , fill_(fill ? fill : fill_host)
{
}

MemoryPool::~MemoryPool() { release_cached(); }

void MemoryPool::read_environment()
{
  if (settled_) return;
  keeps_ = env_flag(pool_switch(what_).c_str(), true);
  poisons_ = env_flag("QUDA_POISON_MEMORY", false);
  settled_ = true;
}

void MemoryPool::release_cached()
{
  for (const auto &[bytes, p] : cached_) release_(p);
  cached_.clear();
  counts_.cached_blocks = 0;
  counts_.cached_bytes = 0;
}

void *MemoryPool::get(std::size_t bytes, const char *function, const char *file, int line)
{
  std::lock_guard<std::mutex> lock(mutex_);
  read_environment();

  std::size_t size = block_size(bytes);
  void *p = nullptr;
  const auto kept = cached_.lower_bound(size);
  if (size && kept != cached_.end() && kept->first - size <= size / 4) {
    size = kept->first;
    p = kept->second;
    cached_.erase(kept);
    counts_.cached_blocks--;
    counts_.cached_bytes -= size;
  } else if (size) {
    const auto from_system = [&]() -> void * {
      try {
        return allocate_(size);
      } catch (const std::bad_alloc &) {
        return nullptr;
      } catch (const Error &error) {
        if (error.kind() == ErrorKind::out_of_memory) return nullptr;
        throw;
      }
    };
    p = from_system();
    if (!p && !cached_.empty()) {
      release_cached();
      p = from_system();
    }
    if (p) counts_.allocations++;
  }
  if (!p)
    throw Error(ErrorKind::out_of_memory,
                text("%s: no %s memory for %zu bytes (%s:%d); %zu bytes in %lld blocks are in use", function, what_,
                     bytes, file, line, counts_.live_bytes, counts_.live_blocks));

  try {
    if (poisons_) fill_(p, size, poison_word);
    live_.emplace(p, Block {size, bytes, counts_.requests, function, file, line});
  } catch (...) {
    release_(p);
    throw;
  }
  counts_.requests++;
  counts_.live_blocks++;
  counts_.live_bytes += size;
  counts_.peak_bytes = std::max(counts_.peak_bytes, counts_.live_bytes + counts_.cached_bytes);
  return p;
}

void MemoryPool::put(void *p, const char *function, const char *file, int line)
{
  if (!p) return;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = live_.find(p);
  if (found == live_.end())
    throw Error(ErrorKind::internal,
                text("%s: %p given back (%s:%d) is no block of %s memory in use", function, p, file, line, what_));
  const std::size_t size = found->second.bytes;
  if (keeps_) {
    cached_.emplace(size, p); // first, so that a failure leaves the block in use
    counts_.cached_blocks++;
    counts_.cached_bytes += size;
  } else {
    release_(p);
  }
  live_.erase(found);
  counts_.live_blocks--;
  counts_.live_bytes -= size;
}

void MemoryPool::flush()
{
  std::lock_guard<std::mutex> lock(mutex_);
  release_cached();
  settled_ = false;
}

PoolCounts MemoryPool::counts() const
{
  std::lock_guard<std::mutex> lock(mutex_);
  return counts_;
}

bool MemoryPool::poisons()
{
  std::lock_guard<std::mutex> lock(mutex_);
  read_environment();
  return poisons_;
}

std::string MemoryPool::leak_report() const
{
  std::lock_guard<std::mutex> lock(mutex_);
  if (live_.empty()) return "";
  std::vector<Block> blocks;
  for (const auto &[p, block] : live_) blocks.push_back(block);
  std::sort(blocks.begin(), blocks.end(), [](const Block &a, const Block &b) { return a.number < b.number; });
  std::string report;
  for (const Block &block : blocks)
    report += text("%zu bytes of %s memory asked for in %s (%s:%d) were never given back\n", block.requested, what_,
                   block.function, block.file, block.line);
  return report;
}

void print_peak_memory(const MemoryPool &device, const MemoryPool &pinned, const MemoryPool &managed)
{
  const std::size_t on_device = device.counts().peak_bytes, on_host = pinned.counts().peak_bytes;
  print(Verbosity::summarize, "\n");
  print(Verbosity::summarize, "Device memory used = %.1f MiB\n", mebibytes(on_device));
  print(Verbosity::summarize, "Pinned device memory used = %.1f MiB\n", 0.0);
  print(Verbosity::summarize, "Managed memory used = %.1f MiB\n", mebibytes(managed.counts().peak_bytes));
  print(Verbosity::summarize, "Shmem memory used = %.1f MiB\n", 0.0);
  print(Verbosity::summarize, "Page-locked host memory used = %.1f MiB\n", mebibytes(on_host));
  print(Verbosity::summarize, "Total host memory used >= %.1f MiB\n", mebibytes(on_host));
}

} // namespace quda
