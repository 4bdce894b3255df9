/// cvt: between integers of any width, between floating-point numbers, and across. Its registers may be wider than its
/// types: a source is read in its low bits, a result fills the register with its sign or with zeros.
/// Floating point to integer saturates, and NaN becomes 0 (0x80000000... of 64 bits on NVIDIA's processors).

#include "ptx/warp.h"

#include <cfenv>
#include <cmath>
#include <limits>
#include <utility>

namespace ptx
{

namespace
{

  /// Rounding of one conversion: to nearest, zero, minus and plus infinity; "rni" and so on to whole numbers.
  struct Nearest {
    template <class T> static T whole(T x) { return std::nearbyint(x); }
    static constexpr int mode = FE_TONEAREST;
  };
  struct Zero {
    template <class T> static T whole(T x) { return std::trunc(x); }
    static constexpr int mode = FE_TOWARDZERO;
  };
  struct Down {
    template <class T> static T whole(T x) { return std::floor(x); }
    static constexpr int mode = FE_DOWNWARD;
  };
  struct Up {
    template <class T> static T whole(T x) { return std::ceil(x); }
    static constexpr int mode = FE_UPWARD;
  };

  template <int bytes, bool sign> using Integer = std::conditional_t<
      bytes == 1, std::conditional_t<sign, std::int8_t, std::uint8_t>,
      std::conditional_t<bytes == 2, std::conditional_t<sign, std::int16_t, std::uint16_t>,
                         std::conditional_t<bytes == 4, std::conditional_t<sign, std::int32_t, std::uint32_t>,
                                            std::conditional_t<sign, std::int64_t, std::uint64_t>>>>;

  /// S and D are the types, RS and RD the widths of the registers.
  template <class S, class D, int RS, int RD, bool saturate> void integers(Warp &w, const Instruction &i)
  {
    using From = Integer<RS, false>;
    using To = Integer<RD, std::is_signed_v<D>>;
    const From *a = w.at<From>(i.a);
    each_lane<To>(w, i.d, [=](int l) {
      const S x = static_cast<S>(a[l]);
      if constexpr (saturate) {
        using L = std::numeric_limits<D>;
        if (std::cmp_less(x, L::min())) return static_cast<To>(L::min());
        if (std::cmp_greater(x, L::max())) return static_cast<To>(L::max());
      }
      return static_cast<To>(static_cast<D>(x));
    });
  }

  template <class S, class D, int RS, class R> void to_float(Warp &w, const Instruction &i)
  {
    using From = Integer<RS, false>;
    const From *a = w.at<From>(i.a);
    if constexpr (R::mode != FE_TONEAREST) std::fesetround(R::mode);
    each_lane<D>(w, i.d, [=](int l) { return static_cast<D>(static_cast<S>(a[l])); });
    if constexpr (R::mode != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }

  template <class S, class D, int RD, class R> void to_integer(Warp &w, const Instruction &i)
  {
    using To = Integer<RD, std::is_signed_v<D>>;
    const S *a = w.at<S>(i.a);
    each_lane<To>(w, i.d, [=](int l) {
      const S x = R::whole(a[l]);
      using L = std::numeric_limits<D>;
      constexpr S above = static_cast<S>(L::max() / 2 + 1) * 2;
      const D nan = sizeof(D) == 8 ? static_cast<D>(std::uint64_t(1) << 63) : D(0);
      const D most = x >= above ? L::max() : L::min();
      const bool inside = x < above && x >= static_cast<S>(L::min());
      return static_cast<To>(x != x ? nan : inside ? static_cast<D>(inside ? x : S(0)) : most);
    });
  }

  template <class S, class D, class R> void floats(Warp &w, const Instruction &i)
  {
    const S *a = w.at<S>(i.a);
    if constexpr (R::mode != FE_TONEAREST) std::fesetround(R::mode);
    each_lane<D>(w, i.d, [=](int l) { return static_cast<D>(a[l]); });
    if constexpr (R::mode != FE_TONEAREST) std::fesetround(FE_TONEAREST);
  }

  template <class T, class R> void whole(Warp &w, const Instruction &i)
  {
    const T *a = w.at<T>(i.a);
    each_lane<T>(w, i.d, [=](int l) { return R::whole(a[l]); });
  }

  template <class S, class D, int RS> Operation integers_to(int result, bool saturate)
  {
    const auto one = [&]<int RD>(std::integral_constant<int, RD>) -> Operation {
      if constexpr (RD < static_cast<int>(sizeof(D)))
        return nullptr;
      else
        return saturate ? integers<S, D, RS, RD, true> : integers<S, D, RS, RD, false>;
    };
    return result == 2   ? one(std::integral_constant<int, 2> {})
           : result == 4 ? one(std::integral_constant<int, 4> {})
           : result == 8 ? one(std::integral_constant<int, 8> {})
                         : nullptr;
  }

  struct Parts {
    std::string rounding, result, first;
    bool saturate = false;
  };

  template <class F> Operation with_rounding(const std::string &r, F f)
  {
    switch (r.size() > 1 ? r[1] : 'n') {
    case 'z':
      return f(Zero {});
    case 'm':
      return f(Down {});
    case 'p':
      return f(Up {});
    }
    return f(Nearest {});
  }

  template <class S, int RS> Operation from_integer(const Parts &p, const Form &form)
  {
    const int r = form.result;
    if (p.result == "u8") return integers_to<S, std::uint8_t, RS>(r, p.saturate);
    if (p.result == "s8") return integers_to<S, std::int8_t, RS>(r, p.saturate);
    if (p.result == "u16") return integers_to<S, std::uint16_t, RS>(r, p.saturate);
    if (p.result == "s16") return integers_to<S, std::int16_t, RS>(r, p.saturate);
    if (p.result == "u32") return integers_to<S, std::uint32_t, RS>(r, p.saturate);
    if (p.result == "s32") return integers_to<S, std::int32_t, RS>(r, p.saturate);
    if (p.result == "u64") return integers_to<S, std::uint64_t, RS>(r, p.saturate);
    if (p.result == "s64") return integers_to<S, std::int64_t, RS>(r, p.saturate);
    if (p.saturate || p.rounding.size() != 2) return nullptr;
    if (p.result == "f32" && r == 4)
      return with_rounding(p.rounding, [](auto R) -> Operation { return to_float<S, float, RS, decltype(R)>; });
    if (p.result == "f64" && r == 8)
      return with_rounding(p.rounding, [](auto R) -> Operation { return to_float<S, double, RS, decltype(R)>; });
    return nullptr;
  }

  template <class S> Operation from_register(const Parts &p, const Form &form)
  {
    if (form.first < static_cast<int>(sizeof(S))) return nullptr;
    return form.first == 2   ? from_integer<S, 2>(p, form)
           : form.first == 4 ? from_integer<S, 4>(p, form)
           : form.first == 8 ? from_integer<S, 8>(p, form)
                             : nullptr;
  }

  template <class S, class D> Operation integer_of(const Parts &p, int result)
  {
    if (p.rounding.size() != 3) return nullptr;
    return with_rounding(p.rounding, [=](auto R) -> Operation {
      using To = decltype(R);
      return result == static_cast<int>(sizeof(D)) ? to_integer<S, D, sizeof(D), To>
             : result == 4 && sizeof(D) < 4        ? to_integer<S, D, 4, To>
             : result == 8 && sizeof(D) < 8        ? to_integer<S, D, 8, To>
                                                   : nullptr;
    });
  }

  template <class S, class D> Operation between_floats(const Parts &p)
  {
    const bool to_whole = p.rounding.size() == 3;
    if (p.saturate) return nullptr;
    if constexpr (std::is_same_v<S, D>) {
      if (!to_whole) return floats<S, D, Nearest>;
      return with_rounding(p.rounding, [](auto R) -> Operation { return whole<S, decltype(R)>; });
    } else {
      if (to_whole || (sizeof(S) < sizeof(D)) != p.rounding.empty()) return nullptr;
      return with_rounding(p.rounding, [](auto R) -> Operation { return floats<S, D, decltype(R)>; });
    }
  }

  template <class S> Operation from_float(const Parts &p, const Form &form)
  {
    if (form.first != static_cast<int>(sizeof(S))) return nullptr;
    if (p.result == "f32" && form.result == 4) return between_floats<S, float>(p);
    if (p.result == "f64" && form.result == 8) return between_floats<S, double>(p);
    if (p.result == "u16") return integer_of<S, std::uint16_t>(p, form.result);
    if (p.result == "s16") return integer_of<S, std::int16_t>(p, form.result);
    if (p.result == "u32") return integer_of<S, std::uint32_t>(p, form.result);
    if (p.result == "s32") return integer_of<S, std::int32_t>(p, form.result);
    if (p.result == "u64") return integer_of<S, std::uint64_t>(p, form.result);
    if (p.result == "s64") return integer_of<S, std::int64_t>(p, form.result);
    return nullptr;
  }

} // namespace

Operation conversion(const Form &form)
{
  const std::vector<std::string> words = split(form.opcode, '.');
  if (words.size() < 3 || words[0] != "cvt") return nullptr;
  Parts p;
  p.first = words.back();
  p.result = words[words.size() - 2];
  for (std::size_t i = 1; i + 2 < words.size(); i++) {
    if (words[i] == "sat")
      p.saturate = true;
    else if (words[i][0] == 'r')
      p.rounding = words[i];
    else
      return nullptr;
  }
  if (p.first == "u8") return from_register<std::uint8_t>(p, form);
  if (p.first == "s8") return from_register<std::int8_t>(p, form);
  if (p.first == "u16") return from_register<std::uint16_t>(p, form);
  if (p.first == "s16") return from_register<std::int16_t>(p, form);
  if (p.first == "u32") return from_register<std::uint32_t>(p, form);
  if (p.first == "s32") return from_register<std::int32_t>(p, form);
  if (p.first == "u64") return from_register<std::uint64_t>(p, form);
  if (p.first == "s64") return from_register<std::int64_t>(p, form);
  if (p.first == "f32") return from_float<float>(p, form);
  if (p.first == "f64") return from_float<double>(p, form);
  return nullptr;
}

} // namespace ptx
