#pragma once
/// Integers in lanes: the bits of real numbers, and 32-bit words for generators of random numbers.

#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A register of unsigned integers as wide as T; operators work lane by lane.
template <class T> using Bits = UnsignedLanes<T, width<T>>;

template <class T> QUDA_DEVICE Bits<T> bits_of(Real<T> a) { return (Bits<T>)a.v; }
template <class T> QUDA_DEVICE Real<T> real_of(Bits<T> b) { return Real<T>((typename Real<T>::V)b); }

/// 32-bit words, each in the low half of a 64-bit lane; the high half is ignored.
using Words = Bits<double>;

/// Registers of words that go with one register of T.
template <class T> constexpr int word_registers = width<T> / width<double>;

/// p: aligned as a register.
QUDA_DEVICE Words load_words(const unsigned long long *p) { return *reinterpret_cast<const Words *>(p); }

/// Registers of doubles as one of T, rounded.
template <class T> QUDA_DEVICE Real<T> rounded(const Real<double> (&a)[word_registers<T>])
{
  if constexpr (sizeof(T) == 8) {
    return a[0];
  } else {
    return narrow(a[0], a[1]);
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
