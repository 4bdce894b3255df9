#pragma once
/// Number types: stored types of fields, and the types of arithmetic.
///
///   stored   number   a record's scale (core/view.h)
///   double   double   1
///   float    float    1
///   Half     float    16-bit integers: of the record (spinors), or 1 / 32767 (links)
///   Quarter  float     8-bit integers: of the record, or 1 / 127
///
/// Kernels are templates on the stored type S. Only Storage<S, n>, Gauge<S, recon> and their records see it; kernels
/// compute with Real<S>, a register of number_of<S>, keep coefficients as number_of<S>, and write literals as
/// real(0.5).

namespace quda
{

/// A stored integer. Nothing converts to it: a literal or a coefficient of the stored type would become 0. (If it were
/// an aggregate, C++20 would accept S(0.5) silently; hence the deleted constructor.)
struct Half {
  short fixed;
  Half() = default;
  template <class Number> Half(Number) = delete;
};

struct Quarter {
  signed char fixed;
  Quarter() = default;
  template <class Number> Quarter(Number) = delete;
};

/// The number type of a stored type, or of a register.
template <class S> struct NumberOf {
  using type = typename S::value_type;
};
template <> struct NumberOf<double> {
  using type = double;
};
template <> struct NumberOf<float> {
  using type = float;
};
template <> struct NumberOf<Half> {
  using type = float;
};
template <> struct NumberOf<Quarter> {
  using type = float;
};
template <class S> using number_of = typename NumberOf<S>::type;

/// The integer that stands for 1 in a record of scale 1; 0 in types that store numbers as they are.
template <class S> inline constexpr int fixed_one = 0;
template <> inline constexpr int fixed_one<Half> = 32767;
template <> inline constexpr int fixed_one<Quarter> = 127;
template <class S> inline constexpr bool is_fixed = fixed_one<S> != 0;

/// The unit of stored links' reals: sums of products with links as they are stored are multiples of it.
template <class S> inline constexpr double link_unit = is_fixed<S> ? 1.0 / fixed_one<S> : 1.0;

} // namespace quda
