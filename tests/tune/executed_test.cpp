/// What a launch executes: every forced parameter reaches a real kernel, the Wilson hop. The processor stops after each
/// instruction of the hop's launch (trap flag), and those that prefetch, that store past the cache and that wait for
/// such stores are counted, on the calling thread.

#include <gtest/gtest.h>

#include "core/environment_support.h"
#include "interface/session.h"
#include "targets/target.h"
#include "tune/tune_cache.h"
#include "tune/tune_clock.h"

#if defined(__x86_64__) && defined(__linux__)

#include <csignal>
#include <cstdint>

#include <ucontext.h>

namespace
{

struct Executed {
  long long all, prefetches, streams, fences;
};
Executed executed;

/// Adds the instruction at p.
void count(const std::uint8_t *p)
{
  executed.all++;
  int map = 0, opcode = 0;
  if (*p == 0xC5) { // VEX, EVEX: the map of opcodes 0F is number 1
    map = 1;
    opcode = p[2];
  } else if (*p == 0xC4) {
    map = p[1] & 0x1f;
    opcode = p[3];
  } else if (*p == 0x62) {
    map = p[1] & 7;
    opcode = p[4];
  } else {
    while (*p == 0x66 || *p == 0xF2 || *p == 0xF3 || *p == 0x2E || *p == 0x3E || (*p & 0xF0) == 0x40) p++;
    if (p[0] != 0x0F) return;
    map = 1;
    opcode = p[1];
    executed.prefetches += opcode == 0x18;
    executed.fences += opcode == 0xAE && p[2] == 0xF8;
  }
  executed.streams += map == 1 && (opcode == 0x2B || opcode == 0xE7); // movntp[sd], movntdq
}

void on_trap(int, siginfo_t *, void *context)
{
  const auto &registers = static_cast<const ucontext_t *>(context)->uc_mcontext.gregs;
  count(reinterpret_cast<const std::uint8_t *>(registers[REG_RIP]));
}

__attribute__((always_inline)) inline void stop_after_each_instruction(bool yes)
{
  if (yes)
    asm volatile("sub $128, %%rsp\n pushfq\n orq $0x100, (%%rsp)\n popfq\n add $128, %%rsp" ::: "memory", "cc");
  else
    asm volatile("sub $128, %%rsp\n pushfq\n andq $~0x100, (%%rsp)\n popfq\n add $128, %%rsp" ::: "memory", "cc");
}

bool stepping = false;

/// Asked just before and just after a launch.
double clock_of_launches()
{
  const bool hop = quda::last_kernel() && std::string(quda::last_kernel()->name) == "Wilson";
  if (stepping || hop) {
    stepping = !stepping;
    stop_after_each_instruction(stepping);
  }
  return 0;
}

class ExecutedTest : public testing::Test
{
protected:
  void SetUp() override
  {
    if (std::getenv("TESTED_UNDER")) GTEST_SKIP() << "no single instructions under " << std::getenv("TESTED_UNDER");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers make their own instructions";
#endif
    struct sigaction action {
    };
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGTRAP, &action, &before_);
    executed = {};
    stop_after_each_instruction(true);
    asm volatile("nop\n nop\n nop");
    stop_after_each_instruction(false);
    if (executed.all == 0) GTEST_SKIP() << "the trap flag has no effect on this system";
  }
  void TearDown() override
  {
    quda::set_tune_clock(nullptr);
    sigaction(SIGTRAP, &before_, nullptr);
  }

  /// Of one hop; eight registers of floats where a register holds 16.
  static Executed hop(const std::string &forced)
  {
    const Variable target("QUDA_TARGET", "cpu"), force("QUDA_TUNE_FORCE", forced.c_str());
    const test::Handler handler;
    const test::Session session;
    const reference::GaugeField unit(reference::Lattice({4, 4, 4, 4}));
    test::HostLinks<float> host(unit, reference::Part(unit.lattice), QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param =
        test::gauge_param(unit.lattice.X, {.host = QUDA_SINGLE_PRECISION, .precision = QUDA_SINGLE_PRECISION});
    loadGaugeQuda(host.pointer(), &param);
    QudaInvertParam wilson = test::wilson_param(QUDA_SINGLE_PRECISION);
    std::vector<float> in(24 * unit.lattice.half(), 1), out(in.size());
    executed = {};
    quda::set_tune_clock(clock_of_launches);
    dslashQuda(out.data(), in.data(), &wilson, QUDA_EVEN_PARITY);
    quda::set_tune_clock(nullptr);
    EXPECT_FALSE(stepping);
    EXPECT_EQ(out[0], 8);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
    return executed;
  }

private:
  struct sigaction before_ {
  };
};

} // namespace

TEST_F(ExecutedTest, ForcedParametersReachTheHop)
{
  const Executed plain = hop("threads=1,tile=0,prefetch=0,streaming=0");
  ASSERT_GT(plain.all, 1000);
  EXPECT_EQ(plain.prefetches, 0);
  EXPECT_EQ(plain.streams, 0);
  EXPECT_EQ(plain.fences, 0);
  const Executed ahead = hop("threads=1,prefetch=2,streaming=0");
  EXPECT_GT(ahead.prefetches, 0);
  EXPECT_EQ(ahead.streams, 0);
  const Executed past = hop("threads=1,prefetch=0,streaming=1");
  EXPECT_EQ(past.prefetches, 0);
  EXPECT_EQ(past.streams % (8 * 24), 0) << "all stores";
  EXPECT_GT(past.streams, 0);
  EXPECT_EQ(past.fences, 1);

  if (quda::target().max_threads() == 1) GTEST_SKIP() << "one thread";
  // by the number of its stores one sees what share of the work a thread had
  const auto share = [&](const char *forced, long long tile) {
    const std::string all = std::string("prefetch=0,streaming=1,") + forced + ",tile=" + std::to_string(tile);
    return static_cast<double>(hop(all).streams) / static_cast<double>(past.streams);
  };
  const long long n = past.streams / 24; // registers
  EXPECT_EQ(share("threads=2,schedule=0", n), 0.5);
  EXPECT_EQ(share("threads=2,schedule=1", n), 1) << "one tile, dealt to the first thread";
  EXPECT_EQ(share("threads=2,schedule=1", 3 * n / 4), 0.75);
}

#endif
