#pragma once
/// Memory of halo exchanges, from the pools.
///
/// A message lies where kernels pack it and where the communicator takes it from, which are one place when the target's
/// memory is the host's.

#include <cstddef>

namespace quda
{

/// A block of the target's memory; zero bytes: a null pointer.
class DeviceBuffer
{
public:
  explicit DeviceBuffer(std::size_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  void *device() const { return device_; }

private:
  void *device_ = nullptr;
};

class MessageBuffer
{
public:
  /// From the pools; back when it goes out of scope. Zero bytes: null pointers.
  explicit MessageBuffer(std::size_t bytes);
  ~MessageBuffer();
  MessageBuffer(const MessageBuffer &) = delete;
  MessageBuffer &operator=(const MessageBuffer &) = delete;

  void *device() const { return device_; }
  void *host() const { return host_; }
  std::size_t bytes() const { return bytes_; }
  /// Bring the packed bytes to the communicator's side, or what was received to the kernels'.
  void to_host() const;
  void to_device() const;

private:
  std::size_t bytes_;
  void *device_ = nullptr;
  void *host_ = nullptr; // device_ where kernels and communicator see one memory
};

} // namespace quda
