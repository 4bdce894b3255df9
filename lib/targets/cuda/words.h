#pragma once
/// The bits of real numbers, and 32-bit words for generators of random numbers, under the names of the CPU's lanes.

#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <int bytes> struct unsigned_of;
template <> struct unsigned_of<4> {
  using type = unsigned;
};
template <> struct unsigned_of<8> {
  using type = unsigned long long;
};

template <class T> using Bits = typename unsigned_of<sizeof(T)>::type;

template <class T> QUDA_DEVICE Bits<T> bits_of(T a) { return __builtin_bit_cast(Bits<T>, a); }
template <class T> QUDA_DEVICE T real_of(Bits<T> b) { return __builtin_bit_cast(T, b); }

/// A 32-bit word in the low half; the high half is ignored.
using Words = Bits<double>;

template <class T> constexpr int word_registers = 1;

QUDA_DEVICE Words load_words(const unsigned long long *p) { return *p; }

/// The whole 64 bits of word times b.
QUDA_DEVICE Words product(Words a, unsigned b)
{
  return static_cast<Words>(static_cast<unsigned>(a)) * static_cast<Words>(b);
}

template <class T> QUDA_DEVICE T rounded(const double (&a)[1]) { return static_cast<T>(a[0]); }

} // namespace quda::QUDA_TARGET_NAMESPACE
