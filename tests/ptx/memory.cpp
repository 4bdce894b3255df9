#include "ptx/memory.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace ptx
{

namespace
{

  constexpr std::uint64_t range = std::uint64_t(1) << 43;
  constexpr std::size_t page = 4096;

  std::mutex guard;

  std::map<std::uint64_t, std::unique_ptr<Allocation>> &allocations()
  {
    static auto *all = new std::map<std::uint64_t, std::unique_ptr<Allocation>>;
    return *all;
  }

  std::uint64_t reserved(std::uint64_t bytes)
  {
    void *p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? 0 : reinterpret_cast<std::uint64_t>(p);
  }

  std::uint64_t device_range()
  {
    static const std::uint64_t first = reserved(range);
    return first;
  }

  std::uint64_t round_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

} // namespace

std::uint64_t shared_window()
{
  static const std::uint64_t first = reserved(shared_window_bytes);
  return first;
}

bool is_device_address(std::uint64_t address) { return address - device_range() < range; }

Allocation *allocate(std::size_t bytes, MemoryKind kind, int device)
{
  const std::lock_guard lock(guard);
  static std::uint64_t used = 1 << 20;
  const std::uint64_t room = round_up(bytes + page, 512); // two are never neighbours
  char *data = static_cast<char *>(std::aligned_alloc(256, round_up(bytes + 1, 256)));
  if (!data || device_range() == 0 || room > range - used) {
    std::free(data);
    return nullptr;
  }
  std::memset(data, 0xff, bytes);
  auto a = std::make_unique<Allocation>(Allocation {device_range() + used, bytes, kind, device, data, {}, {}, {}});
  a->written.resize(bytes);
  used += room;
  return (allocations()[a->first] = std::move(a)).get();
}

Allocation *allocate_shared_pages(std::size_t bytes, MemoryKind kind, int device)
{
  const std::lock_guard lock(guard);
  const std::size_t whole = round_up(bytes, page);
  const int file = memfd_create("shared pages", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(whole)) != 0) {
    if (file >= 0) close(file);
    return nullptr;
  }
  void *host = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  void *data = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (host == MAP_FAILED || data == MAP_FAILED) {
    if (host != MAP_FAILED) munmap(host, whole);
    return nullptr;
  }
  auto a = std::make_unique<Allocation>(
      Allocation {reinterpret_cast<std::uint64_t>(host), bytes, kind, device, static_cast<char *>(data), {}, {}, {}});
  a->written.assign(bytes, 1); // the host writes unseen
  return (allocations()[a->first] = std::move(a)).get();
}

bool release(std::uint64_t first)
{
  const std::lock_guard lock(guard);
  const auto it = allocations().find(first);
  if (it == allocations().end()) return false;
  static auto *gone = new std::vector<std::unique_ptr<Allocation>>; // instructions may still know it
  Allocation &a = *it->second;
  if (seen_by_host(a.kind)) {
    munmap(reinterpret_cast<void *>(a.first), round_up(a.bytes, page));
    munmap(a.data, round_up(a.bytes, page));
  } else {
    std::free(a.data);
  }
  a.bytes = 0;
  a.data = nullptr;
  std::vector<std::uint8_t>().swap(a.written);
  std::vector<std::uint64_t>().swap(a.writer);
  std::vector<std::uint64_t>().swap(a.reader);
  gone->push_back(std::move(it->second));
  allocations().erase(it);
  return true;
}

Allocation *find(std::uint64_t address)
{
  const std::lock_guard lock(guard);
  auto it = allocations().upper_bound(address);
  if (it == allocations().begin()) return nullptr;
  Allocation *a = std::prev(it)->second.get();
  return address < a->end() ? a : nullptr;
}

const Allocation *nearest(std::uint64_t address)
{
  const std::lock_guard lock(guard);
  auto after = allocations().lower_bound(address);
  if (allocations().empty()) return nullptr;
  if (after == allocations().begin()) return after->second.get();
  const auto before = std::prev(after);
  if (after == allocations().end()) return before->second.get();
  return address - before->second->end() < after->second->first - address ? before->second.get() : after->second.get();
}

std::size_t bytes_in_use(int device)
{
  const std::lock_guard lock(guard);
  std::size_t sum = 0;
  for (const auto &[first, a] : allocations())
    if (!seen_by_host(a->kind) && a->device == device) sum += a->bytes;
  return sum;
}

} // namespace ptx
