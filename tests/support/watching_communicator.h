#pragma once
/// A communicator that stands before another and makes its messages as late as they may be, to show who relies on more
/// than was promised:
///
/// * A send is posted when its rank next waits, asks, or enters something collective, those of other directions in the
///   reverse of the order they were started in. What it sends is compared at the end with what it was at the start.
/// * A receive fills the caller's memory when it is waited for (or the fourth time it is asked for) and not before;
///   until then the memory holds 0xA5.
/// * Requests that were dropped before they were done are counted, and so are messages and their bytes.

#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comms/communicator.h"

namespace support
{

class WatchingCommunicator final : public quda::Communicator
{
public:
  struct Counts {
    long long sends = 0, receives = 0;
    long long sums = 0; // in the background
    long long sent_bytes = 0;
    long long finished = 0; // requests
    long long dropped = 0;  // unfinished
    long long changed = 0;  // sends whose memory was written before they were done
  };

  explicit WatchingCommunicator(std::shared_ptr<quda::Communicator> behind)
      : Communicator(behind->grid().extent, behind->rank(), ranks(*behind))
      , behind_(std::move(behind))
      , counts_(std::make_shared<Counts>())
  {
    host_name_ = behind_->host_name();
    rank_on_host_ = behind_->rank_on_host();
  }

  const Counts &counts() const { return *counts_; }
  void reset() { *counts_ = {}; }
  /// Called whenever a receive is waited for.
  std::function<void()> on_wait;

  void barrier() override { (post(), behind_->barrier()); }
  void sum(long long *v, int n) override { (post(), behind_->sum(v, n)); }
  void sum(double *v, int n) override { (post(), behind_->sum(v, n)); }
  /// Like a message that is received.
  quda::Request sum_start(long long *v, int n) override
  {
    post();
    auto message = std::make_shared<Message>();
    message->to = reinterpret_cast<char *>(v);
    message->content.assign(message->to, message->to + sizeof(long long) * static_cast<std::size_t>(n));
    std::memset(message->to, 0xA5, message->content.size());
    message->behind = behind_->sum_start(reinterpret_cast<long long *>(message->content.data()), n);
    counts_->sums++;
    return request(message, false);
  }
  void max(long long *v, int n) override { (post(), behind_->max(v, n)); }
  void max(double *v, int n) override { (post(), behind_->max(v, n)); }
  void min(double *v, int n) override { (post(), behind_->min(v, n)); }
  void broadcast(void *data, std::size_t bytes, int root) override { (post(), behind_->broadcast(data, bytes, root)); }
  std::vector<std::string> gather_text(const std::string &mine) override
  {
    post();
    return behind_->gather_text(mine);
  }

  quda::Request send_start(const void *data, std::size_t bytes, int d, int direction) override
  {
    neighbour(d, direction); // refuses what is no direction
    return held_back(data, bytes, d, direction);
  }
  quda::Request receive_start(void *data, std::size_t bytes, int d, int direction) override
  {
    return received(data, bytes, [&](void *into) { return behind_->receive_start(into, bytes, d, direction); });
  }
  quda::Request send_to_start(const void *data, std::size_t bytes, int to) override
  {
    return held_back(data, bytes, to, 0);
  }
  quda::Request receive_from_start(void *data, std::size_t bytes, int from) override
  {
    return received(data, bytes, [&](void *into) { return behind_->receive_from_start(into, bytes, from); });
  }

  void wait(quda::Request &request) override
  {
    if (!request.pending()) return;
    auto &state = *static_cast<State *>(request.state());
    if (!state.sends && on_wait) on_wait();
    post();
    behind_->wait(state.message->behind);
    finish(request);
  }

  bool test(quda::Request &request) override
  {
    if (!request.pending()) return true;
    auto &state = *static_cast<State *>(request.state());
    post();
    if (++state.asked < 4 || !behind_->test(state.message->behind)) return false;
    finish(request);
    return true;
  }

  [[noreturn]] void abort(int code) override
  {
    behind_->abort(code);
    std::abort(); // never reached, which the compiler does not see behind the pointer
  }
  std::shared_ptr<quda::Communicator> split(int colour, int key, const int extent[4]) override
  {
    post();
    return behind_->split(colour, key, extent);
  }

private:
  struct Message {
    const char *data = nullptr; // of a send
    char *to = nullptr;         // of a receive
    std::vector<char> content;
    int d = 0, direction = 0; // direction 0: to rank d
    quda::Request behind;
  };

  struct State : quda::Request::State {
    std::shared_ptr<Message> message;
    std::shared_ptr<Counts> counts;
    bool sends = false, done = false;
    int asked = 0;

    ~State() override
    {
      if (!done) counts->dropped++;
    }
  };

  quda::Request request(const std::shared_ptr<Message> &message, bool sends)
  {
    auto state = std::make_unique<State>();
    state->message = message;
    state->counts = counts_;
    state->sends = sends;
    return quda::Request(std::move(state));
  }

  quda::Request held_back(const void *data, std::size_t bytes, int d, int direction)
  {
    auto message = std::make_shared<Message>();
    message->data = static_cast<const char *>(data);
    message->content.assign(message->data, message->data + bytes);
    message->d = d;
    message->direction = direction;
    waiting_.push_back(message);
    counts_->sends++;
    counts_->sent_bytes += static_cast<long long>(bytes);
    return request(message, true);
  }

  template <class Start> quda::Request received(void *data, std::size_t bytes, Start &&start)
  {
    auto message = std::make_shared<Message>();
    message->to = static_cast<char *>(data);
    message->content.resize(bytes);
    std::memset(data, 0xA5, bytes);
    message->behind = start(message->content.data());
    counts_->receives++;
    return request(message, false);
  }

  /// Posts what was held back: of one direction in order, the directions backwards.
  void post()
  {
    while (!waiting_.empty()) {
      const int d = waiting_.back()->d, direction = waiting_.back()->direction;
      std::vector<std::shared_ptr<Message>> rest;
      for (auto &message : waiting_)
        if (message->d == d && message->direction == direction)
          message->behind = direction
                                ? behind_->send_start(message->content.data(), message->content.size(), d, direction)
                                : behind_->send_to_start(message->content.data(), message->content.size(), d);
        else
          rest.push_back(message);
      waiting_ = std::move(rest);
    }
  }

  void finish(quda::Request &request)
  {
    auto &state = *static_cast<State *>(request.state());
    Message &message = *state.message;
    const std::size_t bytes = message.content.size();
    if (state.sends && bytes) counts_->changed += std::memcmp(message.data, message.content.data(), bytes) != 0;
    if (!state.sends && bytes) std::memcpy(message.to, message.content.data(), bytes);
    state.done = true;
    counts_->finished++;
    request.finish();
  }

  static std::vector<int> ranks(const quda::Communicator &behind)
  {
    std::vector<int> table;
    int c[4];
    for (c[0] = 0; c[0] < behind.extent(0); c[0]++)
      for (c[1] = 0; c[1] < behind.extent(1); c[1]++)
        for (c[2] = 0; c[2] < behind.extent(2); c[2]++)
          for (c[3] = 0; c[3] < behind.extent(3); c[3]++) table.push_back(behind.rank_of(c));
    return table;
  }

  std::shared_ptr<quda::Communicator> behind_;
  std::vector<std::shared_ptr<Message>> waiting_; // sends held back
  std::shared_ptr<Counts> counts_;
};

} // namespace support
