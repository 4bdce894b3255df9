// The reader of gauge files by several ranks: each its own part, and all of them refuse together.

#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "files/gauge_file_mpi.h"
#include "reference/field.h"
#include "reference/test_data.h"

using namespace quda_files;

namespace
{

using A = std::array<int, 4>;

struct World {
  World()
  {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  int rank = 0, size = 1;
};

std::vector<A> grids(int size)
{
  if (size == 1) return {{1, 1, 1, 1}};
  if (size == 2) return {{2, 1, 1, 1}, {1, 2, 1, 1}, {1, 1, 2, 1}, {1, 1, 1, 2}};
  return {{2, 2, 1, 1}, {1, 1, 2, 2}, {2, 1, 1, 2}, {1, 1, 1, 4}};
}

A coord_of(int rank, const A &grid)
{
  A c;
  for (int d = 0; d < 4; d++) {
    c[d] = rank % grid[d];
    rank /= grid[d];
  }
  return c;
}

// A damaged copy, written by rank 0, seen by all.
class Copy
{
public:
  Copy(const World &world, const std::string &source, long offset, int bit)
  {
    int id = static_cast<int>(getpid());
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path = std::filesystem::temp_directory_path() / ("quda_damaged_" + std::to_string(id));
    owner_ = world.rank == 0;
    if (owner_) {
      std::ifstream in(source, std::ios::binary);
      std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
      bytes[static_cast<std::size_t>(offset)] = static_cast<char>(bytes[static_cast<std::size_t>(offset)] ^ (1 << bit));
      std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Copy()
  {
    MPI_Barrier(MPI_COMM_WORLD);
    if (owner_) std::filesystem::remove(path);
  }
  std::string path;

private:
  bool owner_;
};

} // namespace

TEST(GaugeFileMpi, EveryRankReadsItsPart)
{
  const World world;
  if (world.size > 4 || world.size == 3) GTEST_SKIP() << "made for 1, 2 or 4 ranks";
  std::string absent;
  for (const std::string &path : {reference::own_data("beta6_4448.ildg"), reference::test_data("weak_field.lime"),
                                  reference::test_data("lat.sample.l8888"), reference::test_data("t_nersc.cfg")}) {
    if (!std::filesystem::exists(path)) {
      absent += " " + path;
      continue;
    }
    const GaugeFile file = inspect(path, mpi_combine(MPI_COMM_WORLD));
    const reference::Lattice lattice(file.dims);
    const auto whole = reference::from_qdp(lattice, read_gauge(file));
    for (const A &grid : grids(world.size)) {
      const A coord = coord_of(world.rank, grid);
      if (file.dims[3] / grid[3] % 2 != 0) continue;
      const reference::Part part(lattice, grid, coord);
      const auto links = read_gauge(file, part.local.X.data(), grid.data(), coord.data(), mpi_combine(MPI_COMM_WORLD));
      EXPECT_EQ(links, reference::to_qdp<double>(whole, part));
    }
  }
  if (!absent.empty()) GTEST_SKIP() << "passed over, not there:" << absent;
}

TEST(GaugeFileMpi, AllRefuseWhatOneRankReadDamaged)
{
  const World world;
  const std::string source = reference::own_data("beta6_4448.ildg");
  const Copy copy(world, source, inspect(source).data_offset + 5000, 3); // a link of the first time slice
  const A grid = {1, 1, 1, world.size}, coord = {0, 0, 0, world.rank};
  const int local[4] = {4, 4, 4, 8 / world.size};
  const GaugeFile file = inspect(copy.path, mpi_combine(MPI_COMM_WORLD));
  try {
    read_gauge(file, local, grid.data(), coord.data(), mpi_combine(MPI_COMM_WORLD));
    ADD_FAILURE() << "rank " << world.rank << " read it";
  } catch (const FileError &error) {
    EXPECT_NE(std::string(error.what()).find("stored 6ec114e4 1777252a"), std::string::npos) << error.what();
  }
  int told = 0;
  EXPECT_NO_THROW(read_gauge(file, local, grid.data(), coord.data(), mpi_combine(MPI_COMM_WORLD),
                             [&](const std::string &) { told++; }));
  EXPECT_EQ(told, 1);
}

TEST(GaugeFileMpi, AllRefuseWhatOneRankCannotOpen)
{
  const World world;
  const std::string source = reference::own_data("beta6_4448.ildg");
  const bool blind = world.rank == world.size - 1;
  EXPECT_THROW(inspect(blind ? source + ".absent" : source, mpi_combine(MPI_COMM_WORLD)), FileError);

  GaugeFile file = inspect(source, mpi_combine(MPI_COMM_WORLD));
  if (blind) file.path += ".absent";
  const A grid = {1, 1, 1, world.size}, coord = {0, 0, 0, world.rank};
  const int local[4] = {4, 4, 4, 8 / world.size};
  try {
    read_gauge(file, local, grid.data(), coord.data(), mpi_combine(MPI_COMM_WORLD));
    ADD_FAILURE() << "rank " << world.rank << " read it";
  } catch (const FileError &error) {
    EXPECT_NE(std::string(error.what()).find(blind ? "cannot be opened" : "1 other ranks"), std::string::npos)
        << error.what();
  }
}
