/// The choice of a target, its memory and its lanes.
#include "targets/target.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/environment_support.h"
#include "core/error.h"
#include "support/refused.h"
#include "targets/cpu/cpu_target.h"

// a refused allocation is what one of the tests asks for
extern "C" const char *__asan_default_options() { return "allocator_may_return_null=1"; }

using namespace quda;

namespace
{

std::string wish_for(Target t)
{
  return t == Target::cpu_avx2 ? "cpu:avx2" : t == Target::cpu_avx512 ? "cpu:avx512" : target_name(t);
}

bool usable(Target t)
{
  const auto all = usable_targets();
  return std::find(all.begin(), all.end(), t) != all.end();
}

/// Into this program; the processor may be another.
bool built(const char *name)
{
  try {
    choose_target(name);
  } catch (const Error &error) {
    return error.kind() != ErrorKind::not_built;
  }
  return true;
}

class TargetTest : public testing::Test
{
protected:
  void TearDown() override
  {
    pretend_processor_lacks(Target::cpu_avx2, false);
    pretend_processor_lacks(Target::cpu_avx512, false);
    choose_target("auto");
  }
  Variable environment {"QUDA_TARGET", nullptr};
};

} // namespace

TEST_F(TargetTest, EachUsableTargetCanBeChosen)
{
  ASSERT_FALSE(usable_targets().empty());
  for (Target t : usable_targets()) {
    choose_target(wish_for(t));
    EXPECT_EQ(target().kind(), t);
    EXPECT_FALSE(target().description().empty());
    EXPECT_GE(target().device_count(), 1);
    EXPECT_GE(target().max_threads(), 1);
  }
}

TEST_F(TargetTest, LanesFollowTheInstructions)
{
  const struct {
    Target target;
    int lanes, single, double_;
  } expected[] = {{Target::cpu_avx512, 16, 16, 8}, {Target::cpu_avx2, 16, 8, 4}, {Target::fiber, 1, 1, 1}};
  for (const auto &e : expected) {
    if (!usable(e.target)) continue;
    choose_target(wish_for(e.target));
    EXPECT_EQ(target().lanes(), e.lanes);
    EXPECT_EQ(target().width(Precision::single), e.single);
    EXPECT_EQ(target().width(Precision::double_), e.double_);
    EXPECT_EQ(target().width(Precision::half), e.single);
  }
}

TEST_F(TargetTest, TheEnvironmentChoosesAndAWishComesFirst)
{
  if (!usable(Target::cpu_avx2)) GTEST_SKIP() << "built without AVX2";
  const Target best = usable(Target::cpu_avx512) ? Target::cpu_avx512 : Target::cpu_avx2;
  environment.set("cpu");
  choose_target();
  EXPECT_EQ(target().kind(), best);
  environment.set("cpu:avx2");
  choose_target();
  EXPECT_EQ(target().kind(), Target::cpu_avx2);
  choose_target("cpu");
  EXPECT_EQ(target().kind(), best);
  environment.set("auto");
  choose_target();
  EXPECT_EQ(target().kind(), usable_targets().front());
}

TEST_F(TargetTest, UnknownNamesAreRefusedWithWhatIsAllowed)
{
  environment.set("gpu");
  expect_refused(ErrorKind::bad_argument, {"QUDA_TARGET = \"gpu\"", "auto, cpu, cpu:avx2, cpu:avx512, cuda"},
                 [] { choose_target(); });
  const Target before = target().kind();
  expect_refused(ErrorKind::bad_argument, {"\"cpu:sse\""}, [] { choose_target("cpu:sse"); });
  EXPECT_EQ(target().kind(), before);
}

TEST_F(TargetTest, WhatIsNotThereIsRefused)
{
  if (usable(Target::cuda)) GTEST_SKIP() << "there is a GPU";
  expect_refused(built("cuda") ? ErrorKind::device : ErrorKind::not_built, {"cuda"}, [] { choose_target("cuda"); });
}

TEST_F(TargetTest, AProcessorWithoutTheInstructionsIsToldSo)
{
  if (usable(Target::cuda)) GTEST_SKIP() << "there is a GPU to fall back on";
  if (!usable(Target::cpu_avx2)) GTEST_SKIP() << "built without AVX2";
  pretend_processor_lacks(Target::cpu_avx512, true);
  choose_target("cpu");
  EXPECT_EQ(target().kind(), Target::cpu_avx2);
  if (built("cpu:avx512")) {
    expect_refused(ErrorKind::device, {"AVX-512"}, [] { choose_target("cpu:avx512"); });
  }
  pretend_processor_lacks(Target::cpu_avx2, true);
  expect_refused(ErrorKind::device, {"none of the targets", "AVX2 and FMA"}, [] { choose_target("auto"); });
  for (Target t : usable_targets()) EXPECT_EQ(t, Target::fiber);
}

TEST_F(TargetTest, MemoryInUseKeepsItsTarget)
{
  choose_target("cpu");
  const Target first = target().kind();
  const std::string other = "fiber";
  for (MemoryPool *pool : {&device_pool(), &pinned_pool(), &managed_pool()}) {
    void *p = pool->get(100);
    expect_refused(ErrorKind::bad_argument, {"1 blocks", target_name(first)}, [&] { choose_target(other); });
    EXPECT_EQ(target().kind(), first);
    EXPECT_NO_THROW(choose_target("cpu"));
    pool->put(p);
  }
  EXPECT_GT(device_pool().counts().cached_blocks, 0);
  choose_target(other);
  EXPECT_EQ(device_pool().counts().cached_blocks, 0);
  EXPECT_EQ(pinned_pool().counts().cached_blocks, 0);
  EXPECT_EQ(managed_pool().counts().cached_blocks, 0);
}

TEST_F(TargetTest, LastCacheIsNoSmallOne)
{
  choose_target("cpu");
  EXPECT_GE(target().last_cache(), std::size_t {256} << 10);
  EXPECT_LE(target().last_cache(), std::size_t {8} << 30);
}

TEST_F(TargetTest, HostMemoryIsAligned)
{
  choose_target("cpu");
  const TargetApi &api = target();
  for (std::size_t bytes : {0ul, 1ul, 64ul, 1000ul, (1ul << 21) - 1, 1ul << 21, (5ul << 20) + 8}) {
    using Api = TargetApi;
    const struct {
      void *(Api::*allocate)(std::size_t) const;
      void (Api::*release)(void *) const;
    } kinds[] = {{&Api::allocate, &Api::release},
                 {&Api::allocate_pinned, &Api::release_pinned},
                 {&Api::allocate_managed, &Api::release_managed}};
    for (const auto &[allocate, release] : kinds) {
      char *p = static_cast<char *>((api.*allocate)(bytes));
      ASSERT_NE(p, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % (bytes >= 1ul << 21 ? 1ul << 21 : 64ul), 0u) << bytes;
      EXPECT_TRUE(api.can_read(p));
      std::memset(p, 7, bytes);
      api.clear(p, bytes / 2);
      EXPECT_TRUE(bytes < 2 || (p[0] == 0 && p[bytes / 2 - 1] == 0 && p[bytes / 2] == 7)) << bytes;
      std::string text(bytes, 'x');
      api.copy(p, text.data(), bytes);
      api.synchronize();
      EXPECT_EQ(std::memcmp(p, text.data(), bytes), 0);
      (api.*release)(p);
    }
  }
  EXPECT_NO_THROW(api.select_device(0));
  refused(ErrorKind::out_of_memory, [&] { api.allocate(SIZE_MAX - 8); });
  refused(ErrorKind::out_of_memory, [&] { device_pool().get(std::size_t {1} << 60); });
}

/// Memory that is the host's and the target's.
TEST_F(TargetTest, ManagedMemoryIsReachedFromBothSides)
{
  for (const Target t : usable_targets()) {
    choose_target(wish_for(t));
    const TargetApi &api = target();
    const std::size_t bytes = (17ul << 20) + 12; // another way of copies
    char *const shared = static_cast<char *>(api.allocate_managed(bytes));
    EXPECT_TRUE(api.can_read(shared)) << wish_for(t);
    void *const own = api.allocate(bytes);
    std::vector<char> back(bytes);
    std::memset(shared, 5, bytes);
    api.copy(own, shared, bytes);
    api.copy(back.data(), own, bytes);
    EXPECT_EQ(std::count(back.begin(), back.end(), 5), static_cast<long>(bytes)) << wish_for(t);
    api.clear(shared, bytes);
    EXPECT_EQ(std::count(shared, shared + bytes, 0), static_cast<long>(bytes)) << wish_for(t);
    api.release(own);
    api.release_managed(shared);
  }
}

/// Long copies go another way than short ones where the host's memory is not the target's.
TEST_F(TargetTest, LongCopiesComeBack)
{
  for (const Target t : usable_targets()) {
    choose_target(wish_for(t));
    const TargetApi &api = target();
    for (const std::size_t words : {(4ul << 20) - 1, (5ul << 20) + 3, (10ul << 20) + 1}) { // of four bytes
      std::vector<std::uint32_t> numbers(words + 1), back(words + 1, 7);
      for (std::size_t i = 0; i < words; i++) numbers[i + 1] = static_cast<std::uint32_t>(i * 2654435761u);
      const std::size_t bytes = 4 * words;
      void *p = api.allocate(bytes);
      for (int turn = 0; turn < 2; turn++) { // what the first left behind does not matter
        api.copy(p, numbers.data() + 1, bytes);
        api.copy(back.data() + 1, p, bytes);
        EXPECT_TRUE(std::equal(back.begin() + 1, back.end(), numbers.begin() + 1)) << wish_for(t) << ", " << words;
        EXPECT_EQ(back[0], 7u);
        std::reverse(numbers.begin() + 1, numbers.end());
      }
      api.release(p);
    }
  }
}

TEST_F(TargetTest, PoolsPoisonWhatTheyHandOut)
{
  Variable poison("QUDA_POISON_MEMORY", "1");
  device_pool().flush();
  choose_target("cpu");
  constexpr std::size_t words = (3u << 20) / 4; // more than one piece of the filling buffer
  auto *p = static_cast<std::uint32_t *>(device_pool().get(4 * words));
  EXPECT_EQ(std::count(p, p + words, poison_word), static_cast<long>(words));
  device_pool().put(p);
  poison.set(nullptr);
  device_pool().flush();
}

TEST_F(TargetTest, ThreadsAreAsManyAsOpenMPWouldTake)
{
  choose_target("cpu");
#ifdef _OPENMP
  EXPECT_EQ(target().max_threads(), omp_get_max_threads());
#else
  EXPECT_EQ(target().max_threads(), static_cast<int>(std::thread::hardware_concurrency()));
#endif
}
