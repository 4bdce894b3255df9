#pragma once

/// Numbers of 64 bits as two that guarded::same_on_all_ranks() can compare.

#include <bit>
#include <cstdint>

namespace quda
{

inline std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
inline long long upper_half(std::uint64_t x) { return static_cast<long long>(x >> 32); }
inline long long lower_half(std::uint64_t x) { return static_cast<long long>(x & 0xffffffffu); }

} // namespace quda
