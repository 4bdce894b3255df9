#include "ptx/run_time.h"

#include "ptx/costs.h"
#include "ptx/host_pages.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include <unistd.h>

namespace ptx
{

thread_local int current_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

namespace
{

  int number(const char *variable, int otherwise)
  {
    const char *text = std::getenv(variable);
    return text && *text ? std::atoi(text) : otherwise;
  }

  void at_end()
  {
    if (number("PTX_REPORT", 0)) print_totals();
    if (const char *file = std::getenv("PTX_COSTS"); file && *file) write_costs(file);
    if (const char *folder = std::getenv("PTX_KERNELS"); folder && *folder) {
      std::set<std::string> symbols;
      for (const auto &[host, kernel] : run_time().kernels) symbols.insert(kernel.name);
      write_kernels(folder, symbols);
    }
    const std::vector<Finding> all = findings();
    if (all.empty()) return;
    std::map<std::pair<Fault, std::string>, std::pair<long, long>> kernels; // places, times
    for (const Finding &f : all) {
      auto &[places, times] = kernels[{f.fault, f.where.substr(0, f.where.find(", PTX line"))}];
      places++;
      times += f.count;
    }
    for (const auto &[what, n] : kernels)
      std::fprintf(stderr, "ptx: %ld times at %ld places: %s: %s\n", n.second, n.first, name_of(what.first),
                   what.second.c_str());
    std::fflush(nullptr);
    _exit(99);
  }

  RunTime *made()
  {
    Settings s;
    s.devices = number("PTX_DEVICES", s.devices);
    s.capability = number("PTX_CAPABILITY", s.capability);
    s.seed = static_cast<unsigned>(number("PTX_SEED", static_cast<int>(s.seed)));
    if (const char *check = std::getenv("PTX_CHECK")) {
      checks().memory = std::strstr(check, "memory");
      checks().races = std::strstr(check, "races");
    }
    checks().counts = std::getenv("PTX_COSTS");
    watch_host();
    std::atexit(at_end);
    return new RunTime(s);
  }

} // namespace

RunTime &run_time()
{
  static RunTime *const one = made();
  return *one;
}

cudaError_t give(cudaError_t e)
{
  if (e != cudaSuccess) last_error = e;
  return e;
}

cudaError_t state()
{
  const auto it = run_time().broken.find(current_device);
  return it == run_time().broken.end() ? cudaSuccess : give(it->second);
}

cudaError_t error_of(Fault fault)
{
  switch (fault) {
  case Fault::misaligned:
    return cudaErrorMisalignedAddress;
  case Fault::unknown_instruction:
    return cudaErrorIllegalInstruction;
  case Fault::barrier:
  case Fault::missing_lanes:
    return cudaErrorLaunchFailure;
  default:
    return cudaErrorIllegalAddress;
  }
}

Stream *stream_of(cudaStream_t handle)
{
  Streams &all = run_time().streams;
  if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread)
    return &all.legacy(current_device);
  auto *s = reinterpret_cast<Stream *>(handle);
  return all.knows(s) ? s : nullptr;
}

TaskPointer submit(Stream &stream, std::function<void()> work, std::vector<TaskPointer> after)
{
  const int device = stream.device;
  return run_time().streams.submit(
      stream,
      [device, work = std::move(work)] {
        if (run_time().broken.count(device)) return;
        try {
          work();
        } catch (const LaunchFault &f) {
          run_time().broken[device] = error_of(f.fault);
        }
      },
      std::move(after));
}

} // namespace ptx
