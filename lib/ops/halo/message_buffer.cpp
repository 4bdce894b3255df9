#include "ops/halo/message_buffer.h"

#include "targets/target.h"

namespace quda
{

DeviceBuffer::DeviceBuffer(std::size_t bytes)
{
  if (bytes) device_ = device_pool().get(bytes);
}

DeviceBuffer::~DeviceBuffer()
{
  if (device_) device_pool().put(device_);
}

MessageBuffer::MessageBuffer(std::size_t bytes)
    : bytes_(bytes)
{
  if (bytes == 0) return;
  host_ = pinned_pool().get(bytes);
  if (target().kind() != Target::cuda)
    device_ = host_;
  else
    device_ = device_pool().get(bytes);
}

MessageBuffer::~MessageBuffer()
{
  if (device_ != host_) device_pool().put(device_);
  if (host_) pinned_pool().put(host_);
}

void MessageBuffer::to_host() const
{
  if (device_ != host_) target().copy(host_, device_, bytes_);
}

void MessageBuffer::to_device() const
{
  if (device_ != host_) target().copy(device_, host_, bytes_);
}

} // namespace quda
