#pragma once

/// A pool of one kind of memory: returned blocks are kept and handed out again, every block is counted, and
/// blocks in use can be listed with the place that requested them.
///
/// The pool knows no target: it is made from the functions that take memory from the system and return it.
/// Blocks are multiples of 64 bytes, from 16 MiB on of 2 MiB; a kept block serves a request that fills at least four
/// fifths of it, the smallest such first. A request that the system refuses is repeated when the kept blocks are freed.
///
/// Environment, read at the first request after construction or flush():
///   QUDA_ENABLE_<NAME>_MEMORY_POOL=0  no block is kept (<NAME>: first word of the pool's name: DEVICE, PINNED, MANAGED)
///   QUDA_POISON_MEMORY=1              every block handed out is filled with poison_word
///
/// Thread safe. Collective: no.

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

namespace quda
{

/// NaN wherever it is read: signalling as a double, quiet as a float and as either half of one.
constexpr std::uint32_t poison_word = 0x7ff40001u;

struct PoolCounts {
  long long allocations;   ///< blocks taken from the system so far
  long long requests;      ///< blocks handed out so far
  long long live_blocks;   ///< blocks in use
  long long cached_blocks; ///< blocks kept for later
  std::size_t live_bytes;
  std::size_t cached_bytes;
  std::size_t peak_bytes; ///< the most ever held from the system, in use and kept
};

class MemoryPool
{
public:
  using Allocate = void *(*)(std::size_t bytes); // null, or an exception, if the system has none
  using Release = void (*)(void *p);             //
  using Fill = void (*)(void *p, std::size_t bytes, std::uint32_t word); // bytes: a multiple of 4

  /// `what` names the memory in messages ("device", "pinned host") and outlives the pool. Memory that the host cannot
  /// write needs its own fill.
  MemoryPool(const char *what, Allocate allocate, Release release, Fill fill = nullptr);

  /// Returns the kept blocks to the system; blocks in use stay valid.
  ~MemoryPool();

  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;

  /// A block of at least this many bytes (also for none), its content undefined. Error (out of memory) names the size
  /// and the place; the strings must outlive the block.
  void *get(std::size_t bytes, const char *function = __builtin_FUNCTION(), const char *file = __builtin_FILE(),
            int line = __builtin_LINE());

  /// Takes a block back. Null does nothing; a pointer that is not in use here is an Error.
  void put(void *p, const char *function = __builtin_FUNCTION(), const char *file = __builtin_FILE(),
           int line = __builtin_LINE());

  /// Returns the kept blocks to the system.
  void flush();

  PoolCounts counts() const;

  /// Whether blocks are filled with poison_word.
  bool poisons();

  /// Each block in use with its size and the place that requested it, oldest first, a line each; empty if there is
  /// none.
  std::string leak_report() const;

private:
  struct Block {
    std::size_t bytes;     // of the block
    std::size_t requested; // by the caller
    long long number;      // of the request
    const char *function;
    const char *file;
    int line;
  };

  void read_environment();
  void release_cached();

  const char *what_;
  Allocate allocate_;
  Release release_;
  Fill fill_;

  mutable std::mutex mutex_;
  bool settled_ = false; // the environment has been read
  bool keeps_ = true;
  bool poisons_ = false;
  std::unordered_map<void *, Block> live_;
  std::multimap<std::size_t, void *> cached_; // by size
  PoolCounts counts_ = {};
};

/// The lines on peak memory after the profiles at the end.
void print_peak_memory(const MemoryPool &device, const MemoryPool &pinned, const MemoryPool &managed);

} // namespace quda
