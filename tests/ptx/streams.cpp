#include "ptx/streams.h"

#include <algorithm>

namespace ptx
{

Stream &Streams::legacy(int device)
{
  for (auto &s : all_)
    if (s->legacy && s->device == device) return *s;
  Stream &s = make(device, true);
  s.legacy = true;
  return s;
}

Stream &Streams::make(int device, bool blocking)
{
  all_.push_back(std::make_unique<Stream>());
  all_.back()->device = device;
  all_.back()->blocking = blocking;
  return *all_.back();
}

bool Streams::knows(const Stream *s) const
{
  return std::any_of(all_.begin(), all_.end(), [=](auto &m) { return m.get() == s; });
}

bool Streams::destroy(Stream *s)
{
  if (!knows(s)) return false;
  wait(*s);
  std::erase_if(all_, [=](auto &m) { return m.get() == s; });
  return true;
}

TaskPointer Streams::submit(Stream &stream, std::function<void()> work, std::vector<TaskPointer> after)
{
  auto task = std::make_shared<Task>();
  task->work = std::move(work);
  const auto follow = [&](const TaskPointer &t) {
    if (t && !t->done) after.push_back(t);
  };
  follow(stream.last);
  for (auto &s : all_)
    if (s->device == stream.device && s->legacy != stream.legacy && s->blocking && stream.blocking) follow(s->last);
  task->after = std::move(after);
  stream.queue.push_back(task);
  stream.last = task;
  return task;
}

bool Streams::step()
{
  std::vector<Stream *> ready;
  for (auto &s : all_) {
    if (s->queue.empty()) continue;
    const auto &after = s->queue.front()->after;
    if (std::all_of(after.begin(), after.end(), [](auto &t) { return t->done; })) ready.push_back(s.get());
  }
  if (ready.empty()) return false;
  Stream *const chosen = ready.size() == 1 ? ready[0] : ready[random_() % ready.size()];
  const TaskPointer task = chosen->queue.front();
  chosen->queue.pop_front();
  task->work();
  task->done = true;
  task->work = nullptr;
  task->after.clear();
  return true;
}

void Streams::wait(const TaskPointer &task)
{
  while (task && !task->done && step()) {
  }
}

void Streams::wait(Stream &stream) { wait(stream.last); }

void Streams::wait_for_device(int device)
{
  const auto busy = [=](auto &s) { return s->device == device && !s->queue.empty(); };
  while (std::any_of(all_.begin(), all_.end(), busy) && step()) {
  }
}

} // namespace ptx
