/// Faults put into kernels on purpose: each is found, and named with its line and thread.

#include "ptx/harness.h"

#include <gtest/gtest.h>

namespace
{

using ptx::Array;
using ptx::Fault;

class Checks : public testing::Test
{
protected:
  void SetUp() override
  {
    ptx::forget_findings();
    ptx::print_findings(false);
    ptx::checks().races = true;
  }
  void TearDown() override
  {
    ptx::forget_findings();
    ptx::print_findings(true);
    ptx::checks().races = false;
  }

  /// %r1: thread; %rd1: its word of p0; room: shared memory.
  void run(const std::string &body, unsigned blocks, unsigned threads, std::vector<std::uint64_t> arguments,
           int shared = 0)
  {
    const std::string head =
        "mov.u32 %r20, %ctaid.x; mov.u32 %r21, %ntid.x; mov.u32 %r22, %tid.x;\n"
        "mad.lo.s32 %r1, %r20, %r21, %r22; ld.param.u64 %rd1, [p0]; mul.wide.s32 %rd2, %r1, 4;\n"
        "add.s64 %rd1, %rd1, %rd2; mov.u32 %r9, room; shl.b32 %r10, %r22, 2; add.s32 %r11, %r9, %r10;\n";
    ended = false;
    try {
      ptx::run_body(head + body, {blocks}, {threads}, arguments, shared, ".extern .shared .align 16 .b8 room[];");
    } catch (const ptx::LaunchFault &) {
      ended = true;
    }
  }
  /// Findings are of this sort, and one names the instruction and begins with this block and thread.
  void expect(Fault fault, const std::string &instruction, const std::string &first)
  {
    bool there = false;
    std::string told;
    for (const ptx::Finding &one : ptx::findings()) {
      EXPECT_EQ(one.fault, fault) << ptx::name_of(one.fault);
      EXPECT_NE(one.where.find("k, PTX line "), std::string::npos) << one.where;
      there = there || (one.where.find(instruction) != std::string::npos && one.first.rfind(first, 0) == 0);
      told += one.where + "; " + one.first + "\n";
    }
    EXPECT_TRUE(there) << told;
    EXPECT_EQ(ended, ptx::ends_launch(fault));
  }

  bool ended = false;
};

const std::vector<std::int32_t> some(64, 3);

} // namespace

TEST_F(Checks, SoundKernelsHaveNone)
{
  Array<std::int32_t> a(some);
  run("st.shared.u32 [%r11], %r1; bar.sync 0;\nxor.b32 %r12, %r10, 4; add.s32 %r12, %r9, %r12; ld.shared.u32 %r3, "
      "[%r12];\n"
      "st.global.u32 [%rd1], %r3; ret;",
      2, 32, {a.address()}, 128);
  EXPECT_TRUE(ptx::findings().empty());
}

TEST_F(Checks, AnIndexOneTooFar)
{
  Array<std::int32_t> a(some);
  run("ld.global.u32 %r3, [%rd1+4]; ret;", 2, 32, {a.address()});
  expect(Fault::out_of_bounds, "ld.global.u32 %r3, [%rd1+4]", "block 1,0,0 thread 31,0,0");
  EXPECT_NE(ptx::findings()[0].first.find("0 bytes behind an allocation of 256"), std::string::npos);
}

TEST_F(Checks, TooManyBlocksAtTheEdge)
{
  Array<std::int32_t> a(some);
  run("st.global.u32 [%rd1], %r1; ret;", 3, 32, {a.address()});
  expect(Fault::out_of_bounds, "st.global.u32 [%rd1], %r1", "block 2,0,0 thread 0,0,0");
}

TEST_F(Checks, MemoryThatWasReleased)
{
  std::uint64_t gone = 0;
  {
    Array<std::int32_t> a(some);
    gone = a.address();
  }
  run("ld.global.u32 %r3, [%rd1]; ret;", 1, 32, {gone});
  expect(Fault::out_of_bounds, "ld.global.u32", "block 0,0,0 thread 0,0,0");
}

TEST_F(Checks, AHostPointerOnTheDevice)
{
  std::vector<std::int32_t> host(64);
  run("ld.global.u32 %r3, [%rd1]; ret;", 1, 32, {reinterpret_cast<std::uint64_t>(host.data())});
  expect(Fault::out_of_bounds, "ld.global.u32", "block 0,0,0 thread 0,0,0");
  EXPECT_NE(ptx::findings()[0].first.find("no memory of a device"), std::string::npos);
}

TEST_F(Checks, AMisalignedVector)
{
  Array<std::int32_t> a(some);
  run("ld.global.v2.u32 {%r3, %r4}, [%rd1]; ret;", 1, 32, {a.address()});
  expect(Fault::misaligned, "ld.global.v2.u32", "block 0,0,0 thread 1,0,0");
}

TEST_F(Checks, AnAccumulatorWithoutAValue)
{
  Array<std::int32_t> sum(1);
  run("ld.param.u64 %rd3, [p0]; red.global.add.s32 [%rd3], %r1; ret;", 1, 32, {sum.address()});
  expect(Fault::unwritten, "red.global.add.s32", "block 0,0,0 thread 0,0,0");
}

TEST_F(Checks, SharedMemoryThatNobodyWrote)
{
  Array<std::int32_t> a(some);
  run("ld.shared.u32 %r3, [%r11]; st.global.u32 [%rd1], %r3; ret;", 1, 32, {a.address()}, 128);
  expect(Fault::unwritten, "ld.shared.u32", "block 0,0,0 thread 0,0,0");
}

TEST_F(Checks, SharedMemoryTooSmall)
{
  Array<std::int32_t> a(some);
  run("st.shared.u32 [%r11], %r1; ret;", 1, 32, {a.address()}, 124);
  expect(Fault::shared_bounds, "st.shared.u32", "block 0,0,0 thread 31,0,0");
}

TEST_F(Checks, AMissingBarrier)
{
  Array<std::int32_t> a(some);
  run("st.shared.u32 [%r11], %r1;\nxor.b32 %r12, %r10, 128; add.s32 %r12, %r9, %r12; st.shared.u32 [%r12], %r1;\nret;",
      1, 64, {a.address()}, 256);
  expect(Fault::shared_race, "st.shared.u32 [%r11], %r1", "block 0,0,0 thread 32,0,0"); // warp 0 has written by then
}

TEST_F(Checks, SharedMemoryUsedAgainBeforeItWasRead)
{
  Array<std::int32_t> a(some);
  run("st.shared.u32 [%r11], %r1; bar.sync 0;\nxor.b32 %r12, %r10, 128; add.s32 %r12, %r9, %r12; ld.shared.u32 %r3, "
      "[%r12];\n"
      "st.shared.u32 [%r11], %r3; ret;",
      1, 64, {a.address()}, 256);
  expect(Fault::shared_race, "st.shared.u32 [%r11], %r3", "block 0,0,0 thread 32,0,0");
}

TEST_F(Checks, ARaceBetweenBlocks)
{
  Array<std::int32_t> a(some);
  run("ld.param.u64 %rd3, [p0]; setp.ne.s32 %p1, %r22, 0; @%p1 bra END; st.global.u32 [%rd3], %r1;\nEND:\nret;", 2, 32,
      {a.address()});
  expect(Fault::device_race, "st.global.u32 [%rd3], %r1", "block 1,0,0 thread 0,0,0");
}

TEST_F(Checks, ARaceWithinABlockInDeviceMemory)
{
  Array<std::int32_t> a(some);
  run("st.global.u32 [%rd1], %r1;\nsub.s32 %r3, 63, %r1; ld.param.u64 %rd3, [p0]; mul.wide.s32 %rd4, %r3, 4;\n"
      "add.s64 %rd3, %rd3, %rd4; ld.global.u32 %r4, [%rd3]; ret;",
      1, 64, {a.address()});
  expect(Fault::device_race, "st.global.u32 [%rd1], %r1", "block 0,0,0 thread 32,0,0"); // warp 0 has read by then
}

TEST_F(Checks, ABarrierBetweenOrdersABlock)
{
  Array<std::int32_t> a(some);
  run("st.global.u32 [%rd1], %r1;\nbar.sync 0; sub.s32 %r3, 63, %r1; ld.param.u64 %rd3, [p0]; mul.wide.s32 %rd4, %r3, "
      "4;\n"
      "add.s64 %rd3, %rd3, %rd4; ld.global.u32 %r4, [%rd3]; ret;",
      1, 64, {a.address()});
  EXPECT_TRUE(ptx::findings().empty());
}

TEST_F(Checks, AWrongShuffleMask)
{
  Array<std::int32_t> a(some);
  run("setp.gt.s32 %p1, %r22, 15; @%p1 bra END; shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;\nEND:\nret;", 1, 32,
      {a.address()});
  expect(Fault::missing_lanes, "shfl.sync.bfly.b32", "block 0,0,0 thread");
}

TEST_F(Checks, LanesThatOnlyTheOthersName)
{
  Array<std::int32_t> a(some);
  run("shfl.sync.bfly.b32 %r3, %r1, 1, 31, 65535; ret;", 1, 32, {a.address()});
  expect(Fault::missing_lanes, "shfl.sync.bfly.b32", "block 0,0,0 thread 16,0,0");
}

TEST_F(Checks, DifferentBarriers)
{
  Array<std::int32_t> a(some);
  run("setp.gt.s32 %p1, %r22, 31; @%p1 bra OTHER;\nbar.sync 0; ret;\nOTHER:\nbar.sync 0; ret;", 1, 64, {a.address()});
  expect(Fault::barrier, "bar.sync 0", "block 0,0,0 thread 32,0,0");
}

TEST_F(Checks, AWriteToParameters)
{
  Array<std::int32_t> a(some);
  run("mov.b64 %rd3, p0; st.u32 [%rd3], %r1; ret;", 1, 32, {a.address()});
  expect(Fault::read_only, "st.u32", "block 0,0,0 thread 0,0,0");
}

/// The line of the PTX and, with line information, the line of the source.
TEST_F(Checks, PlacesAreNamed)
{
  const std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(\n.param .u64 p0\n)\n{\n"
                           ".reg .b64 %rd<3>; .reg .b32 %r<2>;\n.loc 1 42 7\nld.param.u64 %rd1, [p0];\n"
                           "ld.global.u32 %r1, [%rd1];\nret;\n}\n.file 1 \"/a/stout.h\"\n";
  EXPECT_THROW(ptx::run_text(text, {1}, {1}, {0}), ptx::LaunchFault);
  ASSERT_EQ(ptx::findings().size(), 1U);
  EXPECT_EQ(ptx::findings()[0].where, "k, PTX line 11, /a/stout.h:42: ld.global.u32 %r1, [%rd1] (read)");
  EXPECT_NE(ptx::findings()[0].first.find("a null pointer"), std::string::npos);
}
