/// The communicator of a single process: reductions change nothing, messages go to itself.
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>

#include "comms/backend.h"
#include "comms/communicator.h"

namespace quda
{

namespace
{
  struct Message : Request::State {
    const void *from = nullptr; // data of a send
    void *to = nullptr;         // destination of a receive
    std::size_t bytes = 0;
    bool sends = false;
    bool done = false;
    std::shared_ptr<std::deque<Message *>> queue; // queue in which it waits for its other half

    ~Message() override
    {
      if (queue) std::erase(*queue, this);
    }
  };

  constexpr int one[4] = {1, 1, 1, 1};

  class SingleCommunicator final : public Communicator
  {
  public:
    SingleCommunicator()
        : Communicator(one, 0, {0})
    {
      host_name_ = comms::this_host();
      for (auto &queue : waiting_) queue = std::make_shared<std::deque<Message *>>();
    }

    void barrier() override {}
    void sum(long long *, int) override {}
    void sum(double *, int) override {}
    Request sum_start(long long *, int) override { return {}; }
    void max(long long *, int) override {}
    void max(double *, int) override {}
    void min(double *, int) override {}

    void broadcast(void *, std::size_t, int root) override
    {
      if (root != 0) fail(ErrorKind::bad_argument, text("broadcast from rank %d, there is 1 rank", root));
    }

    std::vector<std::string> gather_text(const std::string &mine) override { return {mine}; }

    Request send_start(const void *data, std::size_t bytes, int d, int direction) override
    {
      auto message = std::make_unique<Message>();
      message->from = data;
      message->sends = true;
      return start(std::move(message), bytes, queue_of(d, direction));
    }

    Request receive_start(void *data, std::size_t bytes, int d, int direction) override
    {
      auto message = std::make_unique<Message>();
      message->to = data;
      return start(std::move(message), bytes, queue_of(d, direction));
    }

    Request send_to_start(const void *data, std::size_t bytes, int rank) override
    {
      coordinates_of(rank); // refuses those that do not exist
      auto message = std::make_unique<Message>();
      message->from = data;
      message->sends = true;
      return start(std::move(message), bytes, direct);
    }

    Request receive_from_start(void *data, std::size_t bytes, int rank) override
    {
      coordinates_of(rank);
      auto message = std::make_unique<Message>();
      message->to = data;
      return start(std::move(message), bytes, direct);
    }

    void wait(Request &request) override
    {
      if (test(request)) return;
      request.finish();
      fail(ErrorKind::comms, "waiting for a message to this rank itself whose other half was never started");
    }

    bool test(Request &request) override
    {
      if (!request.pending()) return true;
      if (!static_cast<Message *>(request.state())->done) return false;
      request.finish();
      return true;
    }

    [[noreturn]] void abort(int code) override { std::exit(code); }

    std::shared_ptr<Communicator> split(int colour, int, const int extent[4]) override
    {
      if (colour < 0) return nullptr;
      comms::check_grid(extent, 1);
      return make_single_communicator();
    }

  private:
    static constexpr std::size_t direct = 8;

    std::size_t queue_of(int d, int direction) const
    {
      neighbour(d, direction); // refuses invalid directions
      return static_cast<std::size_t>(2 * d + (direction > 0));
    }

    Request start(std::unique_ptr<Message> message, std::size_t bytes, std::size_t queue_number)
    {
      message->bytes = bytes;
      auto &queue = waiting_[queue_number];
      Message *other = queue->empty() ? nullptr : queue->front();
      if (!other || other->sends == message->sends) {
        message->queue = queue;
        queue->push_back(message.get());
      } else {
        if (other->bytes != bytes)
          fail(ErrorKind::comms, text("message of %zu bytes meets its other half of %zu bytes", bytes, other->bytes));
        Message *into = message->sends ? other : message.get();
        const Message *out = message->sends ? message.get() : other;
        if (bytes) std::memcpy(into->to, out->from, bytes);
        queue->pop_front();
        other->queue.reset();
        other->done = message->done = true;
      }
      return Request(std::move(message));
    }

    std::shared_ptr<std::deque<Message *>> waiting_[direct + 1]; // 2 d + (direction > 0); all sends or all receives
  };
} // namespace

std::shared_ptr<Communicator> make_single_communicator() { return std::make_shared<SingleCommunicator>(); }

} // namespace quda
