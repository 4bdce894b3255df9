#pragma once
/// Memory of halo exchanges, from the pools.
///
/// A message has a place for kernels that pack it and one for the communicator, which are the same if the target's
/// memory is the host's.

#include <cstddef>

#include "fields/memory.h"

namespace quda
{

/// A block of the target's memory; zero bytes: a null pointer.
class DeviceBuffer
{
public:
  explicit DeviceBuffer(std::size_t bytes, SourceLocation where = SourceLocation::current());
  /// Holds a copy of the host's bytes.
  DeviceBuffer(const void *host, std::size_t bytes, SourceLocation where = SourceLocation::current());
  void *device() const { return memory_.get(); }

private:
  FieldMemory memory_;
};

class MessageBuffer
{
public:
  /// From the pools; returned when it goes out of scope. Zero bytes: null pointers.
  explicit MessageBuffer(std::size_t bytes);

  void *device() const { return device_.device() ? device_.device() : host(); }
  void *host() const { return host_.get(); }
  std::size_t bytes() const { return bytes_; }
  /// Bring the packed bytes to the communicator's side, or received ones to the kernels'.
  void to_host() const;
  void to_device() const;

private:
  std::size_t bytes_;
  FieldMemory host_;
  DeviceBuffer device_; // none if kernels and communicator see one memory
};

} // namespace quda
