#pragma once
/// Scales of records, for the storage of every target. A fixed-point record holds integers q, its numbers are scale q:
///   of its own  scale = m / fixed_one, m the largest magnitude of the record, which becomes +-fixed_one; 0 where all
///               are below fixed_least, NaN if one is infinite or NaN
///   fixed       scale = 1 / fixed_one, for numbers that are at most 1; larger ones are clamped
/// A record of numbers stored as they are has the type Unit as its scale, and no multiplication.

#include "core/number.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// The scale 1.
struct Unit {
  template <class A> QUDA_DEVICE friend A operator*(Unit, const A &a) { return a; }
};

/// The scale type of a record.
template <class S, bool fixed = is_fixed<S>> struct ScaleType {
  using type = Unit;
};
template <class S> struct ScaleType<S, true> {
  using type = Real<S>;
};
template <class S> using ScaleOf = typename ScaleType<S>::type;

constexpr float fixed_least = 1e-34f; // a record of smaller numbers counts as zero: its factor would overflow

/// Rounded to the nearest integer of S, clamped to its range. NaN gives the processor's result.
template <class S> QUDA_DEVICE S to_fixed(float a)
{
  constexpr int most = fixed_one<S>, least = -most - 1;
  const int n = nearest(a);
  S s;
  s.fixed = static_cast<decltype(s.fixed)>(n > most ? most : n < least ? least : n);
  return s;
}

/// The largest number that rounds to an integer of S at the fixed scale.
template <class S> inline constexpr float fixed_most = 1 + 0.5f / fixed_one<S>;

/// The scale of a record of its own: add() each number, then ask. R: a register of floats.
template <class S, class R> struct RecordScale {
  R largest = R(0.0); // NaN is larger than all numbers

  QUDA_DEVICE void add(R x) { largest = larger_magnitude(largest, x); }
  /// The factor that turns a number into an integer.
  QUDA_DEVICE R factor() const { return select(largest > R(fixed_least), R(float(fixed_one<S>)) / largest, R(0.0)); }
  QUDA_DEVICE R scale() const { return fma(largest, R(1.0f / fixed_one<S>), largest * R(0.0)); }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
