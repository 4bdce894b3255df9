/// Memory and copies. Copies that CUDA lets run beside the host are queued; those of pageable memory read it before
/// they return, and have written it when they do, as CUDA promises.

#include "ptx/run_time.h"

#include "ptx/host_pages.h"

#include <cstring>

using namespace ptx;

namespace
{

std::uint64_t number(const void *p) { return reinterpret_cast<std::uint64_t>(p); }

/// One side of a copy.
struct Side {
  std::uint64_t address;
  Allocation *memory; // null: pageable memory of the host
  explicit Side(const void *p)
      : address(number(p))
      , memory(find(number(p)))
  {
  }
  bool on_device() const { return memory ? !seen_by_host(memory->kind) : is_device_address(address); }
  bool pageable() const { return !memory; }
  char *data() const { return memory ? memory->at(address) : reinterpret_cast<char *>(address); }
  /// Whether n bytes from here are one allocation's.
  bool covers(std::size_t n) const { return memory ? memory->holds(address, n) : !is_device_address(address); }
};

std::string named(const char *call, std::size_t bytes)
{
  return std::string(call) + " of " + std::to_string(bytes) + " bytes";
}

cudaError_t bad(const std::string &what, const char *why)
{
  report(Fault::copy, what, why);
  return give(cudaErrorInvalidValue);
}

cudaError_t check(const std::string &what, const Side &to, const Side &from, std::size_t n, cudaMemcpyKind kind)
{
  if (!to.covers(n)) return bad(what, "the target ends before");
  if (!from.covers(n)) return bad(what, "the source ends before");
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault && (to_device != to.on_device() || from_device != from.on_device()))
    return bad(what, "its direction is another");
  return cudaSuccess;
}

/// Moves the bytes, and what is known of them. The allocations may be gone by now.
void move(const std::string &what, std::uint64_t to_address, std::uint64_t from_address, const char *staged,
          std::size_t n)
{
  const Side to(reinterpret_cast<void *>(to_address)), from(reinterpret_cast<void *>(from_address));
  if (!to.covers(n) || (!staged && !from.covers(n))) {
    report(Fault::copy, what, "memory released before it was done");
    throw LaunchFault(Fault::copy);
  }
  std::memmove(to.data(), staged ? staged : from.data(), n);
  if (!to.memory) return;
  std::uint8_t *written = to.memory->written.data() + (to.address - to.memory->first);
  if (!staged && from.memory)
    std::memmove(written, from.memory->written.data() + (from.address - from.memory->first), n);
  else
    std::memset(written, 1, n);
  if (seen_by_host(to.memory->kind)) std::memset(written, 1, n); // not looked at
}

cudaError_t copy(const char *call, void *to_address, const void *from_address, std::size_t n, cudaMemcpyKind kind,
                 Stream &stream, bool beside)
{
  if (state() != cudaSuccess) return state();
  if (n == 0) return cudaSuccess;
  const std::string what = named(call, n);
  const Side to(to_address), from(from_address);
  if (const cudaError_t e = check(what, to, from, n, kind); e != cudaSuccess) return e;
  std::vector<char> staged;
  if (from.pageable()) { // read now; earlier work of the stream may write there only by copies, which have ended
    run_time().streams.wait(stream);
    staged.assign(from.data(), from.data() + n);
  }
  std::vector<int> closed;
  const bool waits = to.pageable() || !beside;
  if (!waits) {
    if (to.memory->kind == MemoryKind::page_locked) closed.push_back(close_pages(to.address, n, true, what));
    if (from.memory && from.memory->kind == MemoryKind::page_locked)
      closed.push_back(close_pages(from.address, n, false, what));
  }
  const std::uint64_t a = to.address, b = from.address;
  const bool stages = from.pageable();
  run_time().streams.submit(stream, [=, device = stream.device, staged = std::move(staged)] {
    for (const int c : closed) open_pages(c);
    if (run_time().broken.count(device)) return;
    try {
      move(what, a, b, stages ? staged.data() : nullptr, n);
    } catch (const LaunchFault &f) {
      run_time().broken[device] = error_of(f.fault);
    }
  });
  if (waits && !(stages && !to.pageable()) && !(to.on_device() && from.on_device())) run_time().streams.wait(stream);
  return state();
}

cudaError_t clear(const char *call, void *address, int value, std::size_t n, Stream &stream)
{
  if (state() != cudaSuccess) return state();
  const std::string what = named(call, n);
  const Side to(address);
  if (!to.memory || !to.covers(n)) return bad(what, "the target ends before");
  submit(stream, [=] {
    const Side now(address);
    if (!now.memory || !now.covers(n)) {
      report(Fault::copy, what, "memory released before it was done");
      throw LaunchFault(Fault::copy);
    }
    std::memset(now.data(), value, n);
    std::memset(now.memory->written.data() + (now.address - now.memory->first), 1, n);
  });
  return cudaSuccess;
}

/// Everything that may use the memory has to be done, as the real functions have it.
cudaError_t freed(void *p, bool host)
{
  const Locked lock(run_time().guard);
  if (!p) return state();
  Allocation *a = find(number(p));
  if (!a || a->first != number(p) || (a->kind == MemoryKind::page_locked) != host) return give(cudaErrorInvalidValue);
  for (int device = 0; device < run_time().settings.devices; device++) run_time().streams.wait_for_device(device);
  release(number(p));
  return state();
}

void *variable_address(const void *symbol)
{
  const auto it = run_time().variables.find(symbol);
  if (it == run_time().variables.end()) return nullptr;
  return reinterpret_cast<void *>(
      it->second.binary->variable(it->second.name, current_device, run_time().settings.capability));
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void **p, std::size_t n)
{
  const Locked lock(run_time().guard);
  if (state() != cudaSuccess) return state();
  *p = nullptr;
  if (n == 0) return cudaSuccess;
  const std::size_t room = run_time().settings.memory;
  Allocation *a =
      n > room || bytes_in_use(current_device) > room - n ? nullptr : allocate(n, MemoryKind::device, current_device);
  if (!a) return give(cudaErrorMemoryAllocation);
  *p = reinterpret_cast<void *>(a->first);
  return cudaSuccess;
}

cudaError_t cudaFree(void *p) { return freed(p, false); }

cudaError_t cudaHostAlloc(void **p, std::size_t n, unsigned)
{
  const Locked lock(run_time().guard);
  if (state() != cudaSuccess) return state();
  *p = nullptr;
  if (n == 0) return cudaSuccess;
  Allocation *a = allocate_shared_pages(n, MemoryKind::page_locked, current_device);
  if (!a) return give(cudaErrorMemoryAllocation);
  *p = reinterpret_cast<void *>(a->first);
  return cudaSuccess;
}

cudaError_t cudaMallocManaged(void **p, std::size_t n, unsigned flags)
{
  const Locked lock(run_time().guard);
  if (state() != cudaSuccess) return state();
  if (n == 0 || flags != cudaMemAttachGlobal) return give(cudaErrorInvalidValue);
  Allocation *a = allocate_shared_pages(n, MemoryKind::managed, current_device);
  if (!a) return give(cudaErrorMemoryAllocation);
  *p = reinterpret_cast<void *>(a->first);
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void **p, std::size_t n) { return cudaHostAlloc(p, n, cudaHostAllocDefault); }
cudaError_t cudaFreeHost(void *p) { return freed(p, true); }

cudaError_t cudaMemGetInfo(std::size_t *vacant, std::size_t *total)
{
  const Locked lock(run_time().guard);
  *total = run_time().settings.memory;
  *vacant = *total - bytes_in_use(current_device);
  return state();
}

cudaError_t cudaMemcpy(void *to, const void *from, std::size_t n, cudaMemcpyKind kind)
{
  const Locked lock(run_time().guard);
  return copy("cudaMemcpy", to, from, n, kind, run_time().streams.legacy(current_device), false);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t n, cudaMemcpyKind kind, cudaStream_t handle)
{
  const Locked lock(run_time().guard);
  Stream *const stream = stream_of(handle);
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  return copy("cudaMemcpyAsync", to, from, n, kind, *stream, true);
}

cudaError_t cudaMemset(void *p, int value, std::size_t n)
{
  const Locked lock(run_time().guard);
  return clear("cudaMemset", p, value, n, run_time().streams.legacy(current_device));
}

cudaError_t cudaMemsetAsync(void *p, int value, std::size_t n, cudaStream_t handle)
{
  const Locked lock(run_time().guard);
  Stream *const stream = stream_of(handle);
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  return clear("cudaMemsetAsync", p, value, n, *stream);
}

cudaError_t cudaGetSymbolAddress(void **p, const void *symbol)
{
  const Locked lock(run_time().guard);
  *p = variable_address(symbol);
  return *p ? cudaSuccess : give(cudaErrorInvalidSymbol);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, std::size_t n, std::size_t offset,
                               cudaMemcpyKind kind)
{
  const Locked lock(run_time().guard);
  char *to = static_cast<char *>(variable_address(symbol));
  return to ? cudaMemcpy(to + offset, from, n, kind) : give(cudaErrorInvalidSymbol);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, std::size_t n, std::size_t offset, cudaMemcpyKind kind)
{
  const Locked lock(run_time().guard);
  const char *from = static_cast<char *>(variable_address(symbol));
  return from ? cudaMemcpy(to, from + offset, n, kind) : give(cudaErrorInvalidSymbol);
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *p)
{
  const Locked lock(run_time().guard);
  std::memset(attributes, 0, sizeof *attributes);
  const Allocation *a = find(number(p));
  if (!a) {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;
    attributes->hostPointer = is_device_address(number(p)) ? nullptr : const_cast<void *>(p);
    return cudaSuccess;
  }
  const bool host = seen_by_host(a->kind);
  attributes->type = a->kind == MemoryKind::managed ? cudaMemoryTypeManaged
                     : host                         ? cudaMemoryTypeHost
                                                    : cudaMemoryTypeDevice;
  attributes->device = a->device;
  attributes->devicePointer = const_cast<void *>(p);
  attributes->hostPointer = host ? const_cast<void *>(p) : nullptr;
  return cudaSuccess;
}

} // extern "C"
