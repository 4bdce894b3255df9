/// Tuning on several ranks: all launch with the tuning rank's choice, whoever knows what; nothing waits forever.

#include <mpi.h>

#include <algorithm>

#include <gtest/gtest.h>

#include "core/captured_log.h"
#include "core/environment_support.h"
#include "core/error.h"
#include "fake_kernel.h"
#include "support/refused.h"
#include "support/scratch_folder.h"
#include "targets/target.h"
#include "tune/tune_cache.h"
#include "tune/tune_file.h"

using namespace quda;

namespace
{

std::shared_ptr<Communicator> world()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const int extent[4] = {1, 1, 1, n};
  return make_communicator(extent);
}

/// Each rank would take another tile, powers of four.
FakeKernel kernel_of(const std::shared_ptr<Communicator> &communicator, const char *name, int preferred)
{
  return fake_kernel([=](const TuneParam &tp) { return tp.block[0] == preferred ? 1e-5 : 3e-5; }, name, communicator);
}

class TuningOfRanks : public testing::Test
{
protected:
  void SetUp() override
  {
    // one folder for all ranks, made by the first
    char name[64] = {};
    if (all->rank() == 0) {
      folder = std::make_unique<ScratchFolder>();
      std::snprintf(name, sizeof name, "%s", folder->path());
    }
    all->broadcast(name, sizeof name, 0);
    path.set(name);
    load_tune_cache(*all);
  }
  void TearDown() override { all->barrier(); }

  /// The tile launched with here, and that all ranks of the communicator launched with it.
  int tile(FakeKernel &kernel)
  {
    kernel.apply();
    double least = kernel.last.block[0], most = least;
    kernel.communicator().min(&least, 1);
    kernel.communicator().max(&most, 1);
    EXPECT_EQ(least, most);
    return kernel.last.block[0];
  }

  std::shared_ptr<Communicator> all = world();
  std::unique_ptr<ScratchFolder> folder;
  Variable path {"QUDA_RESOURCE_PATH", nullptr};
  Variable users {"QUDA_ENABLE_USER_CACHE", "0"};
  Variable tuning_rank {"QUDA_TUNING_RANK", nullptr};
  Variable share {"QUDA_TUNE_SHARE", "0"};
  FakeClock clock;
  CapturedLog log;
  int own = 1 << 2 * (all->rank() + 1);
};

} // namespace

TEST_F(TuningOfRanks, OneTunesAllUse)
{
  FakeKernel kernel = kernel_of(all, "Common", own);
  EXPECT_EQ(tile(kernel), 4);
  EXPECT_EQ(kernel.launches > 1, all->rank() == 0);
  kernel.launches = 0;
  EXPECT_EQ(tile(kernel), 4);
  EXPECT_EQ(kernel.launches, 1);
}

/// Whether launches have run long enough is the tuning rank's to say, however fast the others are.
TEST_F(TuningOfRanks, AllWaitAsLongAsOne)
{
  share.set("30");
  load_tune_cache(*all);
  const double seconds = 1e-4 / (1 + all->rank());
  FakeKernel kernel = fake_kernel(takes(seconds), "Waiting", all);
  for (int calls = 0; calls < 1 << 13; calls++) kernel.apply();
  EXPECT_EQ(kernel.seen.size() > 2, all->rank() == 0) << "it is the one that measures";
}

TEST_F(TuningOfRanks, AnotherRankTunes)
{
  // of the first rank's environment, whatever the others have
  tuning_rank.set(all->rank() == 0 ? "1" : "0");
  load_tune_cache(*all);
  FakeKernel kernel = kernel_of(all, "Common", own);
  EXPECT_EQ(tile(kernel), all->size() > 1 ? 16 : 4);
  save_tune_cache();
  if (folder) {
    EXPECT_EQ(parse_tune_file(folder->read("tunecache.tsv")).rows.size(), 1u);
  }
}

TEST_F(TuningOfRanks, SecondRunTunesNothing)
{
  FakeKernel kernel = kernel_of(all, "Common", own);
  tile(kernel);
  save_tune_cache();
  load_tune_cache(*all);
  FakeKernel again = kernel_of(all, "Common", 64);
  EXPECT_EQ(tile(again), 4);
  EXPECT_EQ(again.launches, 1);
  if (folder) {
    EXPECT_EQ(parse_tune_file(folder->read("tunecache.tsv")).rows.size(), 1u);
  }
}

TEST_F(TuningOfRanks, OnlyTheFirstRankWrites)
{
  if (all->size() == 1) GTEST_SKIP() << "one rank";
  path.set(nullptr);
  std::unique_ptr<ScratchFolder> mine = std::make_unique<ScratchFolder>();
  path.set(mine->path());
  load_tune_cache(*all);
  FakeKernel kernel = kernel_of(all, "Common", own);
  tile(kernel);
  save_tune_cache();
  save_tune_cache(TuneSave::after_error);
  EXPECT_EQ(mine->has("tunecache.tsv"), all->rank() == 0);
  EXPECT_EQ(mine->has("tunecache_error.tsv"), all->rank() == 0);
}

TEST_F(TuningOfRanks, TwoCommunicatorsAtOnce)
{
  if (all->size() == 1) GTEST_SKIP() << "one rank";
  const int half = all->rank() * 2 / all->size();
  const int extent[4] = {1, 1, 1, all->size() / 2};
  const auto part = all->split(half, all->rank(), extent);
  // known to the lower half alone: it comes to the common launch with a key the others have not met
  if (half == 0) {
    FakeKernel early = kernel_of(part, "Early", own);
    tile(early);
  }
  FakeKernel common = kernel_of(all, "Early", 32);
  EXPECT_EQ(tile(common), 4);
  EXPECT_EQ(common.launches, 1); // the first rank knew it
  // and the other way round: known to all together, then launched by the halves
  FakeKernel late = kernel_of(all, "Late", own);
  tile(late);
  FakeKernel parted = kernel_of(part, "Late", 32);
  EXPECT_EQ(tile(parted), part->size() * 2 == all->size() ? 4 : 0);
  // in different orders
  FakeKernel a = kernel_of(part, "A", own), b = kernel_of(part, "B", own);
  if (half == 0) tile(a);
  tile(b);
  if (half == 1) tile(a);
  FakeKernel b_all = kernel_of(all, "B", own), a_all = kernel_of(all, "A", own);
  EXPECT_EQ(tile(a_all), 4);
  EXPECT_EQ(tile(b_all), 4);
  save_tune_cache();
  if (folder) {
    EXPECT_EQ(parse_tune_file(folder->read("tunecache.tsv")).rows.size(), 4u);
  }
}

TEST_F(TuningOfRanks, NewCommunicatorsAreNotTakenForFormerOnes)
{
  for (int i = 0; i < 8; i++) {
    auto again = world();
    FakeKernel kernel = kernel_of(again, "Common", own);
    EXPECT_EQ(tile(kernel), 4);
    if (i % 2 == all->rank() % 2) {
      // one rank more or less of its own, so that addresses differ between ranks
      auto alone = make_single_communicator();
      FakeKernel local = kernel_of(alone, "Local", own);
      local.apply();
    }
  }
}

TEST_F(TuningOfRanks, LaunchesOfSomeRanks)
{
  FakeKernel alone = kernel_of(all, "Alone", own);
  alone.together = false;
  if (all->rank() == all->size() - 1) {
    alone.apply();
    EXPECT_EQ(alone.last.block[0], own);
    EXPECT_GT(alone.launches, 1);
  }
  FakeKernel common = kernel_of(all, "Common", own);
  EXPECT_EQ(tile(common), 4);
}

TEST_F(TuningOfRanks, ARankThatFailedLaunchesAlone)
{
  if (all->rank() == all->size() - 1) {
    const LaunchesAlone alone;
    FakeKernel collective = kernel_of(all, "OfOneRank", own);
    collective.apply();
    EXPECT_EQ(collective.last.block[0], own);
  }
  FakeKernel common = kernel_of(all, "Common", own);
  EXPECT_EQ(tile(common), 4);
}

TEST_F(TuningOfRanks, FailureIsEverybodys)
{
  FakeKernel kernel = fake_kernel(
      [](const TuneParam &) -> double { fail(ErrorKind::out_of_memory, "no memory to tune in"); }, "Failing", all);
  if (all->rank() != 0) kernel.cost = takes(1e-5);
  refused(ErrorKind::out_of_memory, [&] { kernel.apply(); });
  FakeKernel after = kernel_of(all, "After", own);
  EXPECT_EQ(tile(after), 4);
}

TEST_F(TuningOfRanks, NonsenseIsEverybodys)
{
  const Variable nonsense("QUDA_TUNING_RANK", all->rank() == 0 ? "first" : nullptr);
  EXPECT_THROW(load_tune_cache(*all), Error);
}

TEST_F(TuningOfRanks, DamagedFileIsNobodysTrouble)
{
  if (folder) folder->write("tunecache.tsv", "tunecache\t1.1.0\tlibquda-1.1.0\tx\t# Last");
  load_tune_cache(*all);
  FakeKernel kernel = kernel_of(all, "Common", own);
  EXPECT_EQ(tile(kernel), 4);
}

TEST_F(TuningOfRanks, UnlikeRanksTuneForThemselves)
{
  if (all->size() == 1) GTEST_SKIP() << "one rank";
  if (usable_targets().size() < 2) GTEST_SKIP() << "one target";
  choose_target(all->rank() == 0 ? "cpu" : "fiber");
  load_tune_cache(*all);
  FakeKernel kernel = kernel_of(all, "Common", all->rank() == 0 ? 4 : 64);
  if (all->rank() < 2) kernel.apply(); // the others never launch it
  if (all->rank() < 2) {
    EXPECT_EQ(kernel.last.block[0], all->rank() == 0 ? 4 : 64);
  }
  choose_target("cpu");
}
