#include "bench/ranks.h"

#include <cstdio>

#include "bench/loopback.h"
#include "core/error.h"
#include "files/gauge_file_mpi.h"

namespace quda::bench
{

namespace
{

  std::shared_ptr<Communicator> &the_ranks()
  {
    static std::shared_ptr<Communicator> ranks = make_single_communicator();
    return ranks;
  }

} // namespace

void Ranks::start(const std::array<int, 4> &grid)
{
  if (grid == std::array {1, 1, 1, 1}) return;
#ifdef QUDA_HAVE_MPI
  MPI_Init(nullptr, nullptr);
  the_ranks() = make_communicator(grid.data());
  if (ranks().rank() != 0 && !std::freopen("/dev/null", "w", stdout))
    quda::fail(ErrorKind::file, "--gridsize: cannot open /dev/null");
#else
  quda::fail(ErrorKind::unsupported, "--gridsize: quda_bench was built without MPI");
#endif
}

void Ranks::fail()
{
  if (ranks().size() > 1) ranks().abort(2);
}

Ranks::~Ranks()
{
#ifdef QUDA_HAVE_MPI
  int started = 0;
  MPI_Initialized(&started);
  the_ranks() = make_single_communicator();
  if (started) MPI_Finalize();
#endif
}

Communicator &ranks() { return *the_ranks(); }

std::shared_ptr<Communicator> cut_communicator()
{
  return ranks().size() > 1 ? the_ranks() : make_loopback_communicator();
}

double of_first(double mine)
{
  ranks().broadcast(&mine, sizeof mine, 0);
  return mine;
}

double slowest(double seconds)
{
  ranks().max(&seconds, 1);
  return seconds;
}

} // namespace quda::bench
