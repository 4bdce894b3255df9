#pragma once
/// A grid of ranks with one of them here: what a lattice asks of its communicator, without the others. Whatever would
/// communicate is refused.

#include <memory>
#include <string>
#include <vector>

#include "comms/communicator.h"

class PretendGrid : public quda::Communicator
{
public:
  PretendGrid(const int extent[4], int rank)
      : Communicator(extent, rank, ranks_in_order(extent))
  {
  }

  static std::shared_ptr<quda::Communicator> create(int x, int y, int z, int t, int rank = 0)
  {
    const int extent[4] = {x, y, z, t};
    return std::make_shared<PretendGrid>(extent, rank);
  }

  void barrier() override { refuse(); }
  void sum(long long *, int) override { refuse(); }
  void sum(double *, int) override { refuse(); }
  quda::Request sum_start(long long *, int) override { refuse(); }
  void max(long long *, int) override { refuse(); }
  void max(double *, int) override { refuse(); }
  void min(double *, int) override { refuse(); }
  void broadcast(void *, std::size_t, int) override { refuse(); }
  std::vector<std::string> gather_text(const std::string &) override { refuse(); }
  quda::Request send_start(const void *, std::size_t, int, int) override { refuse(); }
  quda::Request receive_start(void *, std::size_t, int, int) override { refuse(); }
  quda::Request send_to_start(const void *, std::size_t, int) override { refuse(); }
  quda::Request receive_from_start(void *, std::size_t, int) override { refuse(); }
  void wait(quda::Request &) override { refuse(); }
  bool test(quda::Request &) override { refuse(); }
  [[noreturn]] void abort(int) override { refuse(); }
  std::shared_ptr<quda::Communicator> split(int, int, const int *) override { refuse(); }

private:
  static std::vector<int> ranks_in_order(const int extent[4])
  {
    std::vector<int> ranks(static_cast<std::size_t>(extent[0]) * extent[1] * extent[2] * extent[3]);
    for (std::size_t i = 0; i < ranks.size(); i++) ranks[i] = static_cast<int>(i);
    return ranks;
  }
  [[noreturn]] static void refuse() { quda::fail(quda::ErrorKind::comms, "a pretended grid does not communicate"); }
};
