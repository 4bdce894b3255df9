#pragma once
/// Memory as kernels see it. Addresses of devices are never mapped on the host, so that a host which follows one is
/// stopped, and none is given twice, so that use after release is found. Bytes lie elsewhere, with what the checks
/// remember of each.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ptx
{

enum class MemoryKind { device, page_locked, managed, constant };
/// The host has addresses of it.
constexpr bool seen_by_host(MemoryKind kind) { return kind == MemoryKind::page_locked || kind == MemoryKind::managed; }

struct Allocation {
  std::uint64_t first; // address, as program and kernels have it
  std::size_t bytes;
  MemoryKind kind;
  int device;
  char *data;                        // the bytes
  std::vector<std::uint8_t> written; // 1: the byte has been written
  /// Of each two bytes, who wrote and who read last; made by the first launch that looks for races.
  std::vector<std::uint64_t> writer, reader;

  std::uint64_t end() const { return first + bytes; }
  bool holds(std::uint64_t address, std::size_t n) const
  {
    return address >= first && n <= bytes && address - first <= bytes - n;
  }
  char *at(std::uint64_t address) { return data + (address - first); }
};

/// Fresh memory of a device, filled with NaN; null where the address range or the host's memory is used up.
Allocation *allocate(std::size_t bytes, MemoryKind kind, int device);
/// Pages of the host that kernels may use too, page-locked or managed. The emulator has a second mapping of them, so that
/// the host's can be closed while copies into them are under way.
Allocation *allocate_shared_pages(std::size_t bytes, MemoryKind kind, int device);
/// False where no allocation begins there.
bool release(std::uint64_t first);
/// The one that holds the address, or null. It stays valid after its release, and then holds nothing.
Allocation *find(std::uint64_t address);
/// The one that ends or begins nearest to the address, or null: for messages.
const Allocation *nearest(std::uint64_t address);
bool is_device_address(std::uint64_t address);
std::size_t bytes_in_use(int device);

/// Ranges of addresses that are never mapped, where shared memory is seen by generic accesses.
constexpr std::uint64_t shared_window_bytes = 1 << 24;
std::uint64_t shared_window();

} // namespace ptx
