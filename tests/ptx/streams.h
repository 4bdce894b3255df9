#pragma once
/// Work in streams, done when the host waits and not before. Of what may go next by the rules of CUDA (order within a
/// stream, events, the legacy stream that waits for the others and they for it), a seed says which does.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace ptx
{

struct Task {
  std::function<void()> work;
  std::vector<std::shared_ptr<Task>> after;
  bool done = false;
};
using TaskPointer = std::shared_ptr<Task>;

struct Stream {
  int device;
  bool legacy = false;  // the null stream
  bool blocking = true; // waits for the null stream, and is waited for by it
  std::deque<TaskPointer> queue;
  TaskPointer last; // the latest that was put in, done or not
};

class Streams
{
public:
  explicit Streams(unsigned seed)
      : random_(seed)
  {
  }

  Stream &legacy(int device);
  Stream &make(int device, bool blocking);
  /// Waits for it first.
  bool destroy(Stream *);
  bool knows(const Stream *) const;

  /// `after`: further work that has to be done first.
  TaskPointer submit(Stream &, std::function<void()> work, std::vector<TaskPointer> after = {});
  void wait(Stream &);
  void wait(const TaskPointer &);
  void wait_for_device(int device);
  /// Does one piece of work, where there is any.
  bool step();

private:
  std::mt19937 random_;
  std::vector<std::unique_ptr<Stream>> all_;
};

} // namespace ptx
