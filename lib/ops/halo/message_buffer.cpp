#include "ops/halo/message_buffer.h"

#include "targets/target.h"

namespace quda
{

DeviceBuffer::DeviceBuffer(std::size_t bytes, SourceLocation where)
{
  if (bytes) memory_ = FieldMemory(bytes, Location::device, false, where);
}

DeviceBuffer::DeviceBuffer(const void *host, std::size_t bytes, SourceLocation where)
    : DeviceBuffer(bytes, where)
{
  if (bytes) target().copy(device(), host, bytes);
}

MessageBuffer::MessageBuffer(std::size_t bytes)
    : bytes_(bytes)
    , device_(target().kind() == Target::cuda ? bytes : 0)
{
  if (bytes) host_ = FieldMemory(bytes, Location::host, false, SourceLocation::current());
}

void MessageBuffer::to_host() const
{
  if (device() != host()) target().copy(host(), device(), bytes_);
}

void MessageBuffer::to_device() const
{
  if (device() != host()) target().copy(device(), host(), bytes_);
}

} // namespace quda
