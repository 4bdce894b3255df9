/// The bits of what the library computes, through the C interface, against numbers.tsv: three configurations, double
/// and single, reconstruct 18 and 12, on every target of the program that this machine can run, untuned, tuned and with
/// launches forced by hand, with one and two threads, on every process grid. All of them give the same numbers.
///
/// numbers.tsv    : configuration, precision, reconstruct, what, 64-bit words in hexadecimal (bits/calculations.h)
/// hop_before.tsv : 24 numbers of a few sites of hop and matrix, as they were when numbers.tsv was made for the first
///                  time: the sums of the hop may be ordered anew, so the bits of these rows of numbers.tsv may be
///                  replaced, and must stay within 2e-15 (single: as many roundings) of these, relative to the norm of
///                  the site's spinor.
///
/// Both are written anew with QUDA_BITS_WRITE=FOLDER on one rank; only numbers.tsv is ever replaced. The source needs
/// nothing but public headers and files of tests/ and utils/, so that it can be linked with an older libquda.so for
/// that:
///   mpicxx -std=c++20 -O1 -Itests -Iinclude -Iutils -I/usr/include/eigen3 tests/bits/*.cpp tests/mpi_main.cpp
///     OLD/lib/libquda_files.a -LOLD/lib -lquda -lgtest -o bits
/// lat.sample.l8888, distributed with MILC, is looked for as other tests do (reference/test_data.h).

#include "bits/calculations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "files/gauge_file.h"
#include "quda.h"
#include "quda_ext.h"
#include "reference/test_data.h"

namespace
{

using bits::Case;
using bits::Configuration;
using bits::Results;
using bits::Row;
using bits::Words;
using reference::Coords;

int ranks()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

/// Process grids of this many ranks for a configuration.
std::vector<Coords> grids(const Configuration &configuration)
{
  static const std::map<std::string, std::map<int, std::vector<Coords>>> all = {
      {"l8888", {{1, {{1, 1, 1, 1}}}, {2, {{1, 1, 1, 2}}}, {4, {{2, 1, 1, 2}}}}},
      {"beta6", {{1, {{1, 1, 1, 1}}}, {2, {{2, 1, 1, 1}, {1, 1, 2, 1}}}, {4, {{2, 2, 1, 1}}}}},
      {"2468", {{1, {{1, 1, 1, 1}}}, {2, {{1, 2, 1, 1}, {1, 1, 1, 2}}}, {4, {{1, 2, 1, 2}, {1, 1, 1, 4}}}}}};
  return all.at(configuration.name).at(ranks());
}

Configuration of_file(const std::string &name, const std::string &path)
{
  Configuration configuration {name, {}, {}};
  const quda_files::GaugeFile file = quda_files::inspect(path);
  configuration.extents = file.dims;
  auto links = quda_files::read_gauge(file);
  for (int mu = 0; mu < 4; mu++) configuration.links[mu] = std::move(links[mu]);
  return configuration;
}

const std::string folder = std::string(QUDA_SOURCE_DIR) + "/tests/bits/";

std::map<std::string, Words> table(const std::string &file)
{
  std::map<std::string, Words> rows;
  std::ifstream in(folder + file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t end = line.rfind('\t');
    std::istringstream numbers(line.substr(end + 1));
    Words &words = rows[line.substr(0, end)];
    for (std::string number; numbers >> number;) words.push_back(std::stoull(number, nullptr, 16));
  }
  return rows;
}

std::string in_hexadecimal(const Words &words)
{
  std::string line;
  for (const std::uint64_t word : words) {
    char number[20];
    std::snprintf(number, sizeof number, "%s%016llx", line.empty() ? "" : " ", static_cast<unsigned long long>(word));
    line += number;
  }
  return line;
}

/// Every row of the case stands in numbers.tsv with these words, and none of it was left out.
void compare(const Case &which, const Results &results)
{
  static const std::map<std::string, Words> numbers = table("numbers.tsv"), before = table("hop_before.tsv");
  const std::string own = which.name() + "\t";
  std::size_t expected = 0;
  for (const auto &[name, words] : numbers) expected += name.compare(0, own.size(), own) == 0;
  EXPECT_EQ(results.numbers.size(), expected) << which.name();
  for (const Row &row : results.numbers) {
    const auto found = numbers.find(row.name);
    ASSERT_NE(found, numbers.end()) << row.name << " is not in numbers.tsv";
    EXPECT_EQ(in_hexadecimal(row.words), in_hexadecimal(found->second)) << row.name;
  }
  for (const Row &row : results.samples) {
    const auto found = before.find(row.name);
    ASSERT_NE(found, before.end()) << row.name << " is not in hop_before.tsv";
    ASSERT_EQ(row.words.size(), found->second.size());
    double norm = 0, largest = 0;
    for (std::size_t k = 0; k < row.words.size(); k++) {
      const double old = std::bit_cast<double>(found->second[k]), now = std::bit_cast<double>(row.words[k]);
      norm += old * old;
      const double difference = std::abs(now - old);
      if (!(difference <= largest)) largest = difference;
    }
    EXPECT_LE(largest / std::sqrt(norm), which.single ? 2e-15 * 0x1p29 : 2e-15) << row.name;
  }
}

std::string told; // by the library, since it was last cleared
QudaErrorKind told_kind;

void keep(QudaErrorKind kind, const char *message, void *)
{
  told += message;
  told_kind = kind;
}

/// How the library is started.
struct Start {
  const char *target, *tuning, *force;
};

/// Whether the library started: it refuses targets that this program or machine lacks.
bool started(const Start &start, const Coords &grid)
{
  setenv("QUDA_TARGET", start.target, 1);
  setenv("QUDA_ENABLE_TUNING", start.tuning, 1);
  setenv("QUDA_TUNE_SHARE", "0", 1); // at the first launch
  setenv("QUDA_TUNE_FORCE", start.force, 1);
  unsetenv("QUDA_RESOURCE_PATH");
  setVerbosityQuda(QUDA_SILENT, "", nullptr);
  told.clear();
  told_kind = QUDA_ERROR_KIND_NONE;
  initCommsGridQuda(4, grid.data(), nullptr, nullptr);
  initQuda(-1);
  if (told.empty()) return true;
  EXPECT_NE(told.find("QUDA_TARGET"), std::string::npos) << told;
  EXPECT_TRUE(told_kind == QUDA_ERROR_KIND_NOT_BUILT || told_kind == QUDA_ERROR_KIND_DEVICE ||
              (told_kind == QUDA_ERROR_KIND_BAD_ARGUMENT && start.target == std::string("fiber")))
      << told;
  endQuda();
  told.clear();
  return false;
}

std::vector<Case> cases_of(const Configuration &configuration)
{
  std::vector<Case> cases;
  for (const bool single : {false, true})
    for (const int reconstruct : {18, 12}) cases.push_back({&configuration, single, reconstruct});
  return cases;
}

/// These cases of a configuration on these grids; how often the library could be started so.
int on_all_targets(const std::vector<Case> &cases, const std::vector<Coords> &on, const std::vector<Start> &starts)
{
  int n = 0;
  qudaSetErrorHandler(keep, nullptr);
  for (const Start &start : starts)
    for (const Coords &grid : on) {
      if (!started(start, grid)) continue;
      n++;
      for (const Case &which : cases) {
        SCOPED_TRACE(testing::Message() << "target " << start.target << ", tuning " << start.tuning << ", forced \""
                                        << start.force << "\", grid " << grid[0] << grid[1] << grid[2] << grid[3]);
        compare(which, bits::calculate(which, grid));
        EXPECT_EQ(told, "");
      }
      endQuda();
    }
  qudaSetErrorHandler(nullptr, nullptr);
  return n;
}

const std::vector<Start> plain = {{"cpu:avx512", "0", ""}, {"cpu:avx2", "0", ""}, {"cuda", "0", ""}},
                         with_fibers = {
                             {"cpu:avx512", "0", ""}, {"cpu:avx2", "0", ""}, {"cuda", "0", ""}, {"fiber", "0", ""}};

/// Launches that differ in all that can be chosen. On a scalar target tile is a block's extent.
std::vector<Start> forced()
{
  std::vector<Start> all;
  for (const char *target : {"cpu:avx512", "cpu:avx2"})
    for (const char *force : {"tile=3,threads=2,schedule=1,prefetch=4", "tile=64,threads=2,streaming=1,prefetch=1",
                              "tile=1,threads=1", "tile=16,threads=1,streaming=1,schedule=1"}) {
      if (ranks() > 1 && std::string(force).find("threads=1") != std::string::npos) continue;
      all.push_back({target, "1", force});
    }
  if (ranks() == 1) all.push_back({"fiber", "1", "tile=64"});
  return all;
}

const Configuration random_links {"2468", {2, 4, 6, 8}, {}};

void all_cases(const Configuration &configuration, const std::vector<Start> &starts)
{
  EXPECT_GE(on_all_targets(cases_of(configuration), grids(configuration), starts), 1);
}

} // namespace

TEST(Bits, OfAConfigurationOfMilc)
{
  const std::string path = reference::test_data("lat.sample.l8888");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "there is no " << path << "; QUDA_TEST_DATA names its folder";
  all_cases(of_file("l8888", path), plain);
}

TEST(Bits, OfAConfigurationOfOurs) { all_cases(of_file("beta6", reference::own_data("beta6_4448.ildg")), with_fibers); }

TEST(Bits, OfRandomLinks) { all_cases(random_links, with_fibers); }

TEST(Bits, OfLaunchesByHand)
{
  EXPECT_GE(on_all_targets(cases_of(random_links), {grids(random_links).front()}, forced()), 1);
}

TEST(Bits, OfTunedLaunches)
{
  if (ranks() > 1) GTEST_SKIP() << "one rank measures for all; tests/tune has that";
  const std::vector<Case> cases = {{&random_links, false, 18}, {&random_links, true, 12}};
  EXPECT_GE(on_all_targets(cases, {{1, 1, 1, 1}}, {{"cpu:avx512", "1", ""}, {"cpu:avx2", "1", ""}}), 1);
}

TEST(Bits, Written)
{
  const char *to = std::getenv("QUDA_BITS_WRITE");
  if (!to || ranks() > 1) GTEST_SKIP() << "numbers are written where QUDA_BITS_WRITE names a folder, on one rank";
  std::ofstream numbers(std::string(to) + "/numbers.tsv"), samples(std::string(to) + "/hop_before.tsv");
  const Configuration all[] = {of_file("l8888", reference::test_data("lat.sample.l8888")),
                               of_file("beta6", reference::own_data("beta6_4448.ildg")),
                               {"2468", {2, 4, 6, 8}, {}}};
  qudaSetErrorHandler(keep, nullptr);
  ASSERT_TRUE(started({"auto", "0", ""}, {1, 1, 1, 1}));
  for (const Configuration &configuration : all)
    for (const Case &which : cases_of(configuration)) {
      const Results results = bits::calculate(which, {1, 1, 1, 1});
      for (const Row &row : results.numbers) numbers << row.name << '\t' << in_hexadecimal(row.words) << '\n';
      for (const Row &row : results.samples) samples << row.name << '\t' << in_hexadecimal(row.words) << '\n';
    }
  endQuda();
  EXPECT_EQ(told, "");
  qudaSetErrorHandler(nullptr, nullptr);
}
