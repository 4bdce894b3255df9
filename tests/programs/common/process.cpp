#include "programs/common/process.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "files/gauge_file_mpi.h"

namespace program
{

#ifdef QUDA_HAVE_MPI

Process::Process(int *argc, char ***argv)
{
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (!initialised) {
    MPI_Init(argc, argv);
    finalise_ = true;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Process::~Process()
{
  if (finalise_) MPI_Finalize();
}

void Process::barrier() const { MPI_Barrier(MPI_COMM_WORLD); }

double Process::sum(double value) const
{
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

double Process::max(double value) const
{
  const double not_a_number = sum(std::isnan(value) ? 1 : 0);
  if (std::isnan(value)) value = 0;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return not_a_number > 0 ? NAN : value;
}

quda_files::Combine Process::combine() const { return quda_files::mpi_combine(MPI_COMM_WORLD); }

#else

Process::Process(int *, char ***) {}
Process::~Process() {}
void Process::barrier() const {}
double Process::sum(double value) const { return value; }
double Process::max(double value) const { return value; }
quda_files::Combine Process::combine() const { return {}; }

#endif

int Process::run(const std::function<int()> &body) const
{
  try {
    return body();
  } catch (const UsageError &error) {
    if (rank_ == 0) std::fprintf(stderr, "ERROR: %s\n", error.what());
    return 1;
  } catch (const quda_files::FileError &error) {
    // thrown on all ranks together; one text is enough unless a rank has its own
    const bool of_others = std::string(error.what()).find("other ranks could not") != std::string::npos;
    if (!of_others) std::fprintf(stderr, "ERROR (rank %d): %s\n", rank_, error.what());
    return 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "ERROR (rank %d): %s\n", rank_, error.what());
#ifdef QUDA_HAVE_MPI
    if (size_ > 1) MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    return 1;
  }
}

int rank_of(const std::array<int, 4> &c, const std::array<int, 4> &P, RankOrder order)
{
  if (order == RankOrder::row) return ((c[3] * P[2] + c[2]) * P[1] + c[1]) * P[0] + c[0];
  return ((c[0] * P[1] + c[1]) * P[2] + c[2]) * P[3] + c[3];
}

std::array<int, 4> coord_of(int rank, const std::array<int, 4> &grid, RankOrder order)
{
  std::array<int, 4> c;
  for (c[0] = 0; c[0] < grid[0]; c[0]++)
    for (c[1] = 0; c[1] < grid[1]; c[1]++)
      for (c[2] = 0; c[2] < grid[2]; c[2]++)
        for (c[3] = 0; c[3] < grid[3]; c[3]++)
          if (rank_of(c, grid, order) == rank) return c;
  throw std::logic_error("rank " + std::to_string(rank) + " is not in the process grid");
}

void say(const Process &process, const char *format, ...)
{
  if (process.rank() != 0) return;
  std::va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
  std::fflush(stdout);
}

void check_grid(const Process &process, const Options &options)
{
  const auto &P = options.grid;
  if (long(P[0]) * P[1] * P[2] * P[3] != process.size())
    throw UsageError("--gridsize " + std::to_string(P[0]) + " " + std::to_string(P[1]) + " " + std::to_string(P[2]) +
                     " " + std::to_string(P[3]) + " does not fit the number of processes, " +
                     std::to_string(process.size()));
}

void start_library(const Options &options, Tuned tuned)
{
  const auto &P = options.grid;
  if (!options.tune) setenv("QUDA_ENABLE_TUNING", "0", 1);
  if (tuned == Tuned::at_once) setenv("QUDA_TUNE_SHARE", "0", 0);

  struct Map {
    std::array<int, 4> grid;
    RankOrder order;
  } map = {P, options.rank_order};
  auto rank_at = [](const int *coords, void *data) {
    const Map &m = *static_cast<Map *>(data);
    return rank_of({coords[0], coords[1], coords[2], coords[3]}, m.grid, m.order);
  };
  setVerbosityQuda(options.verbosity, "", stdout);
  initCommsGridQuda(4, P.data(), rank_at, &map);
  initQuda(options.device);
}

} // namespace program
