/// Threads of hosts: calls from those of OpenMP's run times in turn, from a forked child, and what runs between calls.

#include "session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <set>
#include <thread>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

using test::same_bits;

/// Links in the library, a source, and what M makes of it.
class Work
{
public:
  Work()
      : lattice_({8, 8, 8, 8})
      , in_(reference::to_host<double>(reference::random_spinors(lattice_, 3), lattice_, reference::Part(lattice_)))
  {
    test::HostLinks<double> host(reference::random_gauge(lattice_, 41), reference::Part(lattice_),
                                 QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param = test::gauge_param(lattice_.X);
    loadGaugeQuda(host.pointer(), &param);
    expected_ = product();
  }
  std::vector<double> product() const
  {
    std::vector<double> in = in_, out(in.size(), NAN);
    QudaInvertParam param = test::wilson_param();
    MatQuda(out.data(), in.data(), &param);
    return out;
  }
  bool right() const { return same_bits(product(), expected_); }

private:
  reference::Lattice lattice_;
  std::vector<double> in_, expected_;
};

/// So many threads of a host, each of which waits for its turn.
struct Turns {
  const Work &work;
  int threads, rounds, next = 0, wrong = 0;
  std::set<std::thread::id> seen {};
  std::mutex mutex {};
  std::condition_variable turned {};

  void take(int own)
  {
    for (int round = 0; round < rounds; round++) {
      std::unique_lock lock(mutex);
      turned.wait(lock, [&] { return next % threads == own; });
      wrong += !work.right();
      seen.insert(std::this_thread::get_id());
      next++;
      turned.notify_all();
    }
  }
};

double processor_seconds()
{
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

} // namespace

/// GNU's run time and LLVM's, both in one process where both are there; a parallel region is a function to either.
TEST(HostThreads, CallInTurnFromTwoRunTimes)
{
  test::Handler handler;
  test::Session session;
  const Work work;
  int found = 0;
  for (int turn = 0; turn < 2; turn++)
    for (const char *const name : {"libgomp.so.1", "libomp.so.5"}) {
      void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (!library) continue;
      found++;
      using Parallel = void(void (*)(void *), void *, unsigned, unsigned);
      using Number = int();
      const auto parallel = reinterpret_cast<Parallel *>(dlsym(library, "GOMP_parallel"));
      const auto number = reinterpret_cast<Number *>(dlsym(library, "omp_get_thread_num"));
      ASSERT_TRUE(parallel && number) << name;
      struct Region {
        Turns turns;
        Number *number;
      } region {{work, 4, 3}, number};
      parallel(
          [](void *data) {
            auto *const own = static_cast<Region *>(data);
            own->turns.take(own->number());
          },
          &region, 4, 0);
      EXPECT_EQ(region.turns.next, 12) << name;
      EXPECT_EQ(region.turns.seen.size(), 4u) << name;
      EXPECT_EQ(region.turns.wrong, 0) << name;
    }
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  if (!found) GTEST_SKIP() << "neither libgomp.so.1 nor libomp.so.5";
}

TEST(HostThreads, OfAForkedChild)
{
  test::Handler handler;
  test::Session session;
  const Work work;
  const pid_t child = fork();
  if (child == 0) {
    alarm(60); // ends it where it hangs
    _exit(work.right() && work.right() && handler.calls() == 0 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(work.right());
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

/// 0.0 % of a processor over five seconds.
TEST(HostThreads, NothingRunsBetweenCalls)
{
  test::Session session;
  const Work work;
  std::this_thread::sleep_for(std::chrono::milliseconds(50)); // until all sleep
  const double before = processor_seconds();
  std::this_thread::sleep_for(std::chrono::seconds(5));
  EXPECT_LT(processor_seconds() - before, 5 * 0.0005);
  EXPECT_TRUE(work.right());
}
