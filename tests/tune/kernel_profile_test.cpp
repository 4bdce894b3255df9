/// profile_N.tsv: columns, order, shares, and the names of the files.

#include <gtest/gtest.h>

#include "core/captured_log.h"
#include "core/environment_support.h"
#include "fake_kernel.h"
#include "support/scratch_folder.h"
#include "tune/kernel_profile.h"
#include "tune/tune_cache.h"

using namespace quda;

namespace
{

class KernelProfile : public testing::Test
{
protected:
  void SetUp() override
  {
    reset_kernel_times();
    load_tune_cache(*communicator);
  }
  void run(const char *name, int calls, double seconds)
  {
    FakeKernel kernel = fake_kernel(takes(seconds), name);
    for (int i = 0; i < calls; i++) kernel.apply();
  }
  static void run_as(const char *aux, double seconds)
  {
    TuneKey key;
    std::snprintf(key.volume, sizeof key.volume, "4x4x4x4");
    std::snprintf(key.name, sizeof key.name, "Policy");
    std::snprintf(key.aux, sizeof key.aux, "%s", aux);
    kernel_time(key).calls++;
    kernel_time(key).seconds += seconds;
  }
  /// The only file whose name ends so, without the numbers of files that other tests wrote.
  std::string only(const std::string &start, const std::string &end)
  {
    std::string found;
    for (const std::string &name : folder.names())
      if (name.compare(0, start.size(), start) == 0 && name.size() >= end.size() &&
          name.compare(name.size() - end.size(), end.size(), end) == 0 &&
          name.find_first_not_of("0123456789", start.size()) == name.size() - end.size())
        found = name;
    return found;
  }

  ScratchFolder folder;
  Variable path {"QUDA_RESOURCE_PATH", folder.path()};
  Variable users {"QUDA_ENABLE_USER_CACHE", "0"};
  Variable tuning {"QUDA_ENABLE_TUNING", nullptr};
  Variable share {"QUDA_TUNE_SHARE", "0"};
  Variable base {"QUDA_PROFILE_OUTPUT_BASE", nullptr};
  FakeClock clock;
  CapturedLog log;
  std::shared_ptr<Communicator> communicator = make_single_communicator();
};

} // namespace

TEST_F(KernelProfile, CountsCallsNotTuning)
{
  run("Slow", 3, 0.25);
  run("Fast", 4, 1.0 / 16);
  const auto times = kernel_times();
  ASSERT_EQ(times.size(), 2u);
  EXPECT_STREQ(times[0]->key.name, "Slow");
  EXPECT_EQ(times[0]->calls, 3);
  EXPECT_NEAR(times[0]->seconds, 0.75, 1e-9);
  EXPECT_EQ(times[0]->flops, 6000);
  EXPECT_EQ(times[0]->bytes, 3000);
  EXPECT_EQ(times[1]->calls, 4);
  EXPECT_NEAR(times[1]->seconds, 0.25, 1e-9);
  reset_kernel_times();
  EXPECT_TRUE(kernel_times().empty());
  run("Fast", 1, 1.0 / 16);
  EXPECT_EQ(kernel_times().size(), 1u);
}

TEST_F(KernelProfile, CountsUntunedLaunches)
{
  const Variable off("QUDA_ENABLE_TUNING", "0");
  load_tune_cache(*communicator);
  run("Slow", 3, 0.25);
  ASSERT_EQ(kernel_times().size(), 1u);
  EXPECT_EQ(kernel_times()[0]->calls, 3);
}

TEST_F(KernelProfile, FilesAreTheUsualOnes)
{
  run("Fast", 4, 1.0 / 16);
  run("Slow", 3, 0.25);
  run_as("policy,a", 0.5);
  run_as("policy_kernel,b", 0.125);
  run_as("nested,c", 0.125);
  save_kernel_profile();
  const std::string name = only("profile_", ".tsv"), async = only("profile_async_", ".tsv");
  ASSERT_NE(name, "");
  ASSERT_NE(async, "");
  EXPECT_EQ(folder.names().size(), 2u);
  EXPECT_EQ(name.substr(8), async.substr(14));

  const auto lines = lines_of(folder.read(name.c_str()));
  ASSERT_EQ(lines.size(), 8u);
  const auto heading = columns_of(lines[0]);
  ASSERT_EQ(heading.size(), 5u);
  EXPECT_EQ(heading[0], "profile");
  EXPECT_EQ(heading[2], "libquda-1.1.0");
  EXPECT_EQ(lines[1], "");
  EXPECT_EQ(lines[2],
            "  total time\t     percent\tcum. percent\t       calls\t time / call\t          volume\tname\taux\t"
            "comment");
  const auto first = columns_of(lines[3]), second = columns_of(lines[4]), third = columns_of(lines[5]);
  ASSERT_EQ(first.size(), 9u);
  EXPECT_EQ(first[0], "        0.75");
  EXPECT_EQ(first[1], "          60");
  EXPECT_EQ(first[2], "          60");
  EXPECT_EQ(first[3], "           3");
  EXPECT_EQ(first[4], "        0.25");
  EXPECT_EQ(first[5], "     16x16x16x16");
  EXPECT_EQ(first[6], "Slow");
  EXPECT_EQ(second[6], "Fast");
  EXPECT_EQ(second[2], "          80");
  EXPECT_EQ(third[7], "policy_kernel,b");
  EXPECT_EQ(lines[6], "");
  EXPECT_EQ(lines[7], "# Total time spent in kernels = 1.25 seconds");

  const auto waits = lines_of(folder.read(async.c_str()));
  ASSERT_EQ(waits.size(), 6u);
  EXPECT_EQ(columns_of(waits[3])[7], "policy,a");
  EXPECT_EQ(waits[5], "# Total time spent in asynchronous execution = 0.5 seconds");
}

TEST_F(KernelProfile, NamesCountUpAndTakeABase)
{
  run("Slow", 1, 0.25);
  save_kernel_profile();
  const int n = std::stoi(only("profile_", ".tsv").substr(8));
  const Variable named("QUDA_PROFILE_OUTPUT_BASE", "run7");
  save_kernel_profile();
  EXPECT_TRUE(folder.has(("run7_" + std::to_string(n + 1) + ".tsv").c_str()));
  EXPECT_TRUE(folder.has(("run7_" + std::to_string(n + 1) + "_async.tsv").c_str()));
}

/// Who asks for no profile hears of none.
TEST_F(KernelProfile, NoFolder)
{
  const Variable nowhere("QUDA_RESOURCE_PATH", nullptr);
  load_tune_cache(*communicator);
  save_kernel_profile();
  EXPECT_EQ(log.text().find("rofile"), std::string::npos) << log.text();
  const Variable named("QUDA_PROFILE_OUTPUT_BASE", "run7");
  save_kernel_profile();
  EXPECT_NE(log.text().find("no profile is stored"), std::string::npos);
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(KernelProfile, EmptyProfileIsWhole)
{
  save_kernel_profile();
  const auto lines = lines_of(folder.read(only("profile_", ".tsv").c_str()));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[4], "# Total time spent in kernels = 0 seconds");
}
