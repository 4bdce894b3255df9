/// Arithmetic of 32 lanes. Floating point is IEEE as PTX defines it: subnormals are numbers, min and max prefer numbers
/// to NaN and +0 to -0, the bits of a NaN made by min and max are 0x7fffffff (0x7ff8000000000000 for double).
/// Where PTX leaves a result open (division of integers by zero), it is that of NVIDIA's processors.

#include "ptx/warp.h"

#include <cfenv>
#include <cmath>
#include <limits>

namespace ptx
{

namespace
{

  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  using s16 = std::int16_t;
  using s32 = std::int32_t;
  using s64 = std::int64_t;
  template <class T> using Unsigned = std::make_unsigned_t<T>;
  template <class T> constexpr bool is_float = std::is_floating_point_v<T>;
  template <class T> constexpr unsigned bits = 8 * sizeof(T);
  // wide enough that products of u16 do not overflow an int
  template <class T> using Room = std::conditional_t<(sizeof(T) < 4), u32, Unsigned<T>>;

  template <class T> T not_a_number()
  {
    const std::conditional_t<sizeof(T) == 4, u32, u64> word = sizeof(T) == 4 ? 0x7fffffffu : 0x7ff8000000000000ull;
    T x;
    std::memcpy(&x, &word, sizeof x);
    return x;
  }

  struct Add {
    template <class T> static T f(T a, T b)
    {
      if constexpr (is_float<T>)
        return a + b;
      else
        return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
    }
  };
  struct Sub {
    template <class T> static T f(T a, T b)
    {
      if constexpr (is_float<T>)
        return a - b;
      else
        return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
    }
  };
  struct Mul {
    template <class T> static T f(T a, T b)
    {
      if constexpr (is_float<T>)
        return a * b;
      else
        return static_cast<T>(static_cast<Room<T>>(a) * static_cast<Room<T>>(b));
    }
  };
  struct MulHigh {
    template <class T> static T f(T a, T b)
    {
      using Wide =
          std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
                             std::conditional_t<std::is_signed_v<T>, s64, u64>>;
      return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> bits<T>);
    }
  };
  struct Div {
    template <class T> static T f(T a, T b)
    {
      if constexpr (is_float<T>) {
        return a / b;
      } else {
        if constexpr (std::is_same_v<T, s32>) { // exact, and eight lanes at a time
          const double q = static_cast<double>(a) / static_cast<double>(b);
          const s32 r = q < 2147483648. ? static_cast<s32>(q) : a; // the least number by -1
          return b == 0 ? -1 : r;
        }
        if (b == 0) return static_cast<T>(-1);
        if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Sub::f(T(0), a);
        return static_cast<T>(a / b);
      }
    }
  };
  struct Rem {
    template <class T> static T f(T a, T b)
    {
      if (b == 0) return a;
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
      return static_cast<T>(a % b);
    }
  };
  struct Min {
    template <class T> static T f(T a, T b)
    {
      if constexpr (is_float<T>) {
        if (a != a) return b != b ? not_a_number<T>() : b;
        if (b != b) return a;
        return a < b || (a == b && std::signbit(a)) ? a : b;
      } else {
        return a < b ? a : b;
      }
    }
  };
  struct Max {
    template <class T> static T f(T a, T b)
    {
      if constexpr (is_float<T>) {
        if (a != a) return b != b ? not_a_number<T>() : b;
        if (b != b) return a;
        return a > b || (a == b && !std::signbit(a)) ? a : b;
      } else {
        return a < b ? b : a;
      }
    }
  };
  struct And {
    template <class T> static T f(T a, T b) { return a & b; }
  };
  struct Or {
    template <class T> static T f(T a, T b) { return a | b; }
  };
  struct Xor {
    template <class T> static T f(T a, T b) { return a ^ b; }
  };

  struct Move {
    template <class T> static T f(T a) { return a; }
  };
  struct Neg {
    template <class T> static T f(T a)
    {
      if constexpr (is_float<T>)
        return -a;
      else
        return Sub::f(T(0), a);
    }
  };
  struct Abs {
    template <class T> static T f(T a)
    {
      if constexpr (is_float<T>)
        return std::fabs(a);
      else
        return a < 0 ? Sub::f(T(0), a) : a;
    }
  };
  struct Not {
    template <class T> static T f(T a) { return static_cast<T>(~a); }
  };
  struct CountNot { // cnot
    template <class T> static T f(T a) { return a == 0; }
  };
  struct Reciprocal {
    template <class T> static T f(T a) { return T(1) / a; }
  };
  struct Root {
    template <class T> static T f(T a) { return std::sqrt(a); }
  };
  struct Reverse {
    template <class T> static T f(T a)
    {
      T r = 0;
      for (unsigned i = 0; i < bits<T>; i++) r |= (a >> i & 1) << (bits<T> - 1 - i);
      return r;
    }
  };

  template <class T, class O> void unary(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a);
    each_lane<T>(w, i.d, [=](int l) { return O::f(a[l]); });
  }

  template <class T, class O> void binary(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a), *b = w.at<T>(i.b);
    each_lane<T>(w, i.d, [=](int l) { return O::f(a[l], b[l]); });
  }

  template <class T> void fused(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a), *b = w.at<T>(i.b), *c = w.at<T>(i.c);
    each_lane<T>(w, i.d, [=](int l) {
      if constexpr (sizeof(T) == 4)
        return __builtin_fmaf(a[l], b[l], c[l]);
      else
        return __builtin_fma(a[l], b[l], c[l]);
    });
  }

  /// Another rounding: what is between the calls loads and stores, so the compiler cannot move it out.
  template <Operation operation, int mode> void rounded(Warp &w, const Instruction &i)
  {
    std::fesetround(mode);
    operation(w, i);
    std::fesetround(FE_TONEAREST);
  }

  template <class T, class Product> void multiply_add(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a), *b = w.at<T>(i.b), *c = w.at<T>(i.c);
    each_lane<T>(w, i.d, [=](int l) { return Add::f(Product::f(a[l], b[l]), c[l]); });
  }
  template <class S, class D> void multiply_wide(Warp &w, const Instruction &i)
  {
    const S *a = w.at<S>(i.a), *b = w.at<S>(i.b);
    each_lane<D>(w, i.d, [=](int l) { return static_cast<D>(static_cast<D>(a[l]) * static_cast<D>(b[l])); });
  }
  template <class S, class D> void multiply_wide_add(Warp &w, const Instruction &i)
  {
    const S *a = w.at<S>(i.a), *b = w.at<S>(i.b);
    const D *c = w.at<D>(i.c);
    each_lane<D>(w, i.d,
                 [=](int l) { return Add::f(static_cast<D>(static_cast<D>(a[l]) * static_cast<D>(b[l])), c[l]); });
  }

  template <class T> void shift_left(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a);
    const u32 *b = w.at<u32>(i.b);
    each_lane<T>(w, i.d,
                 [=](int l) { return b[l] >= bits<T> ? T(0) : static_cast<T>(a[l] << (b[l] & (bits<T> - 1))); });
  }
  template <class T> void shift_right(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a);
    const u32 *b = w.at<u32>(i.b);
    each_lane<T>(w, i.d, [=](int l) {
      const T all = std::is_signed_v<T> ? static_cast<T>(a[l] >> (bits<T> - 1)) : T(0);
      return b[l] >= bits<T> ? all : static_cast<T>(a[l] >> (b[l] & (bits<T> - 1)));
    });
  }
  /// Of the 64 bits b:a, shifted by c; wrap takes c modulo 32, clamp at most 32.
  template <bool left, bool wrap> void funnel(Warp &w, const Instruction &i)
  {
    const u32 *a = w.at<u32>(i.a), *b = w.at<u32>(i.b), *c = w.at<u32>(i.c);
    each_lane<u32>(w, i.d, [=](int l) {
      const u64 both = static_cast<u64>(b[l]) << 32 | a[l];
      const u32 n = wrap ? c[l] & 31 : c[l] < 32 ? c[l] : 32;
      return static_cast<u32>(left ? both << n >> 32 : both >> n);
    });
  }

  // comparisons; those with u hold for NaN too
  struct Equal {
    template <class T> static bool f(T a, T b) { return a == b; }
  };
  struct Unequal {
    template <class T> static bool f(T a, T b) { return a < b || a > b; }
  };
  struct Less {
    template <class T> static bool f(T a, T b) { return a < b; }
  };
  struct LessEqual {
    template <class T> static bool f(T a, T b) { return a <= b; }
  };
  struct Greater {
    template <class T> static bool f(T a, T b) { return a > b; }
  };
  struct GreaterEqual {
    template <class T> static bool f(T a, T b) { return a >= b; }
  };
  struct BothNumbers {
    template <class T> static bool f(T a, T b) { return a == a && b == b; }
  };
  template <class O> struct Negation {
    template <class T> static bool f(T a, T b) { return !O::f(a, b); }
  };
  template <class T, class O> void compare(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a), *b = w.at<T>(i.b);
    each_lane<s32>(w, i.d, [=](int l) { return O::f(a[l], b[l]) ? -1 : 0; });
  }
  template <class T> void select(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a), *b = w.at<T>(i.b);
    const s32 *p = w.at<s32>(i.c);
    each_lane<T>(w, i.d, [=](int l) { return p[l] ? a[l] : b[l]; });
  }
  void not_predicate(Warp &w, const Instruction &i)
  {
    const s32 *a = w.at<s32>(i.a);
    each_lane<s32>(w, i.d, [=](int l) { return a[l] ? 0 : -1; });
  }

  template <class T> void insert_field(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a), *b = w.at<T>(i.b);
    const u32 *c = w.at<u32>(i.c), *n = w.at<u32>(i.more[0]);
    each_lane<T>(w, i.d, [=](int l) {
      const u32 first = c[l] & 255, length = n[l] & 255;
      if (first >= bits<T>) return b[l];
      const T ones = length >= bits<T> ? ~T(0) : static_cast<T>((T(1) << length) - 1);
      const T m = static_cast<T>(ones << first);
      return static_cast<T>((b[l] & ~m) | (static_cast<T>(a[l] << first) & m));
    });
  }
  template <class T> void extract_field(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a);
    const u32 *c = w.at<u32>(i.b), *n = w.at<u32>(i.c);
    each_lane<T>(w, i.d, [=](int l) {
      const u32 first = c[l] & 255, length = n[l] & 255;
      if (length == 0) return T(0);
      const u32 last = first + length - 1 < bits<T> - 1 ? first + length - 1 : bits<T> - 1;
      const T sign = std::is_signed_v<T> && (static_cast<Unsigned<T>>(a[l]) >> last & 1) ? T(-1) : T(0);
      if (first >= bits<T>) return sign;
      T r = 0;
      for (u32 q = 0; q < bits<T>; q++) {
        const u32 from = first + q;
        const T bit = q < length && from < bits<T> ? static_cast<T>(static_cast<Unsigned<T>>(a[l]) >> from & 1)
                                                   : static_cast<T>(sign & 1);
        r |= static_cast<T>(static_cast<Unsigned<T>>(bit) << q);
      }
      return r;
    });
  }
  void permute(Warp &w, const Instruction &i)
  {
    const u32 *a = w.at<u32>(i.a), *b = w.at<u32>(i.b), *c = w.at<u32>(i.c);
    each_lane<u32>(w, i.d, [=](int l) {
      const u64 from = a[l] | static_cast<u64>(b[l]) << 32;
      u32 r = 0;
      for (int q = 0; q < 4; q++) {
        const u32 s = c[l] >> 4 * q & 15;
        u32 byte = static_cast<u32>(from >> 8 * (s & 7)) & 255;
        if (s & 8) byte = byte & 128 ? 255 : 0;
        r |= byte << 8 * q;
      }
      return r;
    });
  }
  /// Of three words, by a truth table of eight bits.
  void logic(Warp &w, const Instruction &i)
  {
    const u32 *a = w.at<u32>(i.a), *b = w.at<u32>(i.b), *c = w.at<u32>(i.c), *t = w.at<u32>(i.more[0]);
    each_lane<u32>(w, i.d, [=](int l) {
      u32 r = 0;
      for (int q = 0; q < 8; q++)
        if (t[l] >> q & 1) r |= (q & 4 ? a[l] : ~a[l]) & (q & 2 ? b[l] : ~b[l]) & (q & 1 ? c[l] : ~c[l]);
      return r;
    });
  }
  template <class T> void population(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a);
    each_lane<u32>(w, i.d, [=](int l) { return static_cast<u32>(__builtin_popcountll(a[l])); });
  }
  template <class T> void leading_zeros(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a);
    each_lane<u32>(w, i.d,
                   [=](int l) { return a[l] ? static_cast<u32>(__builtin_clzll(a[l])) - (64 - bits<T>) : bits<T>; });
  }
  /// Place of the highest bit that is not the sign; all ones where there is none.
  template <class T> void highest_bit(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a);
    each_lane<u32>(w, i.d, [=](int l) {
      const u64 word = static_cast<Unsigned<T>>(a[l] < 0 ? static_cast<T>(~a[l]) : a[l]);
      return word ? 63u - static_cast<u32>(__builtin_clzll(word)) : ~0u;
    });
  }

  template <class W, class H> void pack(Warp &w, const Instruction &i)
  {
    constexpr int n = sizeof(W) / sizeof(H);
    const H *part[n];
    for (int q = 0; q < n; q++) part[q] = w.at<H>(i.more[q]);
    each_lane<W>(w, i.d, [&](int l) {
      W r = 0;
      for (int q = 0; q < n; q++) r |= static_cast<W>(part[q][l]) << bits<H> * q;
      return r;
    });
  }
  template <class W, class H> void unpack(Warp &w, const Instruction &i)
  {
    constexpr int n = sizeof(W) / sizeof(H);
    alignas(64) W whole[32]; // a part may have the place of the whole
    std::memcpy(whole, w.at<W>(i.a), sizeof whole);
    for (int q = 0; q < n; q++)
      each_lane<H>(w, i.more[q], [&](int l) { return static_cast<H>(whole[l] >> bits<H> * q); });
  }

  using Table = std::map<std::string, Operation, std::less<>>;

  template <class T> void add_integers(Table &t, const std::string &type)
  {
    const auto put = [&](const char *name, Operation f) { t[name + ("." + type)] = f; };
    put("add", binary<T, Add>);
    put("sub", binary<T, Sub>);
    put("mul.lo", binary<T, Mul>);
    put("mul.hi", binary<T, MulHigh>);
    put("mad.lo", multiply_add<T, Mul>);
    put("mad.hi", multiply_add<T, MulHigh>);
    put("div", binary<T, Div>);
    put("rem", binary<T, Rem>);
    put("min", binary<T, Min>);
    put("max", binary<T, Max>);
    put("neg", unary<T, Neg>);
    if constexpr (std::is_signed_v<T>) put("abs", unary<T, Abs>);
    put("shr", shift_right<T>);
    put("setp.eq", compare<T, Equal>);
    put("setp.ne", compare<T, Unequal>);
    put("setp.lt", compare<T, Less>);
    put("setp.le", compare<T, LessEqual>);
    put("setp.gt", compare<T, Greater>);
    put("setp.ge", compare<T, GreaterEqual>);
    if constexpr (!std::is_signed_v<T>) {
      put("setp.lo", compare<T, Less>);
      put("setp.ls", compare<T, LessEqual>);
      put("setp.hi", compare<T, Greater>);
      put("setp.hs", compare<T, GreaterEqual>);
    }
    put("mov", unary<T, Move>);
    put("selp", select<T>);
    if constexpr (sizeof(T) >= 4) {
      put("bfe", extract_field<T>);
      put("bfind", highest_bit<T>);
    }
  }

  template <class T> void add_words(Table &t, const std::string &type)
  {
    const auto put = [&](const char *name, Operation f) { t[name + ("." + type)] = f; };
    put("and", binary<T, And>);
    put("or", binary<T, Or>);
    put("xor", binary<T, Xor>);
    put("not", unary<T, Not>);
    put("cnot", unary<T, CountNot>);
    put("shl", shift_left<T>);
    put("shr", shift_right<T>);
    put("mov", unary<T, Move>);
    put("selp", select<T>);
    put("setp.eq", compare<T, Equal>);
    put("setp.ne", compare<T, Unequal>);
    if constexpr (sizeof(T) >= 4) {
      put("bfi", insert_field<T>);
      put("brev", unary<T, Reverse>);
      put("popc", population<T>);
      put("clz", leading_zeros<T>);
    }
  }

  template <class T> void add_floats(Table &t, const std::string &type)
  {
    const auto put = [&](const std::string &name, Operation f) { t[name + "." + type] = f; };
    const auto put_rounded = [&]<Operation f>(const std::string &name, std::integral_constant<Operation, f>) {
      put(name + ".rn", f);
      put(name + ".rz", rounded<f, FE_TOWARDZERO>);
      put(name + ".rm", rounded<f, FE_DOWNWARD>);
      put(name + ".rp", rounded<f, FE_UPWARD>);
    };
    put("add", binary<T, Add>);
    put("sub", binary<T, Sub>);
    put("mul", binary<T, Mul>);
    put_rounded("add", std::integral_constant<Operation, &binary<T, Add>> {});
    put_rounded("sub", std::integral_constant<Operation, &binary<T, Sub>> {});
    put_rounded("mul", std::integral_constant<Operation, &binary<T, Mul>> {});
    put_rounded("div", std::integral_constant<Operation, &binary<T, Div>> {});
    put_rounded("rcp", std::integral_constant<Operation, &unary<T, Reciprocal>> {});
    put_rounded("sqrt", std::integral_constant<Operation, &unary<T, Root>> {});
    put_rounded("fma", std::integral_constant<Operation, &fused<T>> {});
    put("min", binary<T, Min>);
    put("max", binary<T, Max>);
    put("neg", unary<T, Neg>);
    put("abs", unary<T, Abs>);
    put("mov", unary<T, Move>);
    put("selp", select<T>);
    put("setp.eq", compare<T, Equal>);
    put("setp.ne", compare<T, Unequal>);
    put("setp.lt", compare<T, Less>);
    put("setp.le", compare<T, LessEqual>);
    put("setp.gt", compare<T, Greater>);
    put("setp.ge", compare<T, GreaterEqual>);
    put("setp.equ", compare<T, Negation<Unequal>>);
    put("setp.neu", compare<T, Negation<Equal>>);
    put("setp.ltu", compare<T, Negation<GreaterEqual>>);
    put("setp.leu", compare<T, Negation<Greater>>);
    put("setp.gtu", compare<T, Negation<LessEqual>>);
    put("setp.geu", compare<T, Negation<Less>>);
    put("setp.num", compare<T, BothNumbers>);
    put("setp.nan", compare<T, Negation<BothNumbers>>);
  }

  Table made()
  {
    Table t;
    add_integers<u16>(t, "u16");
    add_integers<s16>(t, "s16");
    add_integers<u32>(t, "u32");
    add_integers<s32>(t, "s32");
    add_integers<u64>(t, "u64");
    add_integers<s64>(t, "s64");
    add_words<u16>(t, "b16");
    add_words<u32>(t, "b32");
    add_words<u64>(t, "b64");
    add_floats<float>(t, "f32");
    add_floats<double>(t, "f64");
    t["mul.wide.u16"] = multiply_wide<u16, u32>;
    t["mul.wide.s16"] = multiply_wide<s16, s32>;
    t["mul.wide.u32"] = multiply_wide<u32, u64>;
    t["mul.wide.s32"] = multiply_wide<s32, s64>;
    t["mad.wide.u16"] = multiply_wide_add<u16, u32>;
    t["mad.wide.s16"] = multiply_wide_add<s16, s32>;
    t["mad.wide.u32"] = multiply_wide_add<u32, u64>;
    t["mad.wide.s32"] = multiply_wide_add<s32, s64>;
    t["shf.l.wrap.b32"] = funnel<true, true>;
    t["shf.l.clamp.b32"] = funnel<true, false>;
    t["shf.r.wrap.b32"] = funnel<false, true>;
    t["shf.r.clamp.b32"] = funnel<false, false>;
    t["prmt.b32"] = permute;
    t["lop3.b32"] = logic;
    t["and.pred"] = binary<s32, And>;
    t["or.pred"] = binary<s32, Or>;
    t["xor.pred"] = binary<s32, Xor>;
    t["not.pred"] = not_predicate;
    t["mov.pred"] = unary<s32, Move>;
    // parts of a word: more[] are the parts
    t["pack.2.b32"] = pack<u32, u16>;
    t["pack.2.b64"] = pack<u64, u32>;
    t["pack.4.b64"] = pack<u64, u16>;
    t["unpack.2.b32"] = unpack<u32, u16>;
    t["unpack.2.b64"] = unpack<u64, u32>;
    t["unpack.4.b64"] = unpack<u64, u16>;
    for (const char *space : {"global", "const", "local", "param"}) // one address space but for shared memory
      t["cvta." + std::string(space) + ".u64"] = t["cvta.to." + std::string(space) + ".u64"] = unary<u64, Move>;
    return t;
  }

} // namespace

Operation arithmetic(const Form &form)
{
  static const Table table = made();
  const auto it = table.find(form.opcode);
  return it == table.end() ? nullptr : it->second;
}

} // namespace ptx
