// Writes that end too early, killed or out of space, leave the old file as it was.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <random>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/gauge_file.h"
#include "written_fields.h"

using namespace quda_files;

namespace
{

class InterruptedWrite : public ::testing::Test
{
protected:
  // Field number i: a small change of one, so that making it takes no time.
  reference::QdpLinks<double> links_of(int i) const
  {
    reference::QdpLinks<double> links = base;
    links[0][0] = i;
    return links;
  }

  void write(int i, const WriteOptions &options = {})
  {
    write_gauge(path, options, lattice.X.data(), LinkPointers(links_of(i)).p);
  }

  // The number of the field in the file, which must be whole.
  int number()
  {
    const auto links = read_gauge(inspect(path));
    const int i = static_cast<int>(links[0][0]);
    EXPECT_EQ(links, links_of(i));
    return i;
  }

  const reference::Lattice lattice {{8, 8, 8, 4}};
  const reference::QdpLinks<double> base = reference::to_qdp<double>(reference::random_gauge(lattice, 14));
  ScratchFolder folder;
  const std::string path = folder.file("configuration");
};

} // namespace

TEST_F(InterruptedWrite, KilledAtAnyMoment)
{
  std::mt19937 random(77);
  const auto start = std::chrono::steady_clock::now();
  write(0);
  const std::chrono::duration<double, std::micro> one = std::chrono::steady_clock::now() - start;
  std::uniform_int_distribution<useconds_t> moment(500, 2000 + static_cast<useconds_t>(8 * one.count()));
  // how many kills meet a write depends on what else the machine does
  constexpr int enough = 20, least = 30, most = 600;
  int last = 0, in_midst = 0;
  for (int round = 0; round < most && (round < least || in_midst < enough || last == 0); round++) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      for (int i = last + 1;; i++) write(i); // until it is killed
    usleep(moment(random));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "round " << round << ": it ended by itself";

    const int now = number();
    EXPECT_GE(now, last) << "round " << round;
    last = now;
    for (const std::string &name : folder.names()) {
      if (name == "configuration") continue;
      EXPECT_EQ(name.substr(name.size() - 5), ".part");
      std::filesystem::remove(folder.file(name));
      in_midst++;
    }
  }
  EXPECT_GE(in_midst, enough) << "kills found a write under way";
  EXPECT_GT(last, 0) << "no write came to its end";
}

TEST_F(InterruptedWrite, ADiskThatIsFull)
{
  // The limit of a file's size stands for the disk's: writes beyond it fail likewise.
  write(1);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  const std::uint64_t whole = content_of(path).size();
  for (const std::uint64_t bytes : {std::uint64_t(0), std::uint64_t(100), whole / 3, whole - 1}) {
    rlimit limit = before;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string text;
    try {
      write(2);
    } catch (const FileError &error) {
      text = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(text.rfind(path + ": writing ", 0), 0u) << text;
    EXPECT_NE(text.find("failed: File too large"), std::string::npos) << text;
    EXPECT_EQ(number(), 1) << bytes << " bytes allowed";
    EXPECT_EQ(folder.names().size(), 1u) << folder.names()[1];
  }
  std::signal(SIGXFSZ, ignored);
  write(3);
  EXPECT_EQ(number(), 3);
}
