#pragma once
/// Registers of AVX-512 (lane.h lists the contents of an instruction set's file).

#include "core/number.h"
#include "targets/cpu/lane_types.h"
#include <immintrin.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

constexpr int register_bytes = 64;
using Floats = Lane<float, 16>;
using Doubles = Lane<double, 8>;

QUDA_DEVICE Floats fma(Floats a, Floats b, Floats c) { return Floats(_mm512_fmadd_ps(a.v, b.v, c.v)); }
QUDA_DEVICE Floats fnma(Floats a, Floats b, Floats c) { return Floats(_mm512_fnmadd_ps(a.v, b.v, c.v)); }
QUDA_DEVICE Floats fms(Floats a, Floats b, Floats c) { return Floats(_mm512_fmsub_ps(a.v, b.v, c.v)); }
QUDA_DEVICE Doubles fma(Doubles a, Doubles b, Doubles c) { return Doubles(_mm512_fmadd_pd(a.v, b.v, c.v)); }
QUDA_DEVICE Doubles fnma(Doubles a, Doubles b, Doubles c) { return Doubles(_mm512_fnmadd_pd(a.v, b.v, c.v)); }
QUDA_DEVICE Doubles fms(Doubles a, Doubles b, Doubles c) { return Doubles(_mm512_fmsub_pd(a.v, b.v, c.v)); }

QUDA_DEVICE Floats sqrt(Floats a) { return Floats(_mm512_sqrt_ps(a.v)); }
QUDA_DEVICE Doubles sqrt(Doubles a) { return Doubles(_mm512_sqrt_pd(a.v)); }

QUDA_DEVICE Floats load(const float *p) { return Floats(_mm512_load_ps(p)); }
QUDA_DEVICE Doubles load(const double *p) { return Doubles(_mm512_load_pd(p)); }
QUDA_DEVICE void store(float *p, Floats a) { _mm512_store_ps(p, a.v); }
QUDA_DEVICE void store(double *p, Doubles a) { _mm512_store_pd(p, a.v); }
QUDA_DEVICE void stream(float *p, Floats a) { _mm512_stream_ps(p, a.v); }
QUDA_DEVICE void stream(double *p, Doubles a) { _mm512_stream_pd(p, a.v); }

QUDA_DEVICE Floats load(const Half *p)
{
  return Floats(_mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(_mm256_load_si256((const __m256i *)p))));
}
QUDA_DEVICE Floats load(const Quarter *p)
{
  return Floats(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_load_si128((const __m128i *)p))));
}
QUDA_DEVICE __m256i to_halves(Floats a) { return _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(a.v)); }
QUDA_DEVICE __m128i to_quarters(Floats a) { return _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(a.v)); }
QUDA_DEVICE void store(Half *p, Floats a) { _mm256_store_si256((__m256i *)p, to_halves(a)); }
QUDA_DEVICE void store(Quarter *p, Floats a) { _mm_store_si128((__m128i *)p, to_quarters(a)); }
QUDA_DEVICE void stream(Half *p, Floats a) { _mm256_stream_si256((__m256i *)p, to_halves(a)); }
QUDA_DEVICE void stream(Quarter *p, Floats a) { _mm_stream_si128((__m128i *)p, to_quarters(a)); }

QUDA_DEVICE Floats rounded(Floats a) { return Floats(_mm512_roundscale_ps(a.v, 0)); }
QUDA_DEVICE Floats abs(Floats a) { return Floats(_mm512_abs_ps(a.v)); }
QUDA_DEVICE Floats max(Floats a, Floats b) { return Floats(_mm512_max_ps(a.v, b.v)); }

QUDA_DEVICE Floats permute(Floats a, const int *index)
{
  return Floats(_mm512_permutexvar_ps(_mm512_load_si512(index), a.v));
}
QUDA_DEVICE Doubles permute(Doubles a, const int *index)
{
  return Doubles(_mm512_permutexvar_pd(_mm512_cvtepi32_epi64(_mm256_load_si256((const __m256i *)index)), a.v));
}

QUDA_DEVICE bool any(Floats::Mask m) { return _mm512_movepi32_mask((__m512i)m.v) != 0; }
QUDA_DEVICE bool any(Doubles::Mask m) { return _mm512_movepi64_mask((__m512i)m.v) != 0; }

QUDA_DEVICE Doubles widen(Floats a, int h)
{
  return Doubles(_mm512_cvtps_pd(h ? _mm512_extractf32x8_ps(a.v, 1) : _mm512_castps512_ps256(a.v)));
}
QUDA_DEVICE Floats narrow(Doubles low, Doubles high)
{
  const __m512 below = _mm512_castps256_ps512(_mm512_cvtpd_ps(low.v));
  return Floats(_mm512_insertf32x8(below, _mm512_cvtpd_ps(high.v), 1));
}

QUDA_DEVICE UnsignedLanes<double, 8> product(UnsignedLanes<double, 8> a, unsigned b)
{
  return (UnsignedLanes<double, 8>)_mm512_mul_epu32((__m512i)a, _mm512_set1_epi64(b));
}

/// One number rounded to the nearest integer; numbers out of range give the least integer.
QUDA_DEVICE int nearest(float a) { return _mm_cvtss_si32(_mm_set_ss(a)); }

/// Makes stores past the cache visible to other threads before later stores.
QUDA_DEVICE void stream_fence() { _mm_sfence(); }

} // namespace quda::QUDA_TARGET_NAMESPACE
