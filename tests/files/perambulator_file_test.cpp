// Files of perambulators: the bits come back, damaged ones are refused with a reason that names the file, and a write
// that fails leaves the old file as it was.

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <random>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/perambulator_file.h"
#include "support/scratch_folder.h"

using namespace quda_files;

namespace
{

class PerambulatorFile : public ::testing::Test
{
protected:
  static Perambulators made(unsigned seed)
  {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    Perambulators all;
    all.lattice = {4, 4, 2, 6};
    all.boundary = "antiperiodic in t";
    all.matrix = "wilson, kappa: 0.12 <& more>";
    all.vectors = "3 low modes";
    all.vector_sums = {0xdeadbeef, 7};
    all.n_vectors = 3;
    all.residual = 1.25e-11;
    all.sources = {1, 4};
    for (std::size_t i = 0; i < all.columns() * all.of_source(); i++)
      all.numbers.emplace_back(number(random), number(random));
    all.numbers[5] = {-0.0, NAN};
    return all;
  }
  static void expect_same(const Perambulators &a, const Perambulators &b)
  {
    EXPECT_EQ(a.lattice, b.lattice);
    EXPECT_EQ(a.boundary, b.boundary);
    EXPECT_EQ(a.matrix, b.matrix);
    EXPECT_EQ(a.vectors, b.vectors);
    EXPECT_EQ(a.vector_sums, b.vector_sums);
    EXPECT_EQ(a.n_vectors, b.n_vectors);
    EXPECT_EQ(a.residual, b.residual);
    EXPECT_EQ(a.sources, b.sources);
    ASSERT_EQ(a.numbers.size(), b.numbers.size());
    EXPECT_EQ(std::memcmp(a.numbers.data(), b.numbers.data(), a.numbers.size() * sizeof(a.numbers[0])), 0);
  }
  std::string content() const { return folder.read("perambulators"); }
  void put(const std::string &bytes) const { folder.write("perambulators", bytes); }
  /// What reading says; empty: nothing is wrong.
  std::string said() const
  {
    try {
      read_perambulators(path);
    } catch (const FileError &error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(path)) << error.what();
      return error.what();
    }
    return {};
  }

  ScratchFolder folder;
  const std::string path = folder.file("perambulators");
};

} // namespace

TEST_F(PerambulatorFile, BitsComeBack)
{
  const Perambulators all = made(1);
  write_perambulators(path, all);
  expect_same(read_perambulators(path), all);
  // (t0, vector, spin; vector, t, spin)
  EXPECT_EQ(all.at(1, 2, 3, 0, 5, 1), all.numbers[((((1 * 3 + 2) * 4 + 3) * 3 + 0) * 6 + 5) * 4 + 1]);
}

/// Cut anywhere, or with one bit turned in what is numbers, the file is refused.
TEST_F(PerambulatorFile, DamageIsFound)
{
  write_perambulators(path, made(2));
  const std::string good = content();
  std::mt19937 random(3);
  for (int i = 0; i < 100; i++) {
    put(good.substr(0, random() % (good.size() - 8)));
    EXPECT_NE(said(), "") << i;
  }
  const std::size_t data = good.find("libquda-perambulator-data") + 128, bytes = 16 * made(2).numbers.size();
  for (int i = 0; i < 100; i++) {
    std::string bad = good;
    bad[data + random() % bytes] ^= static_cast<char>(1 << random() % 8);
    put(bad);
    EXPECT_NE(said().find("is damaged: checksum"), std::string::npos) << i;
  }
  const struct {
    std::string old, piece, reason;
  } others[] = {{"<n_vectors>3", "<n_vectors>4", "4 vectors, 2 sources and 6 time slices"},
                {"<n_vectors>3", "<n_vectors>0", "<n_vectors> '0'"},
                {"<lattice>4 4 2 6", "<lattice>4 4 2 9", "9 time slices"},
                {"<lattice>4 4 2 6", "<lattice>4 4 x 6", "<lattice> 'x'"},
                {"<sources>1 4", "<sources>1 6", "<sources> '6'"},
                {"<sources>1 4", "<sources>1  ", "1 sources"},
                {"<version>1", "<version>2", "<version> '2'"},
                {"DeGrand-Rossi", "DeGrand-Rosso", "<basis>"},
                {"<residual>", "<residuum>", "no element <residual>"},
                {"libquda-perambulators", "libquda-perambulatorz", "no file of perambulators"},
                {"scidac-checksum", "scidac-checksam", "no file of perambulators"}};
  for (const auto &[old, piece, reason] : others) {
    std::string bad = good;
    bad.replace(bad.find(old), old.size(), piece);
    put(bad);
    EXPECT_NE(said().find(reason), std::string::npos) << piece << ": " << said();
  }
}

TEST_F(PerambulatorFile, FailedWritesLeaveWhatWasThere)
{
  const Perambulators old = made(4);
  write_perambulators(path, old);
  Perambulators other = made(5);
  other.numbers.pop_back();
  EXPECT_THROW(write_perambulators(path, other), FileError);
  EXPECT_THROW(write_perambulators(folder.file("no/such/folder"), old), FileError);
  // out of space
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit {4096, 4096};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_perambulators(path, made(5));
    } catch (const FileError &) {
      _exit(7);
    }
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  expect_same(read_perambulators(path), old);
  EXPECT_EQ(folder.names().size(), 1U) << "a temporary file is left";
}
