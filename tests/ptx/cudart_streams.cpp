/// Streams and events. An event is a piece of work without content, whose place in its stream is what counts.

#include "ptx/run_time.h"

#include <chrono>

using namespace ptx;

namespace
{

struct Event {
  TaskPointer task; // of the last record
  std::shared_ptr<std::chrono::steady_clock::time_point> when;
};
Event &event_of(cudaEvent_t e) { return *reinterpret_cast<Event *>(e); }

} // namespace

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *handle, unsigned flags)
{
  const Locked lock(run_time().guard);
  *handle = reinterpret_cast<cudaStream_t>(&run_time().streams.make(current_device, !(flags & cudaStreamNonBlocking)));
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *handle) { return cudaStreamCreateWithFlags(handle, cudaStreamDefault); }

cudaError_t cudaStreamDestroy(cudaStream_t handle)
{
  const Locked lock(run_time().guard);
  return run_time().streams.destroy(reinterpret_cast<Stream *>(handle)) ? state()
                                                                        : give(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
  const Locked lock(run_time().guard);
  Stream *const stream = stream_of(handle);
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  run_time().streams.wait(*stream);
  return state();
}

/// Each question lets a piece of work be done, so that asking again and again comes to an end.
cudaError_t cudaStreamQuery(cudaStream_t handle)
{
  const Locked lock(run_time().guard);
  Stream *const stream = stream_of(handle);
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  if (!stream->last || stream->last->done) return state();
  run_time().streams.step();
  return cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned)
{
  const Locked lock(run_time().guard);
  Stream *const stream = stream_of(handle);
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  if (const TaskPointer &task = event_of(event).task; task && !task->done) submit(*stream, [] {}, {task});
  return state();
}

cudaError_t cudaDeviceSynchronize()
{
  const Locked lock(run_time().guard);
  run_time().streams.wait_for_device(current_device);
  return state();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *data)
{
  const Locked lock(run_time().guard);
  Stream *const stream = stream_of(handle);
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  submit(*stream, [=] { function(data); });
  return state();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
  *event = reinterpret_cast<cudaEvent_t>(new Event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  delete &event_of(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle)
{
  const Locked lock(run_time().guard);
  Stream *const stream = stream_of(handle);
  if (!stream) return give(cudaErrorInvalidResourceHandle);
  Event &e = event_of(event);
  e.when = std::make_shared<std::chrono::steady_clock::time_point>();
  e.task = submit(*stream, [when = e.when] { *when = std::chrono::steady_clock::now(); });
  return state();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
  const Locked lock(run_time().guard);
  run_time().streams.wait(event_of(event).task);
  return state();
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
  const Locked lock(run_time().guard);
  const TaskPointer task = event_of(event).task;
  if (!task || task->done) return state();
  run_time().streams.step();
  return cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
  const Locked lock(run_time().guard);
  const Event &a = event_of(from), &b = event_of(to);
  if (!a.task || !b.task) return give(cudaErrorInvalidResourceHandle);
  if (!a.task->done || !b.task->done) return cudaErrorNotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(*b.when - *a.when).count();
  return state();
}

} // extern "C"
