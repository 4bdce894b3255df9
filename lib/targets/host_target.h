/// Host memory as a target's memory, for all targets that run on the processor.
///
/// Blocks are aligned to 64 bytes; from 2 MiB on they are aligned to 2 MiB and the system is asked for huge
/// pages. Every pointer is the host's, so all of them can be read. Collective: no. Errors: out_of_memory.
#pragma once

#include <cstddef>
#include <string>

#include "core/types.h"
#include "targets/target.h"

namespace quda
{

class HostTarget : public TargetApi
{
public:
  /// lanes: lattice sites a stored site stands for, 16 or 1; register_bytes: of a register, 0 on scalar targets.
  HostTarget(Target kind, int lanes, int register_bytes, int max_threads);

  Target kind() const override { return kind_; }
  std::string description() const override;
  int lanes() const override { return lanes_; }
  int width(Precision precision) const override;
  int max_threads() const override { return max_threads_; }
  std::size_t last_cache() const override { return last_cache_; }
  void *allocate(std::size_t bytes) const override;
  void release(void *p) const override;
  void *allocate_pinned(std::size_t bytes) const override { return allocate(bytes); }
  void release_pinned(void *p) const override { release(p); }
  void copy(void *to, const void *from, std::size_t bytes) const override;
  void clear(void *p, std::size_t bytes) const override;
  bool can_read(const void *) const override { return true; }
  void synchronize() const override {}
  int device_count() const override { return 1; }
  void select_device(int) const override {}

private:
  Target kind_;
  int lanes_;
  int register_bytes_;
  int max_threads_;
  std::size_t last_cache_;
};

/// The processor's name as the system reports it.
std::string processor_name();

} // namespace quda
