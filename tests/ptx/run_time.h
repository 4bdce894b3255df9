#pragma once
/// The state behind the functions of the stand-in run time: devices, what is registered, errors.
///
/// Settings are environment variables:
///   PTX_DEVICES     how many devices there are (1)
///   PTX_CAPABILITY  their compute capability, 80 or 90 (90); with less they run no kernel
///   PTX_SEED        of the order in which streams go on (1)
///   PTX_CHECK       what is looked for, a list of words: memory (bytes never written, races in shared memory),
///                   races (in device memory: up to four times the time); none of them: "bounds" (memory)
///   PTX_PTXAS       the folder of reports of ptxas (<build>/ptxas): registers, and so the largest block of a kernel
///   PTX_COSTS       a file that the table of costs goes to when the process ends
///   PTX_KERNELS     a folder that each process puts its list of kernels into when it ends (kernels.py)
///   PTX_REPORT      1: launches and instructions are printed then
/// A process with findings ends with status 99.

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "ptx/fat_binary.h"
#include "ptx/findings.h"
#include "ptx/launch.h"
#include "ptx/streams.h"

namespace ptx
{

struct Settings {
  int devices = 1;
  int capability = 90;
  unsigned seed = 1;
  int default_shared_bytes = 48 * 1024; // of a block that has not asked for more
  int most_shared_bytes() const { return (capability >= 90 ? 227 : 163) * 1024; }
  std::size_t memory = std::size_t(8) << 30;
};

struct RegisteredKernel {
  FatBinary *binary = nullptr;
  std::string name;
  std::map<int, int> dynamic_shared; // bytes that were asked for, by device
};
struct RegisteredVariable {
  FatBinary *binary = nullptr;
  std::string name;
  std::size_t bytes = 0;
};

struct RunTime {
  std::recursive_mutex guard;
  Settings settings;
  std::map<const void *, RegisteredKernel> kernels;
  std::map<const void *, RegisteredVariable> variables;
  std::map<int, cudaError_t> broken;  // devices whose context a fault has ended
  std::map<int, std::uint64_t> peers; // devices that a device may use, a bit each
  Streams streams;

  RunTime(const Settings &s)
      : settings(s)
      , streams(s.seed)
  {
  }
};

/// Made by the first call; never destroyed.
RunTime &run_time();
using Locked = std::lock_guard<std::recursive_mutex>;

extern thread_local int current_device;
extern thread_local cudaError_t last_error;

/// Remembers an error for cudaGetLastError, and gives it back.
cudaError_t give(cudaError_t);
/// The error that a fault leaves on the current device, or success.
cudaError_t state();
cudaError_t error_of(Fault);

/// The stream behind a handle; null where there is none.
Stream *stream_of(cudaStream_t);
/// Puts work into a stream; a fault in it ends the device's context, and what follows there is not done.
TaskPointer submit(Stream &, std::function<void()> work, std::vector<TaskPointer> after = {});

} // namespace ptx
