/// The CUDA run time as programs call it: registration, launches, devices, errors. cudart_memory.cpp and
/// cudart_streams.cpp have the rest. What is not here is not needed by the library, and does not link.

#include "ptx/registers.h"
#include "ptx/run_time.h"

#include <cstdio>
#include <cstring>

using namespace ptx;

namespace
{

struct Configuration { // of a launch by <<< >>>
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

bool fits(dim3 grid, dim3 block)
{
  const unsigned long long threads = 1ull * block.x * block.y * block.z;
  return threads > 0 && threads <= 1024 && block.z <= 64 && grid.x > 0 && grid.y > 0 && grid.z > 0 &&
         grid.x <= 0x7fffffff && grid.y <= 65535 && grid.z <= 65535;
}

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *wrapper)
{
  struct Wrapper {
    int magic, version;
    const char *image;
    void *file;
  };
  const Locked lock(run_time().guard);
  return reinterpret_cast<void **>(new FatBinary(static_cast<Wrapper *>(wrapper)->image));
}

void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) { return 0; }

void __cudaRegisterFunction(void **binary, const char *host, char *, const char *name, int, uint3 *, uint3 *, dim3 *,
                            dim3 *, int *)
{
  const Locked lock(run_time().guard);
  run_time().kernels[host] = {reinterpret_cast<FatBinary *>(binary), name, {}};
}

void __cudaRegisterVar(void **binary, char *host, char *, const char *name, int, std::size_t bytes, int, int)
{
  const Locked lock(run_time().guard);
  run_time().variables[host] = {reinterpret_cast<FatBinary *>(binary), name, bytes};
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(host));
  return cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st *stream)
{
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, std::size_t *shared, void *stream)
{
  if (configurations.empty()) return give(cudaErrorMissingConfiguration);
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<cudaStream_t *>(stream) = c.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, std::size_t shared,
                             cudaStream_t handle)
{
  RunTime &rt = run_time();
  const Locked lock(rt.guard);
  if (state() != cudaSuccess) return state();
  const auto it = rt.kernels.find(host);
  if (it == rt.kernels.end()) return give(cudaErrorInvalidDeviceFunction);
  Stream *const stream = stream_of(handle);
  if (!stream || stream->device != current_device) return give(cudaErrorInvalidResourceHandle);
  if (rt.settings.capability < 80) return give(cudaErrorNoKernelImageForDevice);
  if (!fits(grid, block)) return give(cudaErrorInvalidConfiguration);
  RegisteredKernel &kernel = it->second;
  if (static_cast<int>(block.x * block.y * block.z) > most_threads(kernel.name))
    return give(cudaErrorLaunchOutOfResources);
  Launch launch {};
  try {
    launch.program = kernel.binary->kernel(kernel.name, current_device, rt.settings.capability);
  } catch (const Unknown &u) {
    report(Fault::unknown_instruction, kernel.name, u.what());
    submit(*stream, [] { throw LaunchFault(Fault::unknown_instruction); });
    return cudaSuccess;
  }
  if (!launch.program) return give(cudaErrorInvalidDeviceFunction);
  const auto asked = kernel.dynamic_shared.find(current_device);
  const int allowed = asked == kernel.dynamic_shared.end()
                          ? rt.settings.default_shared_bytes - launch.program->static_shared_bytes
                          : asked->second;
  if (static_cast<long long>(shared) > allowed) return give(cudaErrorInvalidValue);
  const unsigned g[] = {grid.x, grid.y, grid.z}, b[] = {block.x, block.y, block.z};
  std::memcpy(launch.grid, g, sizeof g);
  std::memcpy(launch.block, b, sizeof b);
  launch.shared_bytes = static_cast<int>(shared);
  launch.device = current_device;
  launch.parameters.resize(launch.program->parameter_bytes);
  for (std::size_t q = 0; q < launch.program->parameters.size(); q++) {
    const Parameter &p = launch.program->parameters[q];
    std::memcpy(launch.parameters.data() + p.offset, arguments[q], p.bytes);
  }
  submit(*stream, [launch = std::move(launch)]() mutable {
    launch.peers = run_time().peers[launch.device];
    run(launch);
  });
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, std::size_t shared,
                               cudaStream_t stream)
{
  return cudaLaunchKernel(reinterpret_cast<const void *>(kernel), grid, block, arguments, shared, stream);
}

cudaError_t cudaFuncSetAttribute(const void *host, cudaFuncAttribute attribute, int value)
{
  RunTime &rt = run_time();
  const Locked lock(rt.guard);
  const auto it = rt.kernels.find(host);
  if (it == rt.kernels.end()) return give(cudaErrorInvalidDeviceFunction);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  int own = 0;
  try {
    const Program *p = it->second.binary->kernel(it->second.name, current_device, rt.settings.capability);
    own = p ? p->static_shared_bytes : 0;
  } catch (const Unknown &) { // the launch will say so
  }
  if (value < 0 || value > rt.settings.most_shared_bytes() - own) return give(cudaErrorInvalidValue);
  it->second.dynamic_shared[current_device] = value;
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *host)
{
  RunTime &rt = run_time();
  const Locked lock(rt.guard);
  const auto it = rt.kernels.find(host);
  if (it == rt.kernels.end()) return give(cudaErrorInvalidDeviceFunction);
  std::memset(attributes, 0, sizeof *attributes);
  attributes->numRegs = registers_of(it->second.name);
  attributes->maxThreadsPerBlock = most_threads(it->second.name);
  attributes->binaryVersion = attributes->ptxVersion = rt.settings.capability;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
  const Locked lock(run_time().guard);
  if (device < 0 || device >= run_time().settings.devices) return give(cudaErrorInvalidDevice);
  current_device = device;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
  *device = current_device;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
  *count = run_time().settings.devices;
  return *count > 0 ? cudaSuccess : give(cudaErrorNoDevice);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
  const Settings &s = run_time().settings;
  if (device < 0 || device >= s.devices) return give(cudaErrorInvalidDevice);
  std::memset(p, 0, sizeof *p);
  std::snprintf(p->name, sizeof p->name, "emulator of PTX, compute capability %d.%d", s.capability / 10,
                s.capability % 10);
  p->major = s.capability / 10;
  p->minor = s.capability % 10;
  p->totalGlobalMem = s.memory;
  p->multiProcessorCount = 4;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->sharedMemPerBlock = s.default_shared_bytes;
  p->sharedMemPerBlockOptin = s.most_shared_bytes();
  p->l2CacheSize = 40 << 20;
  p->unifiedAddressing = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
  const Settings &s = run_time().settings;
  if (device < 0 || device >= s.devices) return give(cudaErrorInvalidDevice);
  switch (attribute) {
  case cudaDevAttrL2CacheSize:
    *value = 40 << 20;
    break;
  case cudaDevAttrMultiProcessorCount:
    *value = 4;
    break;
  case cudaDevAttrWarpSize:
    *value = 32;
    break;
  case cudaDevAttrMaxThreadsPerBlock:
    *value = 1024;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    *value = s.default_shared_bytes;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *value = s.most_shared_bytes();
    break;
  case cudaDevAttrComputeCapabilityMajor:
    *value = s.capability / 10;
    break;
  case cudaDevAttrComputeCapabilityMinor:
    *value = s.capability % 10;
    break;
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrConcurrentManagedAccess:
    *value = 1;
    break;
  default:
    return give(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
  const int n = run_time().settings.devices;
  if (device < 0 || peer < 0 || device >= n || peer >= n) return give(cudaErrorInvalidDevice);
  *can = device != peer;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned)
{
  const Locked lock(run_time().guard);
  if (peer < 0 || peer >= run_time().settings.devices || peer == current_device) return give(cudaErrorInvalidDevice);
  std::uint64_t &mask = run_time().peers[current_device];
  if (mask >> peer & 1) return give(cudaErrorPeerAccessAlreadyEnabled);
  mask |= std::uint64_t(1) << peer;
  return cudaSuccess;
}

cudaError_t cudaGetLastError()
{
  const cudaError_t e = state() != cudaSuccess ? state() : last_error; // a broken device stays so
  last_error = cudaSuccess;
  return e;
}

cudaError_t cudaPeekAtLastError() { return state() != cudaSuccess ? state() : last_error; }

const char *cudaGetErrorString(cudaError_t e)
{
  switch (e) {
  case cudaSuccess:
    return "no error";
  case cudaErrorInvalidValue:
    return "invalid argument";
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorInvalidConfiguration:
    return "invalid configuration argument";
  case cudaErrorLaunchOutOfResources:
    return "too many resources requested for launch";
  case cudaErrorInvalidDeviceFunction:
    return "invalid device function";
  case cudaErrorNoKernelImageForDevice:
    return "no kernel image is available for execution on the device";
  case cudaErrorInvalidDevice:
    return "invalid device ordinal";
  case cudaErrorNoDevice:
    return "no device";
  case cudaErrorInvalidResourceHandle:
    return "invalid resource handle";
  case cudaErrorNotReady:
    return "device not ready";
  case cudaErrorIllegalAddress:
    return "an illegal memory access was encountered";
  case cudaErrorMisalignedAddress:
    return "misaligned address";
  case cudaErrorIllegalInstruction:
    return "an illegal instruction was encountered";
  case cudaErrorLaunchFailure:
    return "unspecified launch failure";
  default:
    return "another error";
  }
}

const char *cudaGetErrorName(cudaError_t e)
{
#define PTX_NAME(x)                                                                                                    \
  case x:                                                                                                              \
    return #x
  switch (e) {
    PTX_NAME(cudaSuccess);
    PTX_NAME(cudaErrorInvalidValue);
    PTX_NAME(cudaErrorMemoryAllocation);
    PTX_NAME(cudaErrorInvalidConfiguration);
    PTX_NAME(cudaErrorLaunchOutOfResources);
    PTX_NAME(cudaErrorInvalidDeviceFunction);
    PTX_NAME(cudaErrorInvalidDevice);
    PTX_NAME(cudaErrorNoDevice);
    PTX_NAME(cudaErrorInvalidResourceHandle);
    PTX_NAME(cudaErrorNotReady);
    PTX_NAME(cudaErrorIllegalAddress);
    PTX_NAME(cudaErrorMisalignedAddress);
    PTX_NAME(cudaErrorIllegalInstruction);
    PTX_NAME(cudaErrorLaunchFailure);
  default:
    return "cudaErrorUnknown";
  }
#undef PTX_NAME
}

} // extern "C"
