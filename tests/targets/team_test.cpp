/// The threads of the CPU target: all of the work is done once, whoever calls and however many there are, and nothing
/// runs between calls.

#include "targets/cpu/processors.h"
#include "targets/cpu/team.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

using namespace quda;

namespace
{

/// How often each share of the work was done.
class Counted
{
public:
  explicit Counted(int threads, int shares = 1)
      : threads_(threads)
      , shares_(shares)
      , numbers_(threads * shares)
      , times_(std::make_unique<std::atomic<int>[]>(static_cast<std::size_t>(numbers_)))
  {
  }
  void run() { cpu::run_team(threads_, one, this, shares_); }
  bool each(int times) const
  {
    for (int n = 0; n < numbers_; n++)
      if (times_[static_cast<std::size_t>(n)] != times) return false;
    return true;
  }

private:
  static void one(void *context, int number, int numbers)
  {
    Counted &self = *static_cast<Counted *>(context);
    const int each = self.numbers_ / numbers;
    if (each * numbers != self.numbers_ || (each != 1 && each != self.shares_)) return;
    for (int n = number * each; n < (number + 1) * each; n++) self.times_[static_cast<std::size_t>(n)]++;
  }
  int threads_, shares_, numbers_;
  std::unique_ptr<std::atomic<int>[]> times_;
};

double processor_seconds()
{
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A folder of its own, which goes with it.
struct Folder {
  Folder()
      : path(std::filesystem::temp_directory_path() / ("team_test." + std::to_string(getpid())))
  {
    std::filesystem::remove_all(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  void write(const std::string &name, const std::string &text) const
  {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
  std::filesystem::path path;
};

} // namespace

TEST(Team, DoesEachPartOnce)
{
  for (const int threads : {1, 2, 3, cpu::max_threads(), 7, 64})
    for (const int shares : {1, 2, cpu::most_shares}) {
      Counted counted(threads, shares);
      for (int launch = 1; launch <= 200; launch++) {
        counted.run();
        ASSERT_TRUE(counted.each(launch)) << threads << " parts of " << shares << ", launch " << launch;
      }
    }
}

TEST(Team, AThreadPutAsideHoldsUpOneShare)
{
  constexpr int shares = 8;
  struct Held {
    std::atomic<int> done {0};
    bool others_were_done = false;
  } held;
  // the first share that the second thread takes ends when all others are done
  const auto work = [](void *context, int number, int numbers) {
    Held &here = *static_cast<Held *>(context);
    if (numbers == 2 * shares && number == shares) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (here.done < numbers - 1 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      here.others_were_done = here.done == numbers - 1;
    }
    here.done++;
  };
  if (cpu::max_threads() == 1) GTEST_SKIP() << "one thread";
  cpu::run_team(2, work, &held, shares);
  EXPECT_TRUE(held.others_were_done);
}

TEST(Team, IsThereAgainAfterASleep)
{
  Counted counted(4);
  for (int launch = 1; launch <= 20; launch++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    counted.run();
    ASSERT_TRUE(counted.each(launch));
  }
}

TEST(Team, ServesSeveralHostThreads)
{
  constexpr int launches = 300;
  std::vector<std::unique_ptr<Counted>> counted;
  for (int n = 0; n < 4; n++) counted.push_back(std::make_unique<Counted>(3));
  std::vector<std::thread> hosts;
  for (int n = 0; n < 4; n++)
    hosts.emplace_back([&, n] {
      for (int launch = 0; launch < launches; launch++) counted[static_cast<std::size_t>(n)]->run();
    });
  for (std::thread &host : hosts) host.join();
  for (const auto &one : counted) EXPECT_TRUE(one->each(launches));
}

TEST(Team, IsCalledFromWithinItsWork)
{
  Counted inner(3);
  const auto nested = [](void *context, int, int) { static_cast<Counted *>(context)->run(); };
  cpu::run_team(4, nested, &inner);
  EXPECT_TRUE(inner.each(4));
}

TEST(Team, HandsOnWhatWorkThrows)
{
  const auto failing = [](void *, int number, int) {
    if (number == 2) throw std::runtime_error("part 2");
  };
  for (int launch = 0; launch < 50; launch++) {
    EXPECT_THROW(cpu::run_team(4, failing, nullptr), std::runtime_error);
    Counted counted(4);
    counted.run();
    ASSERT_TRUE(counted.each(1));
  }
}

TEST(Team, IsAnotherOneInAForkedChild)
{
  Counted before(4);
  before.run();
  const pid_t child = fork();
  if (child == 0) {
    Counted counted(4);
    for (int launch = 0; launch < 50; launch++) counted.run();
    _exit(counted.each(50) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  before.run();
  EXPECT_TRUE(before.each(2));
}

TEST(Team, TakesNoTimeBetweenCalls)
{
  Counted counted(4);
  counted.run();
  std::this_thread::sleep_for(std::chrono::milliseconds(50)); // until all sleep
  const double before = processor_seconds();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_LT(processor_seconds() - before, 1e-3);
}

TEST(Processors, AreLimitedByTheControlGroup)
{
  const Folder none;
  EXPECT_EQ(cpu::processor_quota(none.path), 0);
  {
    const Folder unified; // version 2
    unified.write("proc/self/cgroup", "0::/job/step\n");
    unified.write("sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    EXPECT_EQ(cpu::processor_quota(unified.path), 0);
    unified.write("sys/fs/cgroup/job/cpu.max", "250000 100000\n");
    EXPECT_DOUBLE_EQ(cpu::processor_quota(unified.path), 2.5);
    unified.write("sys/fs/cgroup/cpu.max", "150000 100000\n");
    EXPECT_DOUBLE_EQ(cpu::processor_quota(unified.path), 1.5);
  }
  {
    const Folder first; // version 1
    first.write("proc/self/cgroup", "5:memory:/x\n3:cpu,cpuacct:/docker/abc\n");
    first.write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "-1\n");
    first.write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(cpu::processor_quota(first.path), 0);
    first.write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "400000\n");
    EXPECT_DOUBLE_EQ(cpu::processor_quota(first.path), 4);
  }
}

TEST(Processors, AreThoseOfTheAffinity)
{
  const std::vector<int> all = cpu::usable_processors();
  ASSERT_FALSE(all.empty());
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(all.back()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const std::vector<int> now = cpu::usable_processors();
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_TRUE(now == std::vector<int>({all.back()}) || now == all); // all: where OpenMP has places of its own
}
