#pragma once
/// Arithmetic of the scalar targets: a thread is a site. The names are those of the CPU's lanes.

#if defined(__CUDACC__)
#define QUDA_DEVICE __device__ __host__ __forceinline__
#define QUDA_OUTLINE QUDA_DEVICE
#define QUDA_SELDOM __device__ __host__ __noinline__
#define QUDA_LAMBDA
#define QUDA_UNROLL _Pragma("unroll")
#else
#define QUDA_DEVICE __attribute__((always_inline)) inline
#define QUDA_OUTLINE QUDA_DEVICE
#define QUDA_SELDOM QUDA_DEVICE
#define QUDA_LAMBDA __attribute__((always_inline))
#if defined(__clang__)
#define QUDA_UNROLL _Pragma("unroll")
#else
#define QUDA_UNROLL _Pragma("GCC unroll 32")
#endif
#endif

#include "core/number.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S> inline constexpr int width = 1;

/// The number type of a kernel whose fields store S.
template <class S> using Real = number_of<S>;

QUDA_DEVICE float fma(float a, float b, float c)
{
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
QUDA_DEVICE double fma(double a, double b, double c)
{
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}
QUDA_DEVICE float fnma(float a, float b, float c) { return fma(-a, b, c); }
QUDA_DEVICE double fnma(double a, double b, double c) { return fma(-a, b, c); }
QUDA_DEVICE float fms(float a, float b, float c) { return fma(a, b, -c); }
QUDA_DEVICE double fms(double a, double b, double c) { return fma(a, b, -c); }

/// Rounded to the nearest integer.
QUDA_DEVICE int nearest(float a)
{
#if defined(__CUDA_ARCH__)
  return __float2int_rn(a);
#else
  return static_cast<int>(__builtin_rintf(a));
#endif
}
/// The same as a float.
QUDA_DEVICE float rounded(float a)
{
#if defined(__CUDA_ARCH__)
  return rintf(a);
#else
  return __builtin_rintf(a);
#endif
}
QUDA_DEVICE float abs(float a) { return a < 0 ? -a : a; }
QUDA_DEVICE float max(float a, float b) { return a > b ? a : b; }
QUDA_DEVICE float sqrt(float a)
{
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(a);
#else
  return __builtin_sqrtf(a);
#endif
}
QUDA_DEVICE double sqrt(double a)
{
#if defined(__CUDA_ARCH__)
  return __dsqrt_rn(a);
#else
  return __builtin_sqrt(a);
#endif
}

/// The larger of m, a magnitude, and |x|; NaN is larger than all numbers.
template <class T> QUDA_DEVICE T larger_magnitude(T m, T x)
{
  const T a = x < 0 ? -x : x;
  return a > m || a != a ? a : m;
}

template <class T> QUDA_DEVICE T select(bool m, T a, T b) { return m ? a : b; }
QUDA_DEVICE bool any(bool m) { return m; }

} // namespace quda::QUDA_TARGET_NAMESPACE
