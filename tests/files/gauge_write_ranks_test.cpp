// The writer at several ranks, here threads: the same bytes as from one rank, and one rank's failure is everyone's.

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "files/gauge_file.h"
#include "thread_ranks.h"
#include "written_fields.h"

using namespace quda_files;
using reference::Coords;
using reference::Lattice;

namespace
{

class GaugeWriteRanks : public ::testing::Test
{
protected:
  static Coords local_of(const Lattice &lattice, const Coords &grid)
  {
    return {lattice.X[0] / grid[0], lattice.X[1] / grid[1], lattice.X[2] / grid[2], lattice.X[3] / grid[3]};
  }

  // Every rank's refusal; empty where it wrote.
  std::vector<std::string> write(const std::string &path, const WriteOptions &options, const Coords &grid,
                                 const std::function<void(const Coords &, reference::QdpLinks<double> &)> &change = {})
  {
    std::vector<std::string> texts;
    std::mutex mutex;
    const Coords local = local_of(lattice, grid);
    ThreadRanks(grid).run([&](const Coords &coord, const Combine &combine) {
      auto links = reference::to_qdp<double>(field, reference::Part(lattice, grid, coord));
      if (change) change(coord, links);
      std::string text;
      try {
        write_gauge(path, options, local.data(), grid.data(), coord.data(), LinkPointers(links).p, combine);
      } catch (const FileError &error) {
        text = error.what();
      }
      const std::lock_guard<std::mutex> lock(mutex);
      texts.push_back(text);
    });
    return texts;
  }

  const Lattice lattice {{4, 4, 6, 8}};
  const reference::GaugeField field = reference::random_gauge(lattice, 12);
  ScratchFolder folder;
};

} // namespace

TEST_F(GaugeWriteRanks, TheBytesOfOneRank)
{
  for (const Variant &variant : variants) {
    write(folder.file("one"), variant.options(), {1, 1, 1, 1});
    const std::string one = content_of(folder.file("one"));
    ASSERT_FALSE(one.empty());
    for (const Coords &grid :
         {Coords {2, 1, 1, 1}, Coords {1, 2, 1, 2}, Coords {2, 2, 1, 1}, Coords {1, 1, 3, 2}, Coords {1, 1, 1, 4}}) {
      for (const std::string &text : write(folder.file("many"), variant.options(), grid)) EXPECT_EQ(text, "");
      EXPECT_TRUE(content_of(folder.file("many")) == one)
          << variant.name << ", grid " << grid[0] << grid[1] << grid[2] << grid[3];
      std::filesystem::remove(folder.file("many"));
    }
  }
}

TEST_F(GaugeWriteRanks, NameAndDateAreTheFirstRanks)
{
  // Were ranks to take their own, they would not find the file, and their heads could differ in length.
  for (const std::string &text : write(folder.file("dated"), {}, {1, 2, 1, 2})) EXPECT_EQ(text, "");
  EXPECT_EQ(reference::from_qdp(lattice, read_gauge(inspect(folder.file("dated")))).U, field.U);
}

TEST_F(GaugeWriteRanks, OneRanksFailureIsEveryones)
{
  write(folder.file("target"), {}, {1, 1, 1, 1});
  const std::string before = content_of(folder.file("target"));
  for (const Coords &failing : {Coords {0, 0, 0, 0}, Coords {0, 1, 0, 1}}) {
    const auto texts = write(folder.file("target"), {}, {1, 2, 1, 2}, [&](const Coords &coord, auto &links) {
      if (coord == failing) links[1][77] = 1.0 / 0.0;
    });
    ASSERT_EQ(texts.size(), 4u);
    int own = 0, others = 0;
    for (const std::string &text : texts) {
      EXPECT_EQ(text.rfind(folder.file("target") + ": ", 0), 0u) << text;
      own += text.find("direction y, row 0, column 2 holds inf") != std::string::npos;
      others += text.find("1 other ranks could not write it") != std::string::npos;
    }
    EXPECT_EQ(own, 1);
    EXPECT_EQ(others, 3);
    EXPECT_TRUE(content_of(folder.file("target")) == before);
    EXPECT_EQ(folder.names().size(), 1u) << folder.names()[1];
  }
}

TEST_F(GaugeWriteRanks, AFolderThatOneRankCannotSee)
{
  // One rank's path is another's: as where the ranks' machines share no file system.
  const Coords grid = {1, 1, 1, 2}, local = local_of(lattice, grid);
  std::atomic<int> refused = 0;
  ThreadRanks(grid).run([&](const Coords &coord, const Combine &combine) {
    const auto links = reference::to_qdp<double>(field, reference::Part(lattice, grid, coord));
    const std::string path = folder.file(coord[3] == 0 ? "target" : "absent/target");
    try {
      write_gauge(path, {}, local.data(), grid.data(), coord.data(), LinkPointers(links).p, combine);
    } catch (const FileError &error) {
      const std::string wanted = coord[3] == 0 ? "1 other ranks" : "cannot be opened: No such file or directory";
      EXPECT_NE(std::string(error.what()).find(wanted), std::string::npos) << error.what();
      refused++;
    }
  });
  EXPECT_EQ(refused, 2);
  EXPECT_TRUE(folder.names().empty());
}
