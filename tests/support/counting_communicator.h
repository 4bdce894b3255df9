#pragma once
/// A communicator that counts what goes through another one.

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comms/communicator.h"

namespace support
{

class CountingCommunicator : public quda::Communicator
{
public:
  explicit CountingCommunicator(std::shared_ptr<quda::Communicator> comm)
      : Communicator(comm->grid().extent, comm->rank(), table(*comm))
      , comm_(std::move(comm))
  {
  }

  std::size_t bytes_sent = 0, bytes_asked_for = 0;
  int messages = 0, waits = 0;
  /// Called before a message is sent, and before one is waited for.
  std::function<void()> on_send, on_wait;

  void barrier() override { comm_->barrier(); }
  void sum(long long *v, int n) override { comm_->sum(v, n); }
  void sum(double *v, int n) override { comm_->sum(v, n); }
  quda::Request sum_start(long long *v, int n) override { return comm_->sum_start(v, n); }
  void max(long long *v, int n) override { comm_->max(v, n); }
  void max(double *v, int n) override { comm_->max(v, n); }
  void min(double *v, int n) override { comm_->min(v, n); }
  void broadcast(void *data, std::size_t bytes, int root) override { comm_->broadcast(data, bytes, root); }
  std::vector<std::string> gather_text(const std::string &mine) override { return comm_->gather_text(mine); }

  quda::Request send_start(const void *data, std::size_t bytes, int d, int direction) override
  {
    if (on_send) on_send();
    bytes_sent += bytes;
    messages++;
    return comm_->send_start(data, bytes, d, direction);
  }
  quda::Request receive_start(void *data, std::size_t bytes, int d, int direction) override
  {
    bytes_asked_for += bytes;
    messages++;
    return comm_->receive_start(data, bytes, d, direction);
  }
  quda::Request send_to_start(const void *data, std::size_t bytes, int to) override
  {
    if (on_send) on_send();
    bytes_sent += bytes;
    messages++;
    return comm_->send_to_start(data, bytes, to);
  }
  quda::Request receive_from_start(void *data, std::size_t bytes, int from) override
  {
    bytes_asked_for += bytes;
    messages++;
    return comm_->receive_from_start(data, bytes, from);
  }
  void wait(quda::Request &request) override
  {
    if (on_wait && request.pending()) on_wait();
    waits += request.pending();
    comm_->wait(request);
  }
  bool test(quda::Request &request) override { return comm_->test(request); }
  [[noreturn]] void abort(int code) override
  {
    comm_->abort(code);
    std::abort();
  }
  std::shared_ptr<Communicator> split(int colour, int key, const int extent[4]) override
  {
    return comm_->split(colour, key, extent);
  }

private:
  static std::vector<int> table(const quda::Communicator &comm)
  {
    std::vector<int> ranks;
    int x[4];
    for (x[0] = 0; x[0] < comm.extent(0); x[0]++)
      for (x[1] = 0; x[1] < comm.extent(1); x[1]++)
        for (x[2] = 0; x[2] < comm.extent(2); x[2]++)
          for (x[3] = 0; x[3] < comm.extent(3); x[3]++) ranks.push_back(comm.rank_of(x));
    return ranks;
  }

  std::shared_ptr<quda::Communicator> comm_;
};

} // namespace support
