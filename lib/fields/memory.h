/// Memory that is returned automatically.
#pragma once

#include <cstddef>

#include "core/error.h"
#include "core/types.h"

namespace quda
{

/// One block of a pool, or the caller's memory. Returned to its pool when it goes out of scope.
class FieldMemory
{
public:
  FieldMemory() = default;
  /// From device_pool() or, for Location::host, from pinned_pool(). where: its origin in a leak report.
  FieldMemory(std::size_t bytes, Location location, bool zero, SourceLocation where);
  FieldMemory(FieldMemory &&other) noexcept;
  FieldMemory &operator=(FieldMemory &&other) noexcept;
  ~FieldMemory();

  void *get() const { return block_; }
  bool owned() const { return block_ != nullptr; }

private:
  /// Takes over a block; others delegate to it, so that the block is returned if they fail later.
  FieldMemory(void *block, Location location)
      : block_(block)
      , location_(location)
  {
  }

  void *block_ = nullptr;
  Location location_ = Location::host;
};

} // namespace quda
