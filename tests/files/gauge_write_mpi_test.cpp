// The writer of gauge files by several processes: the bytes that one process writes, and all refuse together.

#include <gtest/gtest.h>

#include <unistd.h>

#include <memory>

#include "files/gauge_file_mpi.h"
#include "written_fields.h"

using namespace quda_files;
using reference::Coords;

namespace
{

// A folder of the first rank's that all know.
class SharedFolder
{
public:
  SharedFolder()
  {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char name[200] = {};
    if (rank == 0) {
      own_ = std::make_unique<ScratchFolder>();
      own_->file("").copy(name, sizeof(name) - 1);
    }
    MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
    path = name;
  }
  ~SharedFolder() { MPI_Barrier(MPI_COMM_WORLD); }

  std::size_t files() const
  {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator()));
  }

  int rank = 0, size = 1;
  std::string path;

private:
  std::unique_ptr<ScratchFolder> own_;
};

const reference::Lattice lattice({4, 4, 6, 8});

struct Piece {
  Piece(int rank, int size)
      : grid(size == 4   ? Coords {1, 2, 1, 2}
             : size == 2 ? Coords {2, 1, 1, 1}
                         : Coords {1, 1, 1, size})
      , coord(size == 4   ? Coords {0, rank % 2, 0, rank / 2}
              : size == 2 ? Coords {rank, 0, 0, 0}
                          : Coords {0, 0, 0, rank})
      , part(lattice, grid, coord)
  {
  }
  void write(const std::string &path, const WriteOptions &options, const reference::QdpLinks<double> &links) const
  {
    write_gauge(path, options, part.local.X.data(), grid.data(), coord.data(), LinkPointers(links).p,
                mpi_combine(MPI_COMM_WORLD));
  }

  Coords grid, coord;
  reference::Part part;
};

} // namespace

TEST(GaugeWriteMpi, TheBytesOfOneProcess)
{
  const SharedFolder folder;
  if (folder.size > 4 || folder.size == 3) GTEST_SKIP() << "made for 1, 2 or 4 ranks";
  const reference::GaugeField field = reference::random_gauge(lattice, 15);
  const Piece piece(folder.rank, folder.size);
  for (const Variant &variant : variants) {
    const std::string path = folder.path + variant.name;
    piece.write(path, variant.options(), reference::to_qdp<double>(field, piece.part));
    if (folder.rank != 0) continue;
    write_gauge(path + ".one", variant.options(), lattice.X.data(), LinkPointers(reference::to_qdp<double>(field)).p);
    EXPECT_TRUE(content_of(path) == content_of(path + ".one")) << variant.name;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(folder.files(), 2 * std::size(variants));
}

TEST(GaugeWriteMpi, OneRanksFailureIsEveryones)
{
  const SharedFolder folder;
  if (folder.size > 4 || folder.size == 3) GTEST_SKIP() << "made for 1, 2 or 4 ranks";
  const Piece piece(folder.rank, folder.size);
  auto links = reference::to_qdp<double>(reference::random_gauge(lattice, 16), piece.part);
  const std::string path = folder.path + "configuration";
  piece.write(path, {}, links);
  const std::string before = content_of(path);
  MPI_Barrier(MPI_COMM_WORLD);
  const bool bad = folder.rank == folder.size - 1;
  if (bad) links[0][0] = 0.0 / 0.0;
  try {
    piece.write(path, {}, links);
    ADD_FAILURE() << "rank " << folder.rank << " wrote it";
  } catch (const FileError &error) {
    const std::string text = error.what(), wanted = bad ? "row 0, column 0 holds" : "1 other ranks could not write it";
    EXPECT_NE(text.find(wanted), std::string::npos) << text;
  }
  EXPECT_TRUE(content_of(path) == before);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(folder.files(), 1u);
}
