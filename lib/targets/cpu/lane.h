#pragma once
/// Lanes of the CPU target: a register holds the same number of as many lattice sites, real and imaginary parts in
/// separate registers. Multiply-adds are explicit (fma, fnma, fms), so that no compiler flag decides about
/// rounding; sums and products of single operations are those of IEEE arithmetic.
///
/// An instruction set is one file, chosen below, with register_bytes, Floats, Doubles (lane_types.h) and
///   fma, fnma, fms      a b + c, c - a b, a b - c, rounded once; sqrt, rounded correctly
///   load, store, stream at addresses aligned to the operand's size; Half and Quarter: integers to floats and back,
///                       rounded to nearest and clamped to the largest integer; stream: past the cache
///   abs, max, rounded   of floats; max(a, b) is b if either is NaN; rounded to the nearest integer, a float
///   permute             lane l takes lane index[l] (core/view.h LaneShift); any: whether a lane of a mask is set
///   widen, narrow       half `h` of a register of floats as doubles; two registers of doubles as one of floats
///   nearest             one number, rounded to an integer; stream_fence: after stores past the cache
///   product             the whole 64 bits of a 32-bit word in the low half of each lane times b

#include "core/number.h"
#if defined(__AVX512F__)
#include "targets/cpu/lane_avx512.h"
#elif defined(__AVX2__)
#include "targets/cpu/lane_avx2.h"
#else
#error "no file of lanes for this instruction set"
#endif

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Lanes of a register, for fields that store S.
template <class S> inline constexpr int width = register_bytes / static_cast<int>(sizeof(number_of<S>));

/// The register type of a kernel whose fields store S.
template <class S> using Real = Lane<number_of<S>, width<S>>;

/// A register from memory aligned only to its numbers.
template <class T> QUDA_DEVICE Real<T> load_unaligned(const T *p)
{
  Real<T> a;
  __builtin_memcpy(&a, p, sizeof(a));
  return a;
}
template <class T> QUDA_DEVICE void store_unaligned(T *p, Real<T> a) { __builtin_memcpy(p, &a, sizeof(a)); }

constexpr int line_bytes = 64;

/// Requests the line at p for the second-level cache; few lines can be under way to the first.
QUDA_DEVICE void prefetch_line(const void *p) { __builtin_prefetch(p, 0, 2); }

/// Requests it for the first-level cache: for a few lines at a time.
QUDA_DEVICE void prefetch_line_near(const void *p) { __builtin_prefetch(p, 0, 3); }

} // namespace quda::QUDA_TARGET_NAMESPACE
