#pragma once
/// What fields store and what kernels compute with. Fixed-point types are structs, so that no literal and no
/// coefficient can be converted to a stored integer by mistake.

namespace quda
{

/// Fixed point of 16 and of 8 bits: the integer times the scale of its record.
struct Half {
  short fixed;
};
struct Quarter {
  signed char fixed;
};

template <class S> struct number_of_stored {
  using type = float;
};
template <> struct number_of_stored<double> {
  using type = double;
};
/// The number that arithmetic on a stored type is done in.
template <class S> using number_of = typename number_of_stored<S>::type;

} // namespace quda
