#pragma once
/// Two threads, one of them within something that lets one thread in at a time: does the other get past it?

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace support
{

class Overtaking
{
public:
  /// To be called within: tells the other thread to begin, and gives it a while.
  void within()
  {
    inside_ = true;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
    while (!done_ && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    overtaken_ = overtaken_ || done_;
  }

  /// Runs first() here, which calls within(), and other() on a second thread as soon as it has. Whether other() was
  /// done before within() was left.
  bool operator()(const std::function<void()> &first, const std::function<void()> &other)
  {
    inside_ = done_ = overtaken_ = false;
    std::thread second([&] {
      while (!inside_) std::this_thread::yield();
      other();
      done_ = true;
    });
    first();
    inside_ = true; // should it not have been called
    second.join();
    return overtaken_;
  }

private:
  std::atomic<bool> inside_ {false}, done_ {false};
  bool overtaken_ = false;
};

} // namespace support
