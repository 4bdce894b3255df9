/// What lanes, warps and blocks do together.

#include "ptx/harness.h"

#include <gtest/gtest.h>

#include <numeric>

namespace
{

using ptx::Array;
using ptx::run_body;
using Numbers = std::vector<std::int32_t>;

/// Stores %r0 for the thread, counted over blocks; %r1 is the thread, %r2 the lane.
const std::string head = "mov.u32 %r20, %ctaid.x; mov.u32 %r21, %ntid.x; mov.u32 %r22, %tid.x;\n"
                         "mad.lo.s32 %r1, %r20, %r21, %r22; mov.u32 %r2, %laneid;\n";
const std::string tail = "ld.param.u64 %rd20, [p0]; mul.wide.s32 %rd21, %r1, 4; add.s64 %rd20, %rd20, %rd21;\n"
                         "st.global.u32 [%rd20], %r0;\nret;";

Numbers of_each(const std::string &body, unsigned blocks, unsigned threads, int shared = 0,
                const std::string &before = "")
{
  Array<std::int32_t> to(Numbers(blocks * threads, -1));
  run_body(head + body + tail, {blocks}, {threads}, {to.address()}, shared, before);
  return to.get();
}

template <class F> Numbers numbers(int n, F f)
{
  Numbers all(n);
  for (int i = 0; i < n; i++) all[i] = f(i);
  return all;
}

} // namespace

TEST(Control, LanesLoopAsOftenAsTheyLike)
{
  const Numbers r = of_each("mov.u32 %r0, 0; mov.u32 %r3, 0;\nLOOP:\nsetp.ge.s32 %p1, %r3, %r1; @%p1 bra DONE;\n"
                            "add.s32 %r0, %r0, %r3; add.s32 %r3, %r3, 1; bra.uni LOOP;\nDONE:\n",
                            2, 70);
  EXPECT_EQ(r, numbers(140, [](int i) { return i * (i - 1) / 2; }));
}

TEST(Control, LanesMeetAgainBehindABranch)
{
  // odd lanes take a way of their own; behind it all vote together
  const Numbers r = of_each("and.b32 %r3, %r2, 1; setp.eq.s32 %p1, %r3, 0; mov.u32 %r4, 5; @%p1 bra JOIN;\n"
                            "mov.u32 %r4, 7;\nJOIN:\nsetp.eq.s32 %p2, %r4, 7; vote.sync.ballot.b32 %r0, %p2, -1;\n",
                            1, 32);
  EXPECT_EQ(r, Numbers(32, static_cast<int>(0xaaaaaaaa)));
}

TEST(Control, Shuffles)
{
  const auto shuffled = [](const std::string &what) { return of_each("mov.u32 %r3, -1; " + what + "\n", 1, 32); };
  EXPECT_EQ(shuffled("shfl.sync.bfly.b32 %r0, %r1, 5, 31, -1;"), numbers(32, [](int i) { return i ^ 5; }));
  EXPECT_EQ(shuffled("shfl.sync.idx.b32 %r0, %r1, 3, 31, -1;"), Numbers(32, 3));
  EXPECT_EQ(shuffled("shfl.sync.down.b32 %r0, %r1, 4, 31, -1;"), numbers(32, [](int i) { return i < 28 ? i + 4 : i; }));
  EXPECT_EQ(shuffled("shfl.sync.up.b32 %r0, %r1, 4, 0, -1;"), numbers(32, [](int i) { return i < 4 ? i : i - 4; }));
  EXPECT_EQ(shuffled("shfl.sync.down.b32 %r0|%p1, %r1, 4, 31, -1; selp.b32 %r0, 1, 0, %p1;"),
            numbers(32, [](int i) { return i < 28; }));
}

TEST(Control, SumOfAWarp)
{
  std::string body = "mov.u32 %r0, %r1;\n";
  for (int step = 16; step > 0; step /= 2)
    body += "shfl.sync.bfly.b32 %r3, %r0, " + std::to_string(step) + ", 31, -1; add.s32 %r0, %r0, %r3;\n";
  EXPECT_EQ(of_each(body, 1, 32), Numbers(32, 31 * 16));
}

TEST(Control, AGuardIsForItsInstructionAlone)
{
  EXPECT_EQ(
      of_each("mov.u32 %r0, 1; setp.gt.s32 %p1, %r1, 9; @%p1 mov.u32 %r0, 2; @!%p1 add.s32 %r0, %r0, 10;\n", 1, 20),
      numbers(20, [](int i) { return i > 9 ? 2 : 11; }));
}

TEST(Control, SharedMemoryOfSeveralWarps)
{
  const std::string body = "mov.u32 %r3, room; shl.b32 %r4, %r22, 2; add.s32 %r5, %r3, %r4; st.shared.u32 [%r5], %r1;\n"
                           "bar.sync 0;\nsub.s32 %r6, 95, %r22; shl.b32 %r6, %r6, 2; add.s32 %r6, %r3, %r6;\n"
                           "ld.shared.u32 %r0, [%r6];\n";
  EXPECT_EQ(of_each(body, 2, 96, 96 * 4, ".extern .shared .align 16 .b8 room[];"),
            numbers(192, [](int i) { return i / 96 * 96 + 95 - i % 96; }));
}

TEST(Control, AFunctionIsCalled)
{
  const std::string twice = ".func (.param .b32 back) twice(.param .b32 x)\n{\n.reg .b32 %r<3>;\n"
                            "ld.param.u32 %r1, [x]; add.s32 %r2, %r1, %r1; st.param.b32 [back], %r2; ret;\n}\n";
  const std::string body = "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), twice, (a);\n"
                           "ld.param.b32 %r0, [b]; }\n";
  EXPECT_EQ(of_each(body, 1, 40, 0, twice), numbers(40, [](int i) { return 2 * i; }));
}

TEST(Control, AtomicsOfManyBlocks)
{
  Array<std::int32_t> sum(Numbers {0, -5});
  run_body(head +
               "ld.param.u64 %rd1, [p0]; atom.global.add.u32 %r3, [%rd1], %r1; red.global.max.s32 [%rd1+4], %r1; ret;",
           {7}, {50}, {sum.address()});
  EXPECT_EQ(sum.get(), (Numbers {350 * 349 / 2, 349}));
}

TEST(Control, LocalMemoryIsTheThreadsOwn)
{
  const std::string body =
      ".local .align 8 .b8 own[16]; .reg .b64 %SP, %SPL;\nmov.u64 %SPL, own; cvta.local.u64 %SP, %SPL;\n"
      "st.local.u32 [%SPL+8], %r1; ld.u32 %r0, [%SP+8];\n";
  EXPECT_EQ(of_each(body, 1, 64), numbers(64, [](int i) { return i; }));
}
