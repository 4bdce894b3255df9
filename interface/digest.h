#pragma once

/// Digests of arrays in the host's memory, which identify data that was loaded before.

#include <cstddef>
#include <cstdint>

namespace quda
{

/// Digest of all bytes; their number must be a multiple of 64.
std::uint64_t digest(const void *data, std::size_t bytes);

} // namespace quda
