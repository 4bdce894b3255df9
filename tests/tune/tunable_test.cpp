/// The space of parameters and the search in it, on kernels that take as long as the test says.

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/captured_log.h"
#include "core/error.h"
#include "core/environment_support.h"
#include "fake_kernel.h"
#include "targets/target.h"
#include "tune/kernel_profile.h"
#include "tune/tune_cache.h"
#include "tune/tune_search.h"

using namespace quda;

namespace
{

/// Each test starts with nothing known, nothing stored and nothing in the environment but that launches are tuned at
/// once.
class Tuning : public testing::Test
{
protected:
  void SetUp() override
  {
    for (const char *name : {"QUDA_RESOURCE_PATH", "QUDA_ENABLE_TUNING", "QUDA_TUNING_RANK", "QUDA_TUNE_FORCE",
                             "QUDA_TUNE_VERSION_CHECK", "QUDA_ENABLE_TUNING_REPORT"})
      unsetenv(name);
    setenv("QUDA_TUNE_SHARE", "0", 1);
    setenv("QUDA_ENABLE_USER_CACHE", "0", 1);
    load();
  }
  void TearDown() override
  {
    choose_target("cpu");
    unsetenv("QUDA_TUNE_SHARE");
  }
  void load() { load_tune_cache(*communicator); }

  FakeClock clock;
  CapturedLog log;
  std::shared_ptr<Communicator> communicator = make_single_communicator();
};

/// Seconds that grow with the distance from one point of the space.
FakeKernel::Cost distance_from(int tile, int schedule, int prefetch, int streaming, int threads, double unit = 20e-6)
{
  return [=](const TuneParam &tp) {
    const auto steps = [](int a, int b) { return std::abs(std::log2(a + 1.0) - std::log2(b + 1.0)); };
    return unit * (1 + 0.4 * steps(tp.block[0], tile) + 0.5 * (tp.schedule != schedule) +
                   0.2 * steps(tp.prefetch, prefetch) + 0.3 * (tp.streaming != streaming) + steps(tp.grid[0], threads));
  };
}

constexpr long long more_than_caches_hold = 1LL << 50;

} // namespace

TEST_F(Tuning, SpaceOfLanes)
{
  FakeKernel kernel = fake_kernel(takes(1e-5));
  kernel.moved = more_than_caches_hold;
  std::set<decltype(parts({}))> all, once;
  std::set<int> tiles, prefetches, streamings, schedules, threads;
  const std::vector<TuneParam> first = kernel.candidates();
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(parts(first[0]), parts(kernel.default_param()));
  for (const TuneParam &best : first)
    for (const TuneParam &tp : kernel.refinements(best)) {
      all.insert(parts(tp));
      prefetches.insert(tp.prefetch);
      streamings.insert(tp.streaming);
    }
  for (const TuneParam &tp : first) {
    EXPECT_TRUE(once.insert(parts(tp)).second) << "measured twice";
    tiles.insert(tp.block[0]);
    schedules.insert(tp.schedule);
    threads.insert(tp.grid[0]);
    EXPECT_FALSE(tp.schedule == 1 && tp.block[0] == 0 && tp.grid[0] > 1) << "all tiles to one thread";
  }
  EXPECT_GE(first.size() + kernel.refinements(first[0]).size(), 24u);
  EXPECT_GE(tiles.size(), 6u);
  EXPECT_TRUE(tiles.count(0));
  EXPECT_EQ(prefetches, (std::set<int> {0, 1, 2, 3, 4, 6, 8, 12}));
  EXPECT_EQ(streamings, (std::set<int> {0, 1}));
  EXPECT_TRUE(threads.count(1));
  EXPECT_TRUE(threads.count(target().max_threads()));
  EXPECT_EQ(schedules.size(), target().max_threads() > 1 ? 2u : 1u);
}

TEST_F(Tuning, SpaceWithoutHooks)
{
  FakeKernel kernel = fake_kernel(takes(1e-5));
  kernel.hooks = false;
  for (const TuneParam &best : kernel.candidates())
    for (const TuneParam &tp : kernel.refinements(best)) {
      EXPECT_EQ(tp.prefetch, 0);
      EXPECT_EQ(tp.streaming, 0);
    }
  FakeKernel row(takes(1e-5), communicator, 4096u, 1u, 1u, "4096", "Row", "");
  for (const TuneParam &tp : row.candidates()) EXPECT_TRUE(tp.schedule == 1 || tp.block[0] == 0) << "tiles of one walk";
}

TEST_F(Tuning, WhatCachesHoldIsReadByTheNextKernel)
{
  for (const bool beyond : {false, true}) {
    FakeKernel kernel = fake_kernel(takes(1e-5), beyond ? "Beyond" : "Within");
    kernel.moved = static_cast<long long>(target().last_cache()) + beyond;
    EXPECT_EQ(kernel.default_param().streaming, beyond);
    kernel.apply();
    EXPECT_EQ(kernel.readings, beyond ? 0 : kernel.launches - 1) << "the launch that counts is not followed by one";
    kernel.reading_seconds = 2e-5;
    EXPECT_NEAR(search_best(kernel, nullptr, false).seconds, 1e-5, 1e-12) << "the reading decides, but is not reported";
  }
}

TEST_F(Tuning, SmallIndexSpaces)
{
  for (unsigned n : {1u, 2u, 3u}) {
    FakeKernel kernel(takes(1e-5), communicator, n, 2u, 1u, "small", "Small", "");
    for (const TuneParam &tp : kernel.candidates()) {
      EXPECT_GE(tp.block[0], 0);
      EXPECT_TRUE(tp.block[0] < static_cast<int>(n) || tp.block[0] == 0);
      EXPECT_TRUE(parts(tp) == parts(kernel.default_param()) || tp.grid[0] <= static_cast<int>(n));
    }
    kernel.apply();
  }
}

TEST_F(Tuning, SpaceOfScalarTargets)
{
  choose_target("fiber");
  FakeKernel kernel = fake_kernel(takes(1e-5));
  std::set<int> x;
  bool two_rows = false;
  for (const TuneParam &tp : kernel.candidates()) {
    EXPECT_EQ(tp.block[0] % 32, 0);
    EXPECT_LE(tp.block[0] * tp.block[1], 1024);
    EXPECT_EQ(tp.grid[0], (4096 + tp.block[0] - 1) / tp.block[0]);
    EXPECT_EQ(tp.grid[1], (2 + tp.block[1] - 1) / tp.block[1]);
    EXPECT_EQ(tp.grid[2], 3);
    x.insert(tp.block[0]);
    two_rows = two_rows || tp.block[1] == 2;
  }
  EXPECT_EQ(x.size(), 32u);
  EXPECT_TRUE(two_rows);
  FakeKernel sum(takes(1e-5), communicator, 65536u, 2u, 1u, "sum", "Sum", "");
  sum.sums = true;
  for (const TuneParam &tp : sum.candidates()) EXPECT_EQ(tp.block[1], 1);
  EXPECT_FALSE(sum.refinements(sum.default_param()).empty());
}

TEST_F(Tuning, TheBestIsChosen)
{
  const int most = target().max_threads();
  struct Case {
    int tile, schedule, prefetch, streaming, threads;
  };
  for (const Case &c :
       {Case {16, 1, 4, 1, most}, Case {0, 0, 0, 0, most}, Case {64, 0, 8, 0, 1}, Case {2, 0, 1, 1, 1}}) {
    if (c.schedule && most == 1) continue;
    load();
    FakeKernel kernel = fake_kernel(distance_from(c.tile, c.schedule, c.prefetch, c.streaming, c.threads));
    kernel.moved = more_than_caches_hold;
    kernel.apply();
    EXPECT_EQ(kernel.last.block[0], c.tile);
    EXPECT_EQ(kernel.last.schedule, c.schedule);
    EXPECT_EQ(kernel.last.prefetch, c.prefetch);
    EXPECT_EQ(kernel.last.streaming, c.streaming);
    EXPECT_EQ(kernel.last.grid[0], c.threads);
  }
}

TEST_F(Tuning, OneThreadIsAlwaysMeasured)
{
  for (const double seconds : {1e-6, 1e-3, 0.1}) {
    load();
    std::set<int> threads;
    FakeKernel kernel = fake_kernel([&](const TuneParam &tp) {
      threads.insert(tp.grid[0]);
      return tp.grid[0] == 1 ? seconds / 2 : seconds;
    });
    kernel.moved = more_than_caches_hold;
    kernel.apply();
    EXPECT_EQ(kernel.last.grid[0], 1) << seconds;
    EXPECT_TRUE(threads.count(target().max_threads())) << seconds;
  }
}

TEST_F(Tuning, ThreadsAreTakenWhereTheyWin)
{
  if (target().max_threads() == 1) GTEST_SKIP() << "one thread";
  struct Case {
    double seconds, gain;
    bool alone;
  };
  // short launches: where they win clearly
  for (const Case &c :
       {Case {1e-5, 0.9, true}, {1e-5, 1.1, true}, {1e-5, 1.3, false}, {1e-3, 0.9, true}, {1e-3, 1.1, false}}) {
    load();
    FakeKernel kernel = fake_kernel([&](const TuneParam &tp) { return (tp.grid[0] == 1 ? c.gain : 1) * c.seconds; });
    kernel.moved = more_than_caches_hold;
    kernel.apply();
    EXPECT_EQ(kernel.last.grid[0] == 1, c.alone) << c.seconds << " " << c.gain;
  }
}

TEST_F(Tuning, SmallUntunedLaunchesWakeNoThread)
{
  FakeKernel kernel = fake_kernel(takes(1e-5));
  kernel.moved = 98304; // a hop on 4^4, in single precision
  EXPECT_EQ(kernel.default_param().grid[0], 1);
  kernel.moved = 1 << 21; // and on 8^4
  EXPECT_EQ(kernel.default_param().grid[0], std::min(target().max_threads(), 16));
}

TEST_F(Tuning, SmallFieldsAreWrittenByOthersBetween)
{
  FakeKernel kernel = fake_kernel(takes(1e-5)), beyond = fake_kernel(takes(1e-5), "Beyond");
  kernel.between.assign(1000, 'a');
  const std::vector<char> as_it_was = kernel.between;
  kernel.apply();
  EXPECT_EQ(kernel.asked_between, target().max_threads() > 1);
  EXPECT_EQ(kernel.between, as_it_was);
  beyond.moved = more_than_caches_hold;
  beyond.apply();
  EXPECT_EQ(beyond.asked_between, 0);
}

TEST_F(Tuning, ReadingIsSharedByAsManyThreads)
{
  if (target().max_threads() == 1) GTEST_SKIP() << "one thread";
  // what one thread writes is read by one
  FakeKernel kernel = fake_kernel([](const TuneParam &tp) { return tp.grid[0] == 1 ? 10e-6 : 9e-6; });
  kernel.reading_seconds = 8e-6;
  kernel.apply();
  EXPECT_GT(kernel.last.grid[0], 1);
}

TEST_F(Tuning, InterruptionsDoNotDecide)
{
  // the fastest tile is interrupted at every fifth launch for six times its time
  std::map<decltype(parts({})), int> launches;
  FakeKernel kernel = fake_kernel([&](const TuneParam &tp) {
    const bool interrupted = launches[parts(tp)]++ % 5 == 2;
    return tp.block[0] != 16 ? 110e-6 : interrupted ? 6e-4 : 100e-6;
  });
  kernel.apply();
  EXPECT_EQ(kernel.last.block[0], 16);
}

TEST_F(Tuning, DriftDoesNotDecide)
{
  // the machine slows down as it goes, by a fifth over the whole search
  int n = 0;
  const auto truth = distance_from(16, 0, 4, 1, 1, 60e-6);
  FakeKernel kernel = fake_kernel([&](const TuneParam &tp) { return truth(tp) * (1 + 1e-3 * n++); });
  kernel.moved = more_than_caches_hold;
  kernel.apply();
  EXPECT_EQ(kernel.last.block[0], 16);
  EXPECT_EQ(kernel.last.prefetch, 4);
  EXPECT_EQ(kernel.last.streaming, 1);
  EXPECT_EQ(kernel.last.grid[0], 1);
}

TEST_F(Tuning, OthersOnTheMachineDoNotDecide)
{
  // half of the samples of any candidate are longer by what else runs, up to five times: no best one is safe from having
  // all of its own among them, but nearly all are found
  constexpr unsigned searches = 40, most_missed = 8;
  const auto truth = distance_from(16, 0, 4, 1, 1, 60e-6);
  unsigned missed = 0;
  for (unsigned search = 0; search < searches; search++) {
    load();
    unsigned n = 2654435761u * search;
    FakeKernel kernel = fake_kernel([&](const TuneParam &tp) {
      n = 1664525 * n + 1013904223;
      return truth(tp) * (n >> 30 < 2 ? 1 : 1 + 4 * (n / 4294967296.0));
    });
    kernel.moved = more_than_caches_hold;
    kernel.apply();
    missed += kernel.last.block[0] != 16 || kernel.last.prefetch != 4;
  }
  EXPECT_LE(missed, most_missed);
}

TEST_F(Tuning, WaitsUntilItIsASmallPartOfTheRun)
{
  unsetenv("QUDA_TUNE_SHARE");
  for (const double seconds : {1e-5, 1e-4, 3e-3}) {
    load();
    FakeKernel kernel = fake_kernel(takes(seconds)), rare = fake_kernel(takes(seconds), "Rare");
    int calls = 0;
    while (kernel.launches == calls && calls < 1 << 20) {
      kernel.apply();
      calls++;
    }
    EXPECT_EQ(calls & (calls - 1), 0) << "asked at launches 1, 2, 4, ...";
    const double ran = (calls - 1) * seconds, spent = (kernel.launches - 1) * seconds - ran;
    EXPECT_GT(spent, 0);
    EXPECT_LT(spent, 0.35 * ran) << seconds;
    EXPECT_LT(ran, 2.1 * std::max(300 * seconds, 0.06) / 0.3) << seconds;
    kernel.launches = 0;
    kernel.apply();
    EXPECT_EQ(kernel.launches, 1);
    for (int i = 0; i < 100; i++) rare.apply();
    EXPECT_EQ(rare.launches, 100);
  }
}

TEST_F(Tuning, ABusyMachineIsToldOnceAndTriedAgain)
{
  setenv("QUDA_TUNE_SHARE", "30", 1);
  load();
  // no two times of a candidate agree within a search
  bool busy = true;
  std::map<decltype(parts({})), int> launched;
  FakeKernel kernel =
      fake_kernel([&](const TuneParam &tp) { return 2.5e-4 * (busy ? std::pow(1.35, launched[parts(tp)]++) : 1); });
  const TuneParam untuned = kernel.default_param();
  int searches = 0;
  for (int calls = 0, launches = 0; calls < 1 << 12; calls++, launches = kernel.launches) {
    launched.clear();
    kernel.apply();
    searches += kernel.launches > launches + 1;
    EXPECT_EQ(parts(kernel.last), parts(untuned));
  }
  EXPECT_GT(searches, 1);
  const std::string said = log.text();
  const std::size_t at = said.find("too busy");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(said.find("too busy", at + 1), std::string::npos);
  busy = false;
  for (int calls = 0; calls < 1 << 12; calls++) kernel.apply();
  kernel.launches = 0;
  for (int calls = 0; calls < 1 << 13; calls++) kernel.apply();
  EXPECT_EQ(kernel.launches, 1 << 13) << "tuned by now";
}

TEST_F(Tuning, MeasuredOnceThenKept)
{
  FakeKernel kernel = fake_kernel(distance_from(16, 0, 4, 1, 1));
  kernel.moved = more_than_caches_hold;
  kernel.apply();
  EXPECT_GT(kernel.launches, 24);
  const TuneParam best = kernel.last;
  kernel.launches = 0;
  kernel.apply();
  EXPECT_EQ(kernel.launches, 1);
  EXPECT_EQ(parts(kernel.last), parts(best));
  FakeKernel again = fake_kernel(distance_from(0, 0, 0, 0, 1));
  again.apply();
  EXPECT_EQ(again.launches, 1);
  EXPECT_EQ(parts(again.last), parts(best));
  FakeKernel other = fake_kernel(distance_from(0, 0, 0, 0, 1), "Other");
  other.apply();
  EXPECT_GT(other.launches, 24);
}

TEST_F(Tuning, ChangedKernelIsMeasuredAnew)
{
  FakeKernel kernel = fake_kernel(takes(1e-5));
  kernel.apply();
  kernel.version = 2;
  kernel.launches = 0;
  kernel.apply();
  EXPECT_GT(kernel.launches, 24);
  kernel.launches = 0;
  kernel.apply();
  EXPECT_EQ(kernel.launches, 1);
}

TEST_F(Tuning, TimeIsBounded)
{
  for (double seconds : {1e-6, 1e-5, 1e-3, 0.02, 0.3, 2.0}) {
    load();
    FakeKernel kernel = fake_kernel(takes(seconds));
    const double start = FakeClock::now();
    kernel.apply();
    const double spent = FakeClock::now() - start - seconds;
    EXPECT_LT(spent, std::max(6.05 + seconds, 2.1 * seconds)) << seconds;
    if (seconds <= 1e-5) {
      EXPECT_LT(spent, 0.1) << seconds;
    }
    if (seconds <= 1e-3) {
      EXPECT_GE(kernel.seen.size(), target().max_threads() > 1 ? 24u : 16u) << seconds;
    }
  }
}

TEST_F(Tuning, DataInPlaceAreTouchedOnce)
{
  FakeKernel kernel = fake_kernel(takes(1e-5));
  kernel.data = 7;
  kernel.apply();
  EXPECT_EQ(kernel.data, 8);
}

TEST_F(Tuning, RefusedCandidatesDropOut)
{
  FakeKernel kernel = fake_kernel([](const TuneParam &tp) {
    if (tp.block[0] != 16) fail(ErrorKind::bad_argument, "this tile is refused");
    return 1e-5;
  });
  kernel.apply();
  EXPECT_EQ(kernel.last.block[0], 16);

  FakeKernel hopeless =
      fake_kernel([](const TuneParam &) -> double { fail(ErrorKind::device, "refused always"); }, "No");
  hopeless.data = 5;
  EXPECT_THROW(hopeless.apply(), Error);
  EXPECT_EQ(hopeless.data, 5);

  int n = 0;
  FakeKernel starved = fake_kernel(
      [&](const TuneParam &) -> double {
        if (++n > 10) fail(ErrorKind::out_of_memory, "no memory left");
        return 1e-5;
      },
      "Starved");
  EXPECT_THROW(starved.apply(), Error);
  EXPECT_EQ(n, 11);
}

TEST_F(Tuning, SwitchedOff)
{
  const Variable off("QUDA_ENABLE_TUNING", "0");
  load();
  FakeKernel kernel = fake_kernel(takes(1e-5));
  kernel.apply();
  kernel.apply();
  EXPECT_EQ(kernel.launches, 2);
  EXPECT_EQ(parts(kernel.last), parts(kernel.default_param()));
}

TEST_F(Tuning, ForcedByHand)
{
  const Variable force("QUDA_TUNE_FORCE", "tile=5,streaming=1,schedule=1,threads=3,variant=2");
  load();
  FakeKernel kernel = fake_kernel(takes(1e-5));
  kernel.apply();
  EXPECT_EQ(kernel.launches, 1);
  EXPECT_EQ(kernel.last.block[0], 5);
  EXPECT_EQ(kernel.last.prefetch, kernel.default_param().prefetch);
  EXPECT_EQ(kernel.last.streaming, 1);
  EXPECT_EQ(kernel.last.schedule, 1);
  EXPECT_EQ(kernel.last.grid[0], 3);
  EXPECT_EQ(kernel.last.variant, 0);
  kernel.hooks = false;
  kernel.n_variants = 3;
  kernel.apply();
  EXPECT_EQ(kernel.last.streaming, 0);
  EXPECT_EQ(kernel.last.variant, 2);
  for (const char *nonsense : {"tile", "tile=x", "tile=-1", "colour=3", "tile=4,,", "streaming=2", "tile=4 "}) {
    const Variable wrong("QUDA_TUNE_FORCE", nonsense);
    EXPECT_THROW(load(), Error) << nonsense;
  }
}

TEST_F(Tuning, ReportListsCandidates)
{
  FakeKernel quiet = fake_kernel(takes(1e-5), "Quiet");
  quiet.apply();
  EXPECT_EQ(log.text().find("Tuning Quiet"), std::string::npos);
  const Variable report("QUDA_ENABLE_TUNING_REPORT", "1");
  load();
  FakeKernel kernel = fake_kernel(takes(1e-5), "Told");
  kernel.apply();
  EXPECT_NE(log.text().find("Tuning Told"), std::string::npos);
  EXPECT_NE(log.text().find("<- taken"), std::string::npos);
}

TEST_F(Tuning, LastKernelIsRemembered)
{
  FakeKernel one = fake_kernel(takes(1e-5), "One"), two = fake_kernel(takes(1e-5), "Two");
  one.apply();
  two.apply();
  ASSERT_NE(last_kernel(), nullptr);
  EXPECT_STREQ(last_kernel()->name, "Two");
  one.apply();
  EXPECT_EQ(last_kernel_text(), std::string("(name=One,volume=16x16x16x16,aux=") + one.key().aux + ")");
  FakeKernel bad = fake_kernel([](const TuneParam &) -> double { fail(ErrorKind::device, "refused"); }, "Bad");
  EXPECT_THROW(bad.apply(), Error);
  EXPECT_STREQ(last_kernel()->name, "Bad");
}

TEST_F(Tuning, KeysHaveNoBlanks)
{
  FakeKernel kernel(takes(1e-5), communicator, 64u, 1u, 1u, "a b", "name\twith #", "x y");
  for (const char *s : {kernel.key().volume, kernel.key().name, kernel.key().aux})
    EXPECT_EQ(std::string(s).find_first_of(" \t\n#"), std::string::npos) << s;
}
