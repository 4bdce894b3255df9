#include "bench/loopback.h"

#include <cstdlib>
#include <numeric>

namespace quda::bench
{

namespace
{

  constexpr int all_cut[4] = {2, 2, 2, 2};

  std::vector<int> all_ranks()
  {
    std::vector<int> ranks(16);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
  }

  class Loopback final : public Communicator
  {
  public:
    Loopback()
        : Communicator(all_cut, 0, all_ranks())
        , alone_(make_single_communicator())
    {
      host_name_ = alone_->host_name();
    }

    void barrier() override {}
    void sum(long long *v, int n) override { add_up(v, n); }
    void sum(double *v, int n) override { add_up(v, n); }
    Request sum_start(long long *v, int n) override
    {
      add_up(v, n);
      return {};
    }
    void max(long long *, int) override {}
    void max(double *, int) override {}
    void min(double *, int) override {}
    void broadcast(void *, std::size_t, int) override {}
    std::vector<std::string> gather_text(const std::string &mine) override
    {
      return std::vector<std::string>(static_cast<std::size_t>(size()), mine);
    }
    Request send_start(const void *data, std::size_t bytes, int d, int direction) override
    {
      return alone_->send_start(data, bytes, d, direction);
    }
    Request receive_start(void *data, std::size_t bytes, int d, int direction) override
    {
      return alone_->receive_start(data, bytes, d, direction);
    }
    Request send_to_start(const void *data, std::size_t bytes, int) override
    {
      return alone_->send_to_start(data, bytes, 0);
    }
    Request receive_from_start(void *data, std::size_t bytes, int) override
    {
      return alone_->receive_from_start(data, bytes, 0);
    }
    void wait(Request &request) override { alone_->wait(request); }
    bool test(Request &request) override { return alone_->test(request); }
    [[noreturn]] void abort(int code) override { std::exit(code); }
    std::shared_ptr<Communicator> split(int colour, int key, const int[4]) override
    {
      constexpr int one[4] = {1, 1, 1, 1};
      return alone_->split(colour, key, one);
    }

  private:
    template <class T> void add_up(T *v, int n) const
    {
      for (int i = 0; i < n; i++) v[i] *= static_cast<T>(size());
    }

    std::shared_ptr<Communicator> alone_;
  };

} // namespace

std::shared_ptr<Communicator> make_loopback_communicator() { return std::make_shared<Loopback>(); }

} // namespace quda::bench
