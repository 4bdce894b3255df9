#pragma once
/// Integers in lanes: the bits of real numbers, and 32-bit words for generators of random numbers.

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

/// A register of unsigned integers as wide as T; operators work lane by lane.
template <class T> using Bits = typename register_of<typename unsigned_of<sizeof(T)>::type, width<T>>::type;

template <class T> QUDA_DEVICE Bits<T> bits_of(Real<T> a) { return (Bits<T>)a.v; }
template <class T> QUDA_DEVICE Real<T> real_of(Bits<T> b) { return Real<T>((typename Real<T>::V)b); }

/// 32-bit words, each in the low half of a 64-bit lane; what the high half holds is of no account.
using Words = Bits<double>;

/// Registers of words that go with one register of T.
template <class T> constexpr int word_registers = width<T> / width<double>;

/// p: aligned as a register.
QUDA_DEVICE Words load_words(const unsigned long long *p) { return *reinterpret_cast<const Words *>(p); }

/// The whole 64 bits of word times b.
QUDA_DEVICE Words product(Words a, unsigned b)
{
#if defined(__AVX512F__)
  return (Words)_mm512_mul_epu32((__m512i)a, _mm512_set1_epi64(b));
#else
  return (Words)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(b));
#endif
}

/// Registers of doubles as one of T, rounded.
template <class T> QUDA_DEVICE Real<T> rounded(const Real<double> (&a)[word_registers<T>])
{
  if constexpr (sizeof(T) == 8) {
    return a[0];
  } else {
#if defined(__AVX512F__)
    const __m512 low = _mm512_castps256_ps512(_mm512_cvtpd_ps(a[0].v));
    return Real<T>(_mm512_insertf32x8(low, _mm512_cvtpd_ps(a[1].v), 1));
#else
    return Real<T>(_mm256_set_m128(_mm256_cvtpd_ps(a[1].v), _mm256_cvtpd_ps(a[0].v)));
#endif
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
