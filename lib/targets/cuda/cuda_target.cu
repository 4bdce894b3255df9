/// The CUDA target seen from the host: memory, copies, devices, and the start of kernels for launch units (launch.h).
/// The run time is linked statically and finds the driver when it is first called; where there is none, there is no
/// device and nothing else here is called. Errors: device, out_of_memory.

#include <atomic>
#include <mutex>

#include <cuda_runtime.h>

#include "core/error.h"
#include "core/exact_sum.h"
#include "targets/cuda/launch.h"
#include "targets/launch_error.h"
#include "targets/target.h"

namespace quda
{

namespace
{

  constexpr int default_shared_bytes = 48 * 1024; // a kernel may have more only when it asks

  void check(cudaError_t status, const char *what)
  {
    if (status == cudaSuccess) return;
    cudaGetLastError(); // what can be forgotten is forgotten
    const ErrorKind kind = status == cudaErrorMemoryAllocation ? ErrorKind::out_of_memory : ErrorKind::device;
    fail(kind, text("CUDA device: %s: %s (%s)", what, cudaGetErrorString(status), cudaGetErrorName(status)));
  }

  /// Accumulators of the sum under way, on the device, and a page-locked copy.
  class SumBuffer
  {
  public:
    /// For n sums: what there is, where that is enough.
    ExactLimbs *device(int n)
    {
      if (!device_ || !host_ || n > room_) {
        release();
        room_ = n > fewest ? n : fewest;
        check(cudaMalloc(&device_, room_ * sizeof(ExactLimbs)), "memory of sums");
        check(cudaHostAlloc(&host_, room_ * sizeof(ExactLimbs), cudaHostAllocDefault), "host memory of sums");
      }
      return device_;
    }
    ExactLimbs *host() { return host_; }

    void release()
    {
      // freeing null would make a context on whatever device is current
      if (device_) cudaFree(device_);
      if (host_) cudaFreeHost(host_);
      device_ = host_ = nullptr;
    }

  private:
    static constexpr int fewest = 64;
    ExactLimbs *device_ = nullptr;
    ExactLimbs *host_ = nullptr;
    int room_ = 0;
  };

  SumBuffer &sum_buffer()
  {
    static SumBuffer buffer; // the driver frees it with the process
    return buffer;
  }

  std::mutex summing; // one sum at a time has the buffer

  class CudaTarget : public TargetApi
  {
  public:
    Target kind() const override { return Target::cuda; }

    std::string description() const override
    {
      int device = 0;
      check(cudaGetDevice(&device), "which device is in use");
      cudaDeviceProp properties;
      check(cudaGetDeviceProperties(&properties, device), "properties");
      return properties.name;
    }

    int lanes() const override { return 1; }
    int width(Precision) const override { return 1; }
    int max_threads() const override { return 1; }

    std::size_t last_cache() const override
    {
      int device = 0, bytes = 0;
      check(cudaGetDevice(&device), "which device is in use");
      check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "size of the cache");
      return static_cast<std::size_t>(bytes);
    }

    int shared_bytes() const override { return cuda_shared_bytes(); }

    void *allocate(std::size_t bytes) const override
    {
      void *p = nullptr;
      check(cudaMalloc(&p, bytes > 0 ? bytes : 1), text("allocation of %zu bytes", bytes).c_str());
      return p;
    }

    void release(void *p) const override { check(cudaFree(p), "release of memory"); }

    void *allocate_pinned(std::size_t bytes) const override
    {
      void *p = nullptr;
      check(cudaHostAlloc(&p, bytes > 0 ? bytes : 1, cudaHostAllocDefault),
            text("allocation of %zu bytes of page-locked host memory", bytes).c_str());
      return p;
    }

    void release_pinned(void *p) const override { check(cudaFreeHost(p), "release of page-locked host memory"); }

    void copy(void *to, const void *from, std::size_t bytes) const override
    {
      if (bytes == 0) return;
      check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), text("copy of %zu bytes", bytes).c_str());
      check(cudaStreamSynchronize(nullptr), "copy"); // copies within the device return early
    }

    void clear(void *p, std::size_t bytes) const override
    {
      if (bytes == 0) return;
      check(cudaMemset(p, 0, bytes), text("clearing of %zu bytes", bytes).c_str());
      check(cudaStreamSynchronize(nullptr), "clearing");
    }

    bool can_read(const void *p) const override
    {
      cudaPointerAttributes attributes;
      if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) {
        cudaGetLastError();
        return false;
      }
      return attributes.type != cudaMemoryTypeUnregistered && attributes.devicePointer == p;
    }

    void synchronize() const override { check(cudaDeviceSynchronize(), "synchronisation"); }

    int device_count() const override
    {
      int count = 0;
      if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();
        return 0;
      }
      return count;
    }

    void select_device(int device) const override
    {
      if (device != device_) sum_buffer().release();
      check(cudaSetDevice(device), text("choice of device %d", device).c_str());
      device_ = device;
    }

    void enter_thread() const override
    {
      if (device_ >= 0) check(cudaSetDevice(device_), text("choice of device %d", device_).c_str());
    }

  private:
    mutable int device_ = -1; // each thread of the host has a current device of its own, 0 at first
  };

} // namespace

const TargetApi *cuda_target()
{
  static const CudaTarget *const cuda = new CudaTarget;
  return cuda;
}

int cuda_shared_bytes()
{
  constexpr int most_devices = 64; // of those, each is asked once: every launch wants to know
  static std::atomic<int> known[most_devices];
  int device = 0;
  check(cudaGetDevice(&device), "which device is in use");
  int bytes = device < most_devices ? known[device].load(std::memory_order_relaxed) : 0;
  if (bytes > 0) return bytes;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "shared memory of a block");
  if (device < most_devices) known[device].store(bytes, std::memory_order_relaxed);
  return bytes;
}

void cuda_launch(const void *kernel, const unsigned (&grid)[3], const unsigned (&block)[3], int shared_bytes,
                 void *stream, void **arguments, const char *launcher)
{
  cudaError_t status = cudaSuccess;
  if (shared_bytes > default_shared_bytes)
    status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  if (status == cudaSuccess)
    status = cudaLaunchKernel(kernel, dim3(grid[0], grid[1], grid[2]), dim3(block[0], block[1], block[2]), arguments,
                              shared_bytes, static_cast<cudaStream_t>(stream));
  if (status != cudaSuccess) {
    cudaGetLastError();
    launch_failed(launcher, cudaGetErrorString(status));
  }
}

void cuda_launch_sum(const void *kernel, const unsigned (&grid)[3], const unsigned (&block)[3], int shared_bytes,
                     void *stream, void **arguments, const char *launcher, ExactLimbs **device_sums, ExactLimbs *sums,
                     int n, long long entries)
{
  const std::lock_guard<std::mutex> lock(summing);
  const auto on = static_cast<cudaStream_t>(stream);
  const std::size_t bytes = n * sizeof(ExactLimbs);
  *device_sums = sum_buffer().device(n);
  check(cudaMemsetAsync(*device_sums, 0, bytes, on), "clearing of sums");
  cuda_launch(kernel, grid, block, shared_bytes, stream, arguments, launcher);
  ExactLimbs *host = sum_buffer().host();
  cudaError_t status = cudaMemcpyAsync(host, *device_sums, bytes, cudaMemcpyDeviceToHost, on);
  if (status == cudaSuccess) status = cudaStreamSynchronize(on);
  if (status != cudaSuccess) {
    cudaGetLastError();
    launch_failed(launcher, cudaGetErrorString(status));
  }
  for (int i = 0; i < n; i++) {
    host[i].weight = entries;
    exact_normalise(host[i]);
    exact_merge(sums[i], host[i]);
  }
}

} // namespace quda
