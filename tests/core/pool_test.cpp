#include "targets/pool.h"

#include "captured_log.h"
#include "core/error.h"
#include "environment_support.h"
#include "support/overtaking.h"
#include "support/refused.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <thread>
#include <vector>

using namespace quda;

namespace
{

// a system with as much memory as a test allows
std::mutex system_mutex;
std::size_t system_limit = 0; // largest block that is granted, 0: any
long long system_live = 0;
long long system_limit_live = 0; // most blocks at once, 0: any

void *system_allocate(std::size_t bytes)
{
  const std::lock_guard<std::mutex> lock(system_mutex);
  if (system_limit && bytes > system_limit) return nullptr;
  if (system_limit_live && system_live >= system_limit_live) throw std::bad_alloc();
  system_live++;
  return std::aligned_alloc(64, bytes);
}

void system_release(void *p)
{
  const std::lock_guard<std::mutex> lock(system_mutex);
  system_live--;
  std::free(p);
}

class Pool : public testing::Test
{
protected:
  void SetUp() override
  {
    system_limit = 0;
    system_limit_live = 0;
    ASSERT_EQ(system_live, 0);
  }
  void TearDown() override { EXPECT_EQ(system_live, 0) << "blocks that no test returned"; }
};

std::string complaint(ErrorKind kind, MemoryPool &pool, std::size_t bytes)
{
  try {
    pool.get(bytes, "loadGaugeQuda", "gauge.cpp", 17);
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "";
}

} // namespace

TEST_F(Pool, GivesWritableDistinctBlocks)
{
  MemoryPool pool("device", system_allocate, system_release);
  std::set<void *> blocks;
  for (std::size_t bytes : {0, 1, 63, 64, 65, 1000}) {
    void *p = pool.get(bytes);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0u);
    std::memset(p, 0x5a, bytes);
    EXPECT_TRUE(blocks.insert(p).second);
  }
  EXPECT_EQ(pool.counts().live_blocks, 6);
  EXPECT_EQ(pool.counts().live_bytes, 64u + 64 + 64 + 64 + 128 + 1024);
  for (void *p : blocks) pool.put(p);
  EXPECT_EQ(pool.counts().live_blocks, 0);
  EXPECT_EQ(pool.counts().live_bytes, 0u);
  EXPECT_EQ(pool.counts().cached_blocks, 6);
}

TEST_F(Pool, AllocationsAreConstantOverRepeatedCalls)
{
  MemoryPool pool("device", system_allocate, system_release);
  for (int call = 0; call < 1000; call++) {
    void *a = pool.get(100000), *b = pool.get(5000), *c = pool.get(200);
    pool.put(b);
    pool.put(a);
    pool.put(c);
  }
  EXPECT_EQ(pool.counts().allocations, 3);
  EXPECT_EQ(pool.counts().requests, 3000);
  EXPECT_EQ(system_live, 3);
  pool.flush();
  EXPECT_EQ(system_live, 0);
  EXPECT_EQ(pool.counts().cached_bytes, 0u);
}

TEST_F(Pool, ReusesTheSmallestBlockThatFits)
{
  MemoryPool pool("device", system_allocate, system_release);
  void *small = pool.get(6400), *middle = pool.get(7040), *large = pool.get(64000);
  pool.put(large);
  pool.put(middle);
  pool.put(small);
  EXPECT_EQ(pool.get(6300), small);
  EXPECT_EQ(pool.get(6300), middle); // within a quarter
  void *fresh = pool.get(6300);      // the large one would be wasted
  EXPECT_NE(fresh, large);
  EXPECT_EQ(pool.counts().allocations, 4);
  EXPECT_EQ(pool.get(51200), large); // exactly a quarter more
  for (void *p : {small, middle, large, fresh}) pool.put(p);
  void *above = pool.get(51136);
  EXPECT_NE(above, large);
  pool.put(above);
}

TEST_F(Pool, LargeBlocksAreWholePages)
{
  MemoryPool pool("device", system_allocate, system_release);
  void *p = pool.get((std::size_t {1} << 24) + 1);
  EXPECT_EQ(pool.counts().live_bytes, (std::size_t {1} << 24) + (std::size_t {1} << 21));
  pool.put(p);
}

TEST_F(Pool, PeakCountsKeptBlocks)
{
  MemoryPool pool("device", system_allocate, system_release);
  pool.put(pool.get(6400));
  pool.put(pool.get(64000));
  EXPECT_EQ(pool.counts().peak_bytes, 70400u);
  pool.flush();
  pool.put(pool.get(640));
  EXPECT_EQ(pool.counts().peak_bytes, 70400u);
}

TEST_F(Pool, UnknownPointersAreRefused)
{
  MemoryPool pool("device", system_allocate, system_release), other("pinned host", system_allocate, system_release);
  int on_the_stack = 0;
  EXPECT_THROW(pool.put(&on_the_stack), Error);
  void *p = pool.get(64);
  EXPECT_THROW(other.put(p), Error);
  pool.put(nullptr);
  pool.put(p);
  expect_refused(ErrorKind::internal, {"freeGaugeQuda", "device"},
                 [&] { pool.put(p, "freeGaugeQuda", "gauge.cpp", 99); });
}

TEST_F(Pool, OutOfMemoryNamesSizeAndPlace)
{
  MemoryPool pool("pinned host", system_allocate, system_release);
  system_limit = 1000000;
  const std::string said = complaint(ErrorKind::out_of_memory, pool, 123456789);
  EXPECT_NE(said.find("loadGaugeQuda"), std::string::npos) << said;
  EXPECT_NE(said.find("pinned host"), std::string::npos) << said;
  EXPECT_NE(said.find("123456789"), std::string::npos) << said;
  EXPECT_NE(said.find("gauge.cpp:17"), std::string::npos) << said;
  EXPECT_NE(complaint(ErrorKind::out_of_memory, pool, SIZE_MAX), "");
  EXPECT_NE(complaint(ErrorKind::out_of_memory, pool, SIZE_MAX - 63), "");
  EXPECT_EQ(pool.counts().live_blocks, 0);
  pool.put(pool.get(1000)); // and goes on
}

TEST_F(Pool, KeptBlocksMakeRoom)
{
  MemoryPool pool("device", system_allocate, system_release);
  system_limit_live = 2;
  pool.put(pool.get(64));
  void *held = pool.get(6400);
  void *p = pool.get(64000); // only fits once the first block is gone
  EXPECT_EQ(pool.counts().cached_blocks, 0);
  EXPECT_EQ(system_live, 2);
  pool.put(p);
  pool.put(held);
}

TEST_F(Pool, SwitchedOffKeepsNothing)
{
  const Variable device("QUDA_ENABLE_DEVICE_MEMORY_POOL", "0"), pinned("QUDA_ENABLE_PINNED_MEMORY_POOL", nullptr);
  MemoryPool pool("device", system_allocate, system_release), other("pinned host", system_allocate, system_release);
  pool.put(pool.get(64));
  EXPECT_EQ(system_live, 0);
  other.put(other.get(64));
  EXPECT_EQ(system_live, 1);
  pinned.set("0");
  other.flush(); // reads the environment again
  other.put(other.get(64));
  EXPECT_EQ(system_live, 0);
  pinned.set("perhaps");
  other.flush();
  EXPECT_THROW(other.get(64), Error);
}

TEST_F(Pool, LeaksAreNamedOldestFirst)
{
  MemoryPool pool("device", system_allocate, system_release);
  EXPECT_EQ(pool.leak_report(), "");
  void *first = pool.get(1000, "loadGaugeQuda", "gauge.cpp", 10);
  void *returned = pool.get(77, "plaqQuda", "plaq.cpp", 20);
  void *second = pool.get(5, "dslashQuda", "dslash.cpp", 30);
  pool.put(returned);
  EXPECT_EQ(pool.leak_report(),
            "1000 bytes of device memory asked for in loadGaugeQuda (gauge.cpp:10) were never given back\n"
            "5 bytes of device memory asked for in dslashQuda (dslash.cpp:30) were never given back\n");
  pool.put(second);
  pool.put(first);
  EXPECT_EQ(pool.leak_report(), "");
}

TEST_F(Pool, DefaultPlaceIsTheCallers)
{
  MemoryPool pool("device", system_allocate, system_release);
  void *p = pool.get(64);
  EXPECT_NE(pool.leak_report().find("TestBody"), std::string::npos);
  EXPECT_NE(pool.leak_report().find("pool_test.cpp"), std::string::npos);
  pool.put(p);
}

TEST_F(Pool, PoisonIsNaNInEveryPrecision)
{
  const Variable variable("QUDA_POISON_MEMORY", "1");
  MemoryPool pool("device", system_allocate, system_release);
  for (int turn = 0; turn < 2; turn++) { // fresh, then reused
    void *p = pool.get(1000);
    EXPECT_EQ(pool.counts().allocations, 1);
    double d[125];
    float f[250];
    std::memcpy(d, p, 1000);
    std::memcpy(f, p, 1000);
    for (const double x : d) ASSERT_TRUE(std::isnan(x));
    for (const float x : f) ASSERT_TRUE(std::isnan(x));
    std::uint64_t bits;
    std::memcpy(&bits, p, sizeof bits);
    EXPECT_EQ(bits >> 51 & 1, 0u) << "a quiet NaN";
    std::memset(p, 0, 1000);
    pool.put(p);
  }
}

TEST_F(Pool, PoisonGoesThroughThePoolsOwnFill)
{
  const Variable variable("QUDA_POISON_MEMORY", "1");
  static std::size_t filled = 0;
  static std::uint32_t with = 0;
  MemoryPool pool("device", system_allocate, system_release, [](void *, std::size_t bytes, std::uint32_t word) {
    filled += bytes;
    with = word;
  });
  pool.put(pool.get(100));
  EXPECT_EQ(filled, 128u);
  EXPECT_EQ(with, poison_word);
}

TEST_F(Pool, Threads)
{
  MemoryPool pool("device", system_allocate, system_release);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&pool, t] {
      for (int i = 0; i < 2000; i++) {
        const std::size_t bytes = 64u * static_cast<std::size_t>(1 + (i * 7 + t) % 20);
        void *p = pool.get(bytes);
        std::memset(p, t, bytes);
        pool.put(p);
      }
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(pool.counts().live_blocks, 0);
  EXPECT_EQ(pool.counts().requests, 8000);
}

TEST_F(Pool, PeakLines)
{
  MemoryPool device("device", system_allocate, system_release), pinned("pinned host", system_allocate, system_release),
      managed("managed", system_allocate, system_release);
  device.put(device.get(3 << 20));
  pinned.put(pinned.get(1 << 20));
  managed.put(managed.get(2 << 20));
  const CapturedLog log;
  print_peak_memory(device, pinned, managed);
  EXPECT_NE(log.text().find("Device memory used = 3.0 MiB\n"), std::string::npos);
  EXPECT_NE(log.text().find("Managed memory used = 2.0 MiB\n"), std::string::npos);
  EXPECT_NE(log.text().find("Page-locked host memory used = 1.0 MiB\n"), std::string::npos);
  EXPECT_NE(log.text().find("Total host memory used >= 1.0 MiB\n"), std::string::npos);
}

support::Overtaking overtaking;

/// Whatever a second thread asks of the pool waits until the first has its block.
TEST_F(Pool, OneThreadAtATime)
{
  const auto slowly = [](std::size_t bytes) {
    overtaking.within();
    return system_allocate(bytes);
  };
  MemoryPool pool("device", slowly, system_release);
  void *mine = nullptr, *kept = pool.get(64), *back = pool.get(64), *other = nullptr;
  pool.put(kept);
  const struct {
    const char *name;
    std::function<void()> call;
  } calls[] = {
      {"get", [&] { other = pool.get(64); }},
      {"put", [&] { pool.put(back); }},
      {"flush", [&] { pool.flush(); }},
      {"counts", [&] { pool.counts(); }},
      {"leak_report", [&] { pool.leak_report(); }},
      {"poisons", [&] { pool.poisons(); }},
  };
  for (const auto &[name, call] : calls) {
    EXPECT_FALSE(overtaking([&] { mine = pool.get(1 << 20); }, call)) << name;
    pool.put(mine);
    pool.flush(); // so that the next block comes from the system
  }
  pool.put(other);
  pool.flush();
}
