/// Single instructions against the host's arithmetic and against results written down by hand.

#include "ptx/harness.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace
{

using Words = std::vector<std::uint64_t>;

int bits_of_type(const std::string &type) { return 8 * ptx::bytes_of(type); }

/// Results of `instruction`, which computes %d of a type from %a, %b, %c; operands are given lane by lane.
Words results(const std::string &instruction, const std::string &result, const std::vector<std::string> &types,
              const std::vector<Words> &operands)
{
  const std::size_t lanes = operands.at(0).size();
  Words in;
  for (const Words &o : operands) in.insert(in.end(), o.begin(), o.end());
  ptx::Array<std::uint64_t> from(in), to(Words(lanes, 0));
  std::string body = ".reg .b64 %at, %to; .reg .b32 %t;\n.reg ." + result + " %d;\n";
  body += "mov.u32 %t, %tid.x; mul.wide.u32 %at, %t, 8; ld.param.u64 %to, [p1]; add.s64 %to, %to, %at;\n"
          ".reg .b64 %from; ld.param.u64 %from, [p0]; add.s64 %from, %from, %at;\n";
  for (std::size_t q = 0; q < operands.size(); q++) {
    const std::string name = std::string("%") + "abcd"[q], type = types[q % types.size()];
    body += ".reg ." + (type == "pred" ? "pred" : type) + " " + (q == 3 ? "%e" : name) + ";\n";
    const std::string at = "[%from+" + std::to_string(8 * q * lanes) + "]";
    if (type == "pred")
      body += ".reg .b32 %w" + std::to_string(q) + "; ld.global.u32 %w" + std::to_string(q) + ", " + at +
              "; setp.ne.s32 " + name + ", %w" + std::to_string(q) + ", 0;\n";
    else
      body += "ld.global." + type + " " + (q == 3 ? "%e" : name) + ", " + at + ";\n";
  }
  body += instruction + ";\n";
  if (result == "pred")
    body += ".reg .b32 %o; selp.b32 %o, 1, 0, %d; st.global.b32 [%to], %o;\nret;";
  else
    body += "st.global.b" + std::to_string(bits_of_type(result)) + " [%to], %d;\nret;";
  ptx::run_text(ptx::module_text(body, 2), {1}, {static_cast<unsigned>(lanes)}, {from.address(), to.address()});
  return to.get();
}

std::uint64_t word(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t word(double x) { return std::bit_cast<std::uint64_t>(x); }
std::uint64_t word(std::int32_t x) { return static_cast<std::uint32_t>(x); }
std::uint64_t word(std::int64_t x) { return static_cast<std::uint64_t>(x); }

template <class T> std::vector<T> awkward()
{
  using L = std::numeric_limits<T>;
  return {T(0),           -T(0),        T(1),        -T(1),        T(1) / 3,        T(2.5),
          T(-3.5),        L::max(),     L::lowest(), L::min(),     L::denorm_min(), L::infinity(),
          -L::infinity(), L::epsilon(), T(1e10),     -L::min() / 4};
}

/// All pairs of awkward numbers, 16 lanes at a time.
template <class T, class F> void against_host(const std::string &instruction, F host)
{
  const std::string type = sizeof(T) == 4 ? "f32" : "f64";
  const std::vector<T> all = awkward<T>();
  for (const T b : all) {
    Words a, bs, c;
    for (const T x : all) a.push_back(word(x)), bs.push_back(word(b)), c.push_back(word(T(0.1) * x));
    const Words r = results(instruction, type, {type}, {a, bs, c});
    for (std::size_t l = 0; l < all.size(); l++) {
      const T right = host(all[l], b, T(0.1) * all[l]);
      if (right != right) {
        T got;
        std::memcpy(&got, &r[l], sizeof got);
        EXPECT_NE(got, got) << instruction << " of " << all[l] << ", " << b;
      } else {
        EXPECT_EQ(r[l], word(right)) << instruction << " of " << all[l] << ", " << b;
      }
    }
  }
}

} // namespace

TEST(Arithmetic, FloatingPointIsTheHosts)
{
  against_host<float>("add.rn.f32 %d, %a, %b", [](float a, float b, float) { return a + b; });
  against_host<double>("add.rn.f64 %d, %a, %b", [](double a, double b, double) { return a + b; });
  against_host<float>("sub.f32 %d, %a, %b", [](float a, float b, float) { return a - b; });
  against_host<float>("mul.rn.f32 %d, %a, %b", [](float a, float b, float) { return a * b; });
  against_host<double>("mul.rn.f64 %d, %a, %b", [](double a, double b, double) { return a * b; });
  against_host<float>("div.rn.f32 %d, %a, %b", [](float a, float b, float) { return a / b; });
  against_host<double>("div.rn.f64 %d, %a, %b", [](double a, double b, double) { return a / b; });
  against_host<float>("fma.rn.f32 %d, %a, %b, %c", [](float a, float b, float c) { return std::fma(a, b, c); });
  against_host<double>("fma.rn.f64 %d, %a, %b, %c", [](double a, double b, double c) { return std::fma(a, b, c); });
  against_host<double>("sqrt.rn.f64 %d, %a", [](double a, double, double) { return std::sqrt(a); });
  against_host<double>("rcp.rn.f64 %d, %a", [](double a, double, double) { return 1 / a; });
  against_host<float>("neg.f32 %d, %a", [](float a, float, float) { return -a; });
}

TEST(Arithmetic, FusedRoundsOnce)
{
  const double a = 1 + 0x1p-30, c = -1 - 0x1p-29;
  EXPECT_EQ(results("fma.rn.f64 %d, %a, %b, %c", "f64", {"f64"}, {{word(a)}, {word(a)}, {word(c)}})[0], word(0x1p-60));
  EXPECT_EQ(results("mul.rn.f64 %d, %a, %b", "f64", {"f64"}, {{word(a)}, {word(a)}})[0], word(1 + 0x1p-29));
}

TEST(Arithmetic, OtherRoundings)
{
  const Words one {word(1.f)}, tiny {word(0x1p-40f)}, minus {word(-0x1p-40f)};
  EXPECT_EQ(results("add.rp.f32 %d, %a, %b", "f32", {"f32"}, {one, tiny})[0], word(1 + 0x1p-23f));
  EXPECT_EQ(results("add.rm.f32 %d, %a, %b", "f32", {"f32"}, {one, minus})[0], word(1 - 0x1p-24f));
  EXPECT_EQ(results("add.rz.f32 %d, %a, %b", "f32", {"f32"}, {one, minus})[0], word(1 - 0x1p-24f));
  EXPECT_EQ(results("add.rn.f32 %d, %a, %b", "f32", {"f32"}, {one, tiny})[0], word(1.f));
  EXPECT_EQ(results("cvt.rp.f32.f64 %d, %a", "f32", {"f64"}, {{word(1 + 0x1p-40)}})[0], word(1 + 0x1p-23f));
  EXPECT_EQ(results("cvt.rz.f32.f64 %d, %a", "f32", {"f64"}, {{word(1 - 0x1p-40)}})[0], word(1 - 0x1p-24f));
}

TEST(Arithmetic, LeastAndLargestPreferNumbers)
{
  const std::uint64_t nan = word(std::numeric_limits<float>::quiet_NaN());
  const Words a {nan, word(1.f), nan, word(0.f), word(-0.f), word(2.f)};
  const Words b {word(1.f), nan, nan, word(-0.f), word(0.f), word(3.f)};
  EXPECT_EQ(results("max.f32 %d, %a, %b", "f32", {"f32"}, {a, b}),
            (Words {word(1.f), word(1.f), 0x7fffffff, word(0.f), word(0.f), word(3.f)}));
  EXPECT_EQ(results("min.f32 %d, %a, %b", "f32", {"f32"}, {a, b}),
            (Words {word(1.f), word(1.f), 0x7fffffff, word(-0.f), word(-0.f), word(2.f)}));
}

TEST(Arithmetic, Integers)
{
  const auto s32 = [](const std::string &text, std::int32_t a, std::int32_t b, std::int32_t c = 0) {
    return results(text + " %d, %a, %b" + (text[1] == 'a' && text[2] == 'd' ? ", %c" : ""), "s32", {"s32"},
                   {{word(a)}, {word(b)}, {word(c)}})[0];
  };
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(s32("add.s32", 0x7fffffff, 1), word(least));
  EXPECT_EQ(s32("div.s32", -7, 2), word(-3));
  EXPECT_EQ(s32("rem.s32", -7, 2), word(-1));
  EXPECT_EQ(s32("div.s32", least, -1), word(least));
  EXPECT_EQ(s32("div.s32", least, 1), word(least));
  EXPECT_EQ(s32("div.s32", 2147483647, 2147483646), word(1));
  EXPECT_EQ(s32("mul.hi.s32", least, 4), word(-2));
  EXPECT_EQ(s32("mul.lo.s32", 65537, 65537), word(131073));
  EXPECT_EQ(s32("mad.lo.s32", 3, 5, -16), word(-1));
  EXPECT_EQ(s32("shr.s32", -8, 1), word(-4));
  EXPECT_EQ(s32("shr.s32", -8, 40), word(-1));
  EXPECT_EQ(s32("shl.b32", 1, 31), word(least));
  EXPECT_EQ(s32("shl.b32", 1, 32), 0U);
  EXPECT_EQ(results("mul.wide.s32 %d, %a, %b", "s64", {"s32"}, {{word(least)}, {word(2)}})[0],
            word(std::int64_t(least) * 2));
  EXPECT_EQ(results("mul.hi.u64 %d, %a, %b", "u64", {"u64"}, {{~0ull}, {16}})[0], 15U);
  EXPECT_EQ(results("abs.s32 %d, %a", "s32", {"s32"}, {{word(-5)}})[0], 5U);
}

TEST(Arithmetic, BitsAndFields)
{
  const auto b32 = [](const std::string &text, Words operands) {
    std::vector<Words> each;
    for (std::uint64_t o : operands) each.push_back({o});
    return results(text, "b32", {"b32"}, each)[0];
  };
  EXPECT_EQ(b32("prmt.b32 %d, %a, %b, 30292", {0x33221100, 0x77665544}), 0x77665544U); // 0x7654
  EXPECT_EQ(b32("prmt.b32 %d, %a, %b, 8", {0x80, 0}), 0x808080ffU);                    // the sign of a byte
  EXPECT_EQ(b32("lop3.b32 %d, %a, %b, %c, 150", {0xff00, 0xf0f0, 0xcccc}), 0xff00U ^ 0xf0f0U ^ 0xccccU);
  EXPECT_EQ(b32("bfi.b32 %d, %a, %b, 4, 8", {0xab, 0xffffffff}), 0xfffffabfU);
  EXPECT_EQ(b32("bfe.u32 %d, %a, 4, 8", {0xabcd}), 0xbcU);
  EXPECT_EQ(b32("bfe.s32 %d, %a, 4, 8", {0xabcd}), 0xffffffbcU);
  EXPECT_EQ(b32("shf.l.wrap.b32 %d, %a, %b, 8", {0x12345678, 0x9abcdef0}), 0xbcdef012U);
  EXPECT_EQ(b32("shf.r.wrap.b32 %d, %a, %b, 8", {0x12345678, 0x9abcdef0}), 0xf0123456U);
  EXPECT_EQ(b32("popc.b32 %d, %a", {0xf0f1}), 9U);
  EXPECT_EQ(b32("clz.b32 %d, %a", {0x10}), 27U);
  EXPECT_EQ(b32("brev.b32 %d, %a", {1}), 0x80000000U);
  EXPECT_EQ(b32("not.b32 %d, %a", {1}), 0xfffffffeU);
  EXPECT_EQ(results("mov.b64 %d, {%a, %b}", "b64", {"b32"}, {{1}, {2}})[0], 0x200000001U);
}

TEST(Arithmetic, Conversions)
{
  const auto f = [](float x) { return Words {word(x)}; };
  EXPECT_EQ(results("cvt.rni.s32.f32 %d, %a", "s32", {"f32"}, {f(2.5f)})[0], 2U);
  EXPECT_EQ(results("cvt.rni.s32.f32 %d, %a", "s32", {"f32"}, {f(-3.5f)})[0], word(-4));
  EXPECT_EQ(results("cvt.rzi.s32.f32 %d, %a", "s32", {"f32"}, {f(-3.9f)})[0], word(-3));
  EXPECT_EQ(results("cvt.rmi.s32.f32 %d, %a", "s32", {"f32"}, {f(-3.1f)})[0], word(-4));
  EXPECT_EQ(results("cvt.rni.s32.f32 %d, %a", "s32", {"f32"}, {f(3e9f)})[0], 0x7fffffffU);
  EXPECT_EQ(results("cvt.rni.s32.f32 %d, %a", "s32", {"f32"}, {f(-3e9f)})[0], 0x80000000U);
  EXPECT_EQ(results("cvt.rni.s32.f32 %d, %a", "s32", {"f32"}, {f(std::nanf(""))})[0], 0U);
  EXPECT_EQ(results("cvt.rzi.u32.f32 %d, %a", "u32", {"f32"}, {f(-1.f)})[0], 0U);
  EXPECT_EQ(results("cvt.rni.f32.f32 %d, %a", "f32", {"f32"}, {f(0.5f)})[0], word(0.f));
  EXPECT_EQ(results("cvt.rn.f32.s16 %d, %a", "f32", {"s16"}, {{0xffff}})[0], word(-1.f));
  EXPECT_EQ(results("cvt.rn.f64.s64 %d, %a", "f64", {"s64"}, {{word(std::int64_t(-7))}})[0], word(-7.));
  EXPECT_EQ(results("cvt.rn.f32.u64 %d, %a", "f32", {"u64"}, {{~0ull}})[0], word(0x1p64f));
  EXPECT_EQ(results("cvt.f64.f32 %d, %a", "f64", {"f32"}, {f(0.1f)})[0], word(static_cast<double>(0.1f)));
  // a register may be wider than the type
  EXPECT_EQ(results("cvt.s64.s32 %d, %a", "b64", {"b64"}, {{0x1ffffffff}})[0], ~0ull);
  EXPECT_EQ(results("cvt.u32.u16 %d, %a", "b32", {"b32"}, {{0xabcd1234}})[0], 0x1234U);
  EXPECT_EQ(results("cvt.s16.s8 %d, %a", "s16", {"s16"}, {{0x80}})[0], 0xff80U);
}

TEST(Arithmetic, ComparisonsWithNaN)
{
  const std::uint64_t nan = word(std::nan(""));
  const auto holds = [&](const std::string &how, double a, double b) {
    return results("setp." + how + ".f64 %d, %a, %b", "pred", {"f64"}, {{word(a)}, {word(b)}})[0] == 1;
  };
  const double x = std::bit_cast<double>(nan);
  for (const char *how : {"eq", "ne", "lt", "le", "gt", "ge", "num"}) EXPECT_FALSE(holds(how, x, 1)) << how;
  for (const char *how : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"}) EXPECT_TRUE(holds(how, 1, x)) << how;
  EXPECT_TRUE(holds("lt", 1, 2));
  EXPECT_FALSE(holds("geu", 1, 2));
  EXPECT_TRUE(holds("ne", 1, 2));
}

TEST(Arithmetic, AnUnknownInstructionIsNamed)
{
  try {
    results("tanh.approx.f32 %d, %a", "f32", {"f32"}, {{0}});
    FAIL();
  } catch (const ptx::Unknown &u) {
    EXPECT_NE(std::string(u.what()).find("tanh.approx.f32"), std::string::npos) << u.what();
  }
}
