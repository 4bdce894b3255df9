/// A launch whose parameters are known allocates nothing.

#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "core/captured_log.h"
#include "core/environment_support.h"
#include "tune/tunable.h"
#include "tune/tune_cache.h"

namespace
{

long long allocations = 0;

}

// not inlined: the compiler would see memory of new go to free
__attribute__((noinline)) void *operator new(std::size_t bytes)
{
  allocations++;
  if (void *p = std::malloc(bytes ? bytes : 1)) return p;
  throw std::bad_alloc();
}
__attribute__((noinline)) void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept
{
  allocations++;
  return std::malloc(bytes ? bytes : 1);
}
__attribute__((noinline)) void operator delete(void *p) noexcept { std::free(p); }
__attribute__((noinline)) void operator delete(void *p, std::size_t) noexcept { std::free(p); }

using namespace quda;

namespace
{

class Nothing : public Tunable
{
public:
  explicit Nothing(const std::shared_ptr<Communicator> &communicator)
      : Tunable(communicator, 64, 1, 1, "4x4x4x4", "NothingAtAll", "prec=8,recon=18,and,more,than,fits,a,short,string")
  {
  }
  void launch(const TuneParam &, void *) override {}
  long long flops() const override { return 0; }
  long long bytes() const override { return 0; }
};

long long allocations_of_launches(const std::shared_ptr<Communicator> &communicator)
{
  Nothing(communicator).apply();
  const long long before = allocations;
  for (int i = 0; i < 100; i++) Nothing(communicator).apply();
  return allocations - before;
}

} // namespace

TEST(Allocation, KnownLaunchesAllocateNothing)
{
  if (std::getenv("TESTED_UNDER"))
    GTEST_SKIP() << "valgrind puts its own operator new in the place of the counting one";
  const CapturedLog log;
  const Variable path("QUDA_RESOURCE_PATH", nullptr);
  const Variable users("QUDA_ENABLE_USER_CACHE", "0");
  const auto communicator = make_single_communicator();
  for (const char *share : {"0", "30"}) {
    const Variable tuned_or_not_yet("QUDA_TUNE_SHARE", share);
    load_tune_cache(*communicator);
    EXPECT_EQ(allocations_of_launches(communicator), 0);
  }
  EXPECT_GT(allocations, 0);
  const Variable off("QUDA_ENABLE_TUNING", "0");
  load_tune_cache(*communicator);
  EXPECT_EQ(allocations_of_launches(communicator), 0);
}
