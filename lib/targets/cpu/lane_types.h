#pragma once
/// Base of the lane registers of every instruction set: arithmetic and comparison lane by lane, and masks. Sums and
/// products use the compiler's vector types; operations that these lack are in one file an instruction
/// set (lane.h).

#define QUDA_DEVICE __attribute__((always_inline)) inline
#define QUDA_OUTLINE __attribute__((noinline)) // a separate function: registers are allocated within it only
#define QUDA_SELDOM QUDA_OUTLINE               // the same, called too seldom to be worth registers on a GPU
#define QUDA_LAMBDA __attribute__((always_inline))
#if defined(__clang__)
#define QUDA_UNROLL _Pragma("unroll")
#else
#define QUDA_UNROLL _Pragma("GCC unroll 32")
#endif

namespace quda::QUDA_TARGET_NAMESPACE
{

template <int bytes> struct integer_of;
template <> struct integer_of<1> {
  using type = signed char;
};
template <> struct integer_of<2> {
  using type = short;
};
template <> struct integer_of<4> {
  using type = int;
};
template <> struct integer_of<8> {
  using type = long long;
};

/// The register type. A struct of its own: overloads on a dependent vector_size of the class at hand collide in GCC.
template <class T, int W> struct register_of {
  typedef T type __attribute__((vector_size(sizeof(T) * W)));
};

template <class T, int W> struct LaneMask {
  using V = typename register_of<typename integer_of<sizeof(T)>::type, W>::type;
  V v; // all bits set: true

  QUDA_DEVICE friend LaneMask operator&(LaneMask a, LaneMask b) { return {a.v & b.v}; }
  QUDA_DEVICE friend LaneMask operator|(LaneMask a, LaneMask b) { return {a.v | b.v}; }
  QUDA_DEVICE friend LaneMask operator!(LaneMask a) { return {~a.v}; }
};

template <class T, int W> struct Lane {
  using V = typename register_of<T, W>::type;
  using value_type = T;
  using Mask = LaneMask<T, W>;
  static constexpr int lanes = W;
  V v;

  Lane() = default;
  QUDA_DEVICE Lane(V a)
      : v(a)
  {
  }
  QUDA_DEVICE Lane(T a)
      : v(a - V {})
  {
  }

  QUDA_DEVICE friend Lane operator+(Lane a, Lane b) { return Lane(a.v + b.v); }
  QUDA_DEVICE friend Lane operator-(Lane a, Lane b) { return Lane(a.v - b.v); }
  QUDA_DEVICE friend Lane operator*(Lane a, Lane b) { return Lane(a.v * b.v); }
  QUDA_DEVICE friend Lane operator/(Lane a, Lane b) { return Lane(a.v / b.v); }
  QUDA_DEVICE friend Lane operator-(Lane a) { return Lane(-a.v); }
  QUDA_DEVICE Lane &operator+=(Lane a)
  {
    v += a.v;
    return *this;
  }
  QUDA_DEVICE Lane &operator-=(Lane a)
  {
    v -= a.v;
    return *this;
  }
  QUDA_DEVICE friend Mask operator<(Lane a, Lane b) { return {(typename Mask::V)(a.v < b.v)}; }
  QUDA_DEVICE friend Mask operator<=(Lane a, Lane b) { return {(typename Mask::V)(a.v <= b.v)}; }
  QUDA_DEVICE friend Mask operator>(Lane a, Lane b) { return {(typename Mask::V)(a.v > b.v)}; }
  QUDA_DEVICE friend Mask operator>=(Lane a, Lane b) { return {(typename Mask::V)(a.v >= b.v)}; }
  QUDA_DEVICE friend Mask operator==(Lane a, Lane b) { return {(typename Mask::V)(a.v == b.v)}; }
};

/// Lane by lane: a where the mask is set, else b.
template <class T, int W> QUDA_DEVICE Lane<T, W> select(LaneMask<T, W> m, Lane<T, W> a, Lane<T, W> b)
{
  using V = typename LaneMask<T, W>::V;
  return Lane<T, W>((typename Lane<T, W>::V)((m.v & (V)a.v) | (~m.v & (V)b.v)));
}

/// The larger of m, a magnitude, and |x|, lane by lane, by their bits: NaN is larger than all numbers.
template <class T, int W> QUDA_DEVICE Lane<T, W> larger_magnitude(Lane<T, W> m, Lane<T, W> x)
{
  using Bits = typename LaneMask<T, W>::V;
  using Number = typename Lane<T, W>::V;
  const Bits a = (Bits)m.v, b = (Bits)x.v & ~(Bits)(-Number {});
  return Lane<T, W>((Number)(a > b ? a : b));
}

/// A register of unsigned integers, W of as many bytes as T.
template <int bytes> struct unsigned_of;
template <> struct unsigned_of<4> {
  using type = unsigned;
};
template <> struct unsigned_of<8> {
  using type = unsigned long long;
};
template <class T, int W> using UnsignedLanes = typename register_of<typename unsigned_of<sizeof(T)>::type, W>::type;

} // namespace quda::QUDA_TARGET_NAMESPACE
