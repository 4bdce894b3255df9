#include "fields/memory.h"

#include <cstring>
#include <utility>

#include "targets/target.h"

namespace quda
{

namespace
{

  MemoryPool &pool_of(Location location) { return location == Location::device ? device_pool() : pinned_pool(); }

} // namespace

FieldMemory::FieldMemory(std::size_t bytes, Location location, bool zero, SourceLocation where)
    : FieldMemory(pool_of(location).get(bytes, where.function, where.file, where.line), location)
{
  if (!zero) return;
  if (location == Location::device)
    target().clear(block_, bytes);
  else
    std::memset(block_, 0, bytes);
}

FieldMemory::FieldMemory(FieldMemory &&other) noexcept
    : block_(std::exchange(other.block_, nullptr))
    , location_(other.location_)
{
}

FieldMemory &FieldMemory::operator=(FieldMemory &&other) noexcept
{
  std::swap(block_, other.block_);
  std::swap(location_, other.location_);
  return *this;
}

FieldMemory::~FieldMemory()
{
  if (block_) pool_of(location_).put(block_);
}

} // namespace quda
