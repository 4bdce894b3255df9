#pragma once
/// A device seen from the host: memory, name, lanes. One target is in use at a time; it is chosen when
/// the library starts (QUDA_TARGET = auto, cpu, cpu:avx2, cpu:avx512, cuda) and kept until it ends.

#include <cstddef>
#include <string>
#include <vector>

#include "core/types.h"
#include "targets/pool.h"

namespace quda
{

/// Order of the slots of every kernel table; `fiber` exists in test programs only.
enum class Target : int { cpu_avx2 = 0, cpu_avx512 = 1, cuda = 2, fiber = 3 };
constexpr int n_targets = 4;

const char *target_name(Target target);

class TargetApi
{
public:
  virtual ~TargetApi() = default;
  virtual Target kind() const = 0;
  /// Processor or device, as its vendor names it.
  virtual std::string description() const = 0;
  /// Lattice sites a stored site stands for: 16, or 1 on scalar targets.
  virtual int lanes() const = 0;
  /// Lanes of one register, 1 on scalar targets.
  virtual int width(Precision precision) const = 0;
  /// Largest number of threads a launch may use; 1 if the device has its own.
  virtual int max_threads() const = 0;
  /// Bytes of the largest cache before memory.
  virtual std::size_t last_cache() const = 0;
  /// Shared memory that a block of threads may use, in bytes, if there are blocks.
  virtual int shared_bytes() const { return 227 * 1024; }
  /// Raw memory of the device and page-locked host memory, at least 64-byte aligned; callers use the pools.
  virtual void *allocate(std::size_t bytes) const = 0;
  virtual void release(void *p) const = 0;
  virtual void *allocate_pinned(std::size_t bytes) const = 0;
  virtual void release_pinned(void *p) const = 0;
  /// Memory that lies where it is used, with the host or with the device; page-locked where the device has none.
  virtual void *allocate_managed(std::size_t bytes) const { return allocate_pinned(bytes); }
  virtual void release_managed(void *p) const { release_pinned(p); }
  /// Copies between any two places the target can reach; done on return.
  virtual void copy(void *to, const void *from, std::size_t bytes) const = 0;
  virtual void clear(void *p, std::size_t bytes) const = 0;
  /// Reads memory of the device through, as the next kernel would. Does nothing where that gains
  /// nothing.
  virtual void read(const void *, std::size_t) const {}
  /// Whether the kernels of this target can read a foreign pointer as it stands.
  virtual bool can_read(const void *p) const = 0;
  virtual void synchronize() const = 0;
  /// Number of devices of this kind in the machine, and the choice of one (ignored by the CPU targets). Error (device)
  /// if it cannot run the library's kernels.
  virtual int device_count() const = 0;
  virtual void select_device(int device) const = 0;
  /// For a host thread that may not have called before: makes it work on the selected device. Call it first.
  virtual void enter_thread() const {}
};

/// The targets built into this program that this machine can run, best first.
std::vector<Target> usable_targets();

/// Takes the target that `wish` names, or the one QUDA_TARGET names if it is empty. Error if it is not built in or
/// the machine cannot run it. Fields of another target must be gone.
void choose_target(const std::string &wish = {});

/// The target in use; chosen on first use.
const TargetApi &target();

/// Memory of the target in use, with counts; leaks are reported by block.
MemoryPool &device_pool();
MemoryPool &pinned_pool();
MemoryPool &managed_pool();

} // namespace quda
