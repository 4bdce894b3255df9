/// What quda_bench computes from times, names and sizes.

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "bench/arithmetic/caches.h"
#include "bench/arithmetic/case_list.h"
#include "bench/arithmetic/checksum.h"
#include "bench/arithmetic/ratios.h"

namespace
{

using namespace quda::bench;

constexpr std::size_t MB = std::size_t {1} << 20;

Checksum of(const std::vector<double> &numbers)
{
  Checksum sum;
  sum.add(numbers.data(), numbers.size());
  return sum;
}

TEST(Checksum, SeesOrderSignAndNumber)
{
  std::vector<double> numbers(1000);
  for (std::size_t i = 0; i < numbers.size(); i++) numbers[i] = std::sin(static_cast<double>(i));
  const Checksum right = of(numbers);
  EXPECT_TRUE(right.agrees(of(numbers), 0));
  for (std::size_t i = 1; i < numbers.size(); i++) {
    std::vector<double> wrong = numbers;
    std::swap(wrong[i - 1], wrong[i]);
    EXPECT_FALSE(right.agrees(of(wrong), 1e-9)) << i;
    wrong = numbers;
    wrong[i] = -wrong[i];
    EXPECT_FALSE(right.agrees(of(wrong), 1e-9)) << i;
  }
  numbers.push_back(0);
  EXPECT_FALSE(right.agrees(of(numbers), 1));
  EXPECT_FALSE(of({NAN}).agrees(of({NAN}), 1));
}

TEST(Checksum, LosesNothing)
{
  Checksum sum;
  sum.add(1e16);
  const double large = sum.value();
  for (int i = 0; i < 1000; i++) sum.add(0.25); // each less than half a unit in the last place; the mean weight is one
  EXPECT_NEAR(sum.value() - large, 250, 2);
}

TEST(Ratios, ASteadyDriftCancels)
{
  for (int round = 0; round < 2; round++) {
    const std::array<Side, 4> order = order_of(round);
    Round times {};
    int next[2] = {0, 0};
    int moments[2] = {0, 0};
    for (int moment = 0; moment < 4; moment++) {
      const int side = order[moment] == Side::after;
      const double speed = side ? 1.25 : 1;
      (side ? times.after : times.before)[next[side]++] = std::exp2(0.1 * moment) / speed;
      moments[side] += moment;
    }
    EXPECT_EQ(next[0], 2);
    EXPECT_EQ(next[1], 2);
    EXPECT_EQ(moments[0], moments[1]);
    EXPECT_NEAR(times.ratio(), 1.25, 1e-14);
  }
  EXPECT_NE(order_of(0)[0], order_of(1)[0]);
  EXPECT_EQ(order_of(2), order_of(0));
}

TEST(Ratios, FasterIsAboveOne)
{
  EXPECT_DOUBLE_EQ((Round {{2, 2}, {1, 1}}).ratio(), 2);
  EXPECT_DOUBLE_EQ((Round {{1, 1}, {2, 8}}).ratio(), 0.25);
}

TEST(Ratios, MedianAndBounds)
{
  const Summary five = summary({1.02, 0.98, 1.00, 1.10, 0.90});
  EXPECT_DOUBLE_EQ(five.median, 1.00);
  EXPECT_DOUBLE_EQ(five.least, 0.90);
  EXPECT_DOUBLE_EQ(five.most, 1.10);
  EXPECT_DOUBLE_EQ(five.at_most, 1.10); // all five on one side: one case in 32
  EXPECT_DOUBLE_EQ(five.at_least, 0.90);

  const Summary four = summary({4, 2, 3, 1});
  EXPECT_DOUBLE_EQ(four.median, 2.5);
  const Summary one = summary({0.5});
  EXPECT_DOUBLE_EQ(one.median, 0.5);
  EXPECT_DOUBLE_EQ(one.at_most, 0.5);

  const Summary ten = summary({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_DOUBLE_EQ(ten.at_most, 9); // nine or more of ten below: 11 cases in 1024
  EXPECT_DOUBLE_EQ(ten.at_least, 2);
}

TEST(Ratios, TheSignTestsTable)
{
  // smallest k with P(k or more of n) <= 1/20
  const int right[] = {1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15};
  for (int n = 1; n <= 20; n++) EXPECT_EQ(surprising(n), right[n - 1]) << n;
}

TEST(CaseList, NamesAndTables)
{
  const auto name = parse_case("wilson/cpu:avx512/single/12/16");
  ASSERT_TRUE(name);
  EXPECT_EQ(*name, (CaseName {"wilson", "cpu:avx512", "single", 12, 16}));
  EXPECT_EQ(name->text(), "wilson/cpu:avx512/single/12/16");
  for (const char *wrong : {"", "wilson", "wilson/cpu/single/12", "wilson/cpu/single/12/1/2", "wilson/cpu/single/x/1",
                            "wilson/cpu/single/12/1x", "/cpu/single/12/1", "wilson/cpu/single/12/", "a/b/c/0/1"})
    EXPECT_FALSE(parse_case(wrong)) << wrong;

  const auto list = parse_list("WARNING: no folder\n"
                               "a/cpu/double/18/1\n"
                               "b/cpu/single/12/4   1320 flops, links/site\n"
                               "\n"
                               "a/cpu/double/18/1\n");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].kernel, "a");
  EXPECT_EQ(list[1].nrhs, 4);
}

TEST(CaseList, WhatOneSideLacks)
{
  const auto before = parse_list("a/cpu/double/18/1\nb/cpu/double/18/1\n");
  const auto after = parse_list("c/cpu/double/18/1\nb/cpu/double/18/1\n");
  const Pairing pairing = pair_up(before, after);
  ASSERT_EQ(pairing.both.size(), 1u);
  EXPECT_EQ(pairing.both[0].kernel, "b");
  ASSERT_EQ(pairing.only_before.size(), 1u);
  EXPECT_EQ(pairing.only_before[0].kernel, "a");
  ASSERT_EQ(pairing.only_after.size(), 1u);
  EXPECT_EQ(pairing.only_after[0].kernel, "c");
}

TEST(CaseList, APatternOfOneName)
{
  EXPECT_EQ(exactly("a/cpu/double/18/1"), "^a/cpu/double/18/1$");
  EXPECT_EQ(exactly("a.b+c"), "^a\\.b\\+c$");
}

/// A folder like the one of the kernel.
class Sysfs
{
public:
  Sysfs()
  {
    char name[] = "/tmp/quda_caches_XXXXXX";
    root_ = mkdtemp(name);
  }
  ~Sysfs() { std::filesystem::remove_all(root_); }
  Sysfs(const Sysfs &) = delete;
  Sysfs &operator=(const Sysfs &) = delete;

  void add(int processor, int index, const char *type, int level, const char *size, const char *shared) const
  {
    const std::filesystem::path at =
        root_ / ("cpu" + std::to_string(processor)) / "cache" / ("index" + std::to_string(index));
    std::filesystem::create_directories(at);
    std::ofstream(at / "type") << type << "\n";
    std::ofstream(at / "level") << level << "\n";
    std::ofstream(at / "size") << size << "\n";
    std::ofstream(at / "shared_cpu_list") << shared << "\n";
  }
  std::string path() const { return root_.string(); }

private:
  std::filesystem::path root_;
};

TEST(Caches, OfFourProcessorsInTwoGroups)
{
  const Sysfs sysfs;
  for (int p = 0; p < 4; p++) {
    const std::string own = std::to_string(p);
    const char *group = p < 2 ? "0-1" : "2-3";
    sysfs.add(p, 0, "Data", 1, "32K", own.c_str());
    sysfs.add(p, 1, "Instruction", 1, "32K", own.c_str());
    sysfs.add(p, 2, "Unified", 2, "1024K", own.c_str());
    sysfs.add(p, 3, "Unified", 3, "32M", group);
  }
  const std::vector<Cache> caches = read_caches(sysfs.path(), 4);
  EXPECT_EQ(caches.size(), 10u); // four, four and two
  EXPECT_EQ(cache_sizes(caches, 1, 0).near, MB);
  EXPECT_EQ(cache_sizes(caches, 1, 0).last, 32 * MB);
  EXPECT_EQ(cache_sizes(caches, 4, 0).near, 4 * MB);
  EXPECT_EQ(cache_sizes(caches, 4, 0).last, 64 * MB);
  EXPECT_EQ(cache_sizes(caches, 100, 0).near, 4 * MB);
  EXPECT_EQ(read_caches(sysfs.path(), 1).size(), 3u);
}

TEST(Caches, WhereNothingIsKnown)
{
  EXPECT_TRUE(read_caches("/nonexistent", 4).empty());
  const CacheSizes sizes = cache_sizes({}, 4, 8 * MB);
  EXPECT_EQ(sizes.near, 0u);
  EXPECT_EQ(sizes.last, 8 * MB);
}

TEST(Caches, RoofOfAWorkingSet)
{
  const CacheSizes sizes {2 * MB, 32 * MB};
  EXPECT_EQ(roof_of(1e4, sizes), Roof::near);
  EXPECT_EQ(roof_of(2.0 * MB, sizes), Roof::near);
  EXPECT_EQ(roof_of(2.1 * MB, sizes), Roof::last);
  EXPECT_EQ(roof_of(32.0 * MB, sizes), Roof::last);
  EXPECT_EQ(roof_of(64.0 * MB, sizes), Roof::last); // part of it stays
  EXPECT_EQ(roof_of(65.0 * MB, sizes), Roof::memory);
  EXPECT_EQ(roof_of(1e3, {0, 32 * MB}), Roof::last);
}

TEST(Caches, StandardSetsAreNear)
{
  for (double set = 1e5; set < 1e8; set *= 1.01) {
    const double standard = static_cast<double>(standard_set(set));
    EXPECT_NEAR(standard / set, 1, 0.046) << set;
    EXPECT_EQ(standard_set(standard), standard_set(set));
  }
  EXPECT_EQ(standard_set(8.0 * MB), 8 * MB);
}

} // namespace
