#pragma once
/// Combination of two values: Add, Minimum, Maximum, of registers and of arrays of them, number by number.
///
/// An operator of a kernel's own is a struct like these: `T operator()(const T &, const T &) const`, commutative to the
/// bit. Reductions within a block (device/block_reduce.h) go through one tree over the indices, so they require no
/// more. Reductions of a whole field (<fold.h>) have no order that all launches and rank grids could share; they take
/// operators that say `in_any_order`, that is, are associative to the bit as well, and give `nothing()`, a neutral
/// element. Minimum and Maximum are associative: NaN beats all numbers and becomes one NaN, -0 is below +0. Sums of
/// rounded numbers are not; sums of a whole field are exact and go another way (<reduce.h>).

#include "device/array.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

struct Add {
  template <class T> QUDA_DEVICE T operator()(const T &a, const T &b) const { return a + b; }
};

template <class Less> struct Extreme {
  static constexpr bool in_any_order = true;

  template <class R> QUDA_DEVICE R operator()(const R &a, const R &b) const
  {
    const R zero = R(0.0);
    const R first = select(Less::before(b, a), b, a);
    const R tie = select((a == zero) & (b == zero), Less::of_zeros(a, b), first);
    return select((a == a) & (b == b), tie, R(__builtin_nan("")));
  }
  template <class R, int n> QUDA_DEVICE array<R, n> operator()(const array<R, n> &a, const array<R, n> &b) const
  {
    array<R, n> c;
    QUDA_UNROLL
    for (int i = 0; i < n; i++) c[i] = (*this)(a[i], b[i]);
    return c;
  }
  template <class R, int n> QUDA_DEVICE static void nothing(array<R, n> &a)
  {
    QUDA_UNROLL
    for (int i = 0; i < n; i++) a[i] = R(Less::last());
  }
};

struct Below {
  template <class R> QUDA_DEVICE static auto before(const R &a, const R &b) { return a < b; }
  template <class R> QUDA_DEVICE static R of_zeros(const R &a, const R &b) { return -(-a - b); }
  QUDA_DEVICE static float last() { return __builtin_inff(); }
};
struct Above {
  template <class R> QUDA_DEVICE static auto before(const R &a, const R &b) { return a > b; }
  template <class R> QUDA_DEVICE static R of_zeros(const R &a, const R &b) { return a + b; }
  QUDA_DEVICE static float last() { return -__builtin_inff(); }
};
using Minimum = Extreme<Below>;
using Maximum = Extreme<Above>;

} // namespace quda::QUDA_TARGET_NAMESPACE
