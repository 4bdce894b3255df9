/// The CUDA target seen from the host: memory, copies, devices, and the start of kernels for launch units (launch.h).
/// The run time is linked statically and finds the driver when it is first called; without a driver there is no
/// device and no other function here is called. Errors: device, out_of_memory.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

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

  constexpr int default_shared_bytes = 48 * 1024; // a kernel gets more only on request

  void check(cudaError_t status, const char *what)
  {
    if (status == cudaSuccess) return;
    cudaGetLastError(); // clears an error that is not sticky
    const ErrorKind kind = status == cudaErrorMemoryAllocation ? ErrorKind::out_of_memory : ErrorKind::device;
    fail(kind, text("CUDA device: %s: %s (%s)", what, cudaGetErrorString(status), cudaGetErrorName(status)));
  }

  /// Delivers words of accumulators to the host and zeroes them on the device.
  __global__ void deliver_words(long long *here, long long *host, int n)
  {
    const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (j >= n) return;
    const long long word = here[j];
    host[j] = word;
    if (word != 0) here[j] = 0;
  }

  constexpr unsigned trial_word = 0x51d0cafe;
  __global__ void trial(unsigned *word) { *word = trial_word; }

  /// Accumulators of the sum under way, on the device, where they are zero between sums, and page-locked memory for
  /// the results, written by a second kernel: a sum neither clears nor copies.
  class SumBuffer
  {
  public:
    /// Memory for n sums: the present one if it is large enough.
    ExactLimbs *device(int n)
    {
      if (!device_ || !host_ || n > room_) {
        release();
        room_ = n > fewest ? n : fewest;
        const std::size_t bytes = room_ * sizeof(ExactLimbs);
        check(cudaMalloc(&device_, bytes), "memory of sums");
        check(cudaMemset(device_, 0, bytes), "clearing of sums");
        check(cudaDeviceSynchronize(), "clearing of sums"); // for whichever stream comes next
        check(cudaHostAlloc(&host_, bytes, cudaHostAllocDefault), "host memory of sums");
      }
      return device_;
    }
    ExactLimbs *host() { return host_; }

    void deliver(int n, cudaStream_t stream, const char *launcher)
    {
      constexpr unsigned threads = 128;
      long long *here = device_->limb, *host = host_->limb;
      int words = n * exact_words;
      const unsigned grid[3] = {(words + threads - 1) / threads, 1, 1}, block[3] = {threads, 1, 1};
      void *arguments[] = {&here, &host, &words};
      cuda_launch(reinterpret_cast<const void *>(&deliver_words), grid, block, 0, stream, arguments, launcher);
    }

    void release()
    {
      // freeing null would create a context on the current device
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

  /// Copies between the device and host memory that is not page-locked, by a few threads, each with two pieces of
  /// page-locked memory: one is copied while the other is filled or emptied. The run time has one thread for both.
  class StagedCopy
  {
  public:
    static constexpr std::size_t worthwhile = std::size_t {16} << 20; // bytes

    void copy(char *to, const char *from, std::size_t bytes, bool load)
    {
      const std::lock_guard<std::mutex> lock(copying_);
      prepare();
      int device = 0;
      check(cudaGetDevice(&device), "which device is in use");
      cudaError_t status[lanes] = {};
      const auto work = [&](int lane) { status[lane] = share(lane, to, from, bytes, load, device); };
      std::thread others[lanes - 1];
      for (int k = 1; k < lanes; k++) try {
          others[k - 1] = std::thread(work, k);
        } catch (const std::system_error &) { // no more threads
          work(k);
        }
      work(0);
      for (std::thread &other : others)
        if (other.joinable()) other.join();
      for (const cudaError_t one : status) check(one, text("copy of %zu bytes", bytes).c_str());
    }

    void release()
    {
      for (Lane &lane : lane_) {
        if (!lane.stream) continue; // a call of the run time makes a context
        for (const cudaEvent_t free : lane.free)
          if (free) cudaEventDestroy(free);
        cudaStreamDestroy(lane.stream);
        if (lane.memory) cudaFreeHost(lane.memory);
        lane = {};
      }
    }

  private:
    static constexpr int lanes = 4;
    static constexpr std::size_t piece = std::size_t {4} << 20; // bytes
    struct Lane {
      cudaStream_t stream = nullptr; // waits for earlier launches, as a copy without a stream does
      cudaEvent_t free[2] = {};
      void *memory = nullptr; // both pieces

      char *half(int b) const { return static_cast<char *>(memory) + b * piece; }
    };

    void prepare()
    {
      if (lane_[lanes - 1].memory) return;
      release();
      for (Lane &lane : lane_) {
        check(cudaStreamCreate(&lane.stream), "stream of copies");
        for (cudaEvent_t &free : lane.free)
          check(cudaEventCreateWithFlags(&free, cudaEventDisableTiming), "event of copies");
        check(cudaHostAlloc(&lane.memory, 2 * piece, cudaHostAllocDefault), "page-locked memory of copies");
      }
    }

    /// Every lanes-th piece.
    cudaError_t share(int number, char *to, const char *from, std::size_t bytes, bool load, int device)
    {
      const Lane &lane = lane_[number];
      cudaError_t status = cudaSetDevice(device);
      std::size_t waiting = bytes; // of a store: a piece under way
      int b = 0;
      const auto length = [&](std::size_t at) { return std::min(piece, bytes - at); };
      const auto empty = [&](int half) {
        if (waiting >= bytes || status != cudaSuccess) return;
        status = cudaEventSynchronize(lane.free[half]);
        if (status == cudaSuccess) std::memcpy(to + waiting, lane.half(half), length(waiting));
      };
      for (std::size_t at = number * piece; at < bytes && status == cudaSuccess; at += lanes * piece, b ^= 1) {
        if (load) {
          status = cudaEventSynchronize(lane.free[b]);
          if (status != cudaSuccess) break;
          std::memcpy(lane.half(b), from + at, length(at));
          status = cudaMemcpyAsync(to + at, lane.half(b), length(at), cudaMemcpyHostToDevice, lane.stream);
        } else {
          status = cudaMemcpyAsync(lane.half(b), from + at, length(at), cudaMemcpyDeviceToHost, lane.stream);
        }
        if (status == cudaSuccess) status = cudaEventRecord(lane.free[b], lane.stream);
        if (load) continue;
        empty(b ^ 1);
        waiting = at;
      }
      empty(b ^ 1);
      const cudaError_t last = cudaStreamSynchronize(lane.stream);
      return status != cudaSuccess ? status : last;
    }

    std::mutex copying_;
    Lane lane_[lanes];
  };

  StagedCopy &staged_copy()
  {
    static StagedCopy copy; // the driver frees it with the process
    return copy;
  }

  bool pageable(const void *p)
  {
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, p) != cudaSuccess) {
      cudaGetLastError();
      return false;
    }
    return attributes.type == cudaMemoryTypeUnregistered;
  }

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

    void *allocate_managed(std::size_t bytes) const override
    {
      if (!shares_memory()) return allocate_pinned(bytes);
      void *p = nullptr;
      check(cudaMallocManaged(&p, bytes > 0 ? bytes : 1, cudaMemAttachGlobal),
            text("allocation of %zu bytes of managed memory", bytes).c_str());
      return p;
    }

    void release_managed(void *p) const override
    {
      cudaPointerAttributes attributes;
      check(cudaPointerGetAttributes(&attributes, p), "what memory is");
      if (attributes.type != cudaMemoryTypeManaged) return release_pinned(p);
      check(cudaFree(p), "release of managed memory");
    }

    void copy(void *to, const void *from, std::size_t bytes) const override
    {
      if (bytes == 0) return;
      if (bytes >= StagedCopy::worthwhile && pageable(to) != pageable(from))
        return staged_copy().copy(static_cast<char *>(to), static_cast<const char *>(from), bytes, pageable(from));
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
      if (device != device_) sum_buffer().release(), staged_copy().release();
      check(cudaSetDevice(device), text("choice of device %d", device).c_str());
      try_kernel(device);
      device_ = device;
    }

    void enter_thread() const override
    {
      if (device_ >= 0) check(cudaSetDevice(device_), text("choice of device %d", device_).c_str());
    }

  private:
    /// Whether host and device may use managed memory at the same time; elsewhere the host, which may not touch any of it
    /// while a kernel runs, is served better by page-locked memory.
    static bool shares_memory()
    {
      int device = 0, shares = 0;
      check(cudaGetDevice(&device), "which device is in use");
      check(cudaDeviceGetAttribute(&shares, cudaDevAttrConcurrentManagedAccess, device), "whether it shares memory");
      return shares != 0;
    }

    /// A device may be there and run nothing: of an architecture that this build has no kernels for, reserved for
    /// another process, broken.
    static void try_kernel(int device)
    {
      unsigned *word = nullptr, found = 0;
      void *arguments[] = {&word};
      cudaError_t status = cudaMalloc(&word, sizeof *word);
      if (status == cudaSuccess)
        status = cudaLaunchKernel(reinterpret_cast<const void *>(&trial), dim3(1), dim3(1), arguments, 0, nullptr);
      if (status == cudaSuccess) status = cudaMemcpy(&found, word, sizeof found, cudaMemcpyDeviceToHost);
      cudaGetLastError(); // clears an error that is not sticky
      if (word) cudaFree(word);
      if (status == cudaErrorMemoryAllocation) check(status, "memory of a trial"); // it runs, and others fill it
      if (status != cudaSuccess || found != trial_word)
        fail(ErrorKind::device,
             text("CUDA device %d cannot run this library's kernels: %s", device,
                  status != cudaSuccess ? cudaGetErrorString(status) : "a trial gave a wrong number"));
    }

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
  constexpr int most_devices = 64; // each is queried once, as every launch needs the answer
  static std::atomic<int> known[most_devices];
  int device = 0;
  check(cudaGetDevice(&device), "which device is in use");
  int bytes = device < most_devices ? known[device].load(std::memory_order_relaxed) : 0;
  if (bytes > 0) return bytes;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "shared memory of a block");
  if (device < most_devices) known[device].store(bytes, std::memory_order_relaxed);
  return bytes;
}

int cuda_most_threads(const void *kernel)
{
  static std::mutex asking;
  static auto &known = *new std::map<std::pair<const void *, int>, int>; // every launch needs the answer, to the end
  int device = 0;
  check(cudaGetDevice(&device), "which device is in use");
  const std::lock_guard<std::mutex> lock(asking);
  const auto [it, fresh] = known.try_emplace({kernel, device});
  if (!fresh) return it->second;
  cudaFuncAttributes attributes;
  const cudaError_t status = cudaFuncGetAttributes(&attributes, kernel);
  if (status != cudaSuccess) known.erase(it);
  check(status, "what a kernel uses");
  return it->second = attributes.maxThreadsPerBlock;
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
                     int n, long long weight)
{
  const std::lock_guard<std::mutex> lock(summing);
  const auto on = static_cast<cudaStream_t>(stream);
  SumBuffer &buffer = sum_buffer();
  *device_sums = buffer.device(n);
  cuda_launch(kernel, grid, block, shared_bytes, stream, arguments, launcher);
  try {
    buffer.deliver(n, on, launcher);
    const cudaError_t status = cudaStreamSynchronize(on);
    if (status != cudaSuccess) {
      cudaGetLastError();
      launch_failed(launcher, cudaGetErrorString(status));
    }
  } catch (...) {
    buffer.release(); // its contents are unknown
    throw;
  }
  ExactLimbs *host = buffer.host();
  for (int i = 0; i < n; i++) {
    host[i].weight = weight;
    exact_merge(sums[i], host[i]);
  }
}

} // namespace quda
