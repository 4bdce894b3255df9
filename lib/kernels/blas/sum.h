#pragma once
/// Sums over the operands as a formula leaves them (blas.h): each sum is one pair of chains, real and imaginary parts.
/// <v, w> = sum conj(v) w, so that Re <v, v> is |v|^2 and <w, v> is conj <v, w> to the bit, Im <v, v> zero.
///   uses  operands summed over; their values are those after the update

#include "kernels/blas/blas.h"

namespace quda::QUDA_TARGET_NAMESPACE::blas
{

/// Re <first, second>; |first|^2 if they are the same.
template <int first, int second> struct Redot : Totals<1> {
  static constexpr unsigned uses = in(first, second);
  template <class C> QUDA_DEVICE static void add(const C *s, C *chain)
  {
    chain[0] = {fma(s[first].re, s[second].re, chain[0].re), fma(s[first].im, s[second].im, chain[0].im)};
  }
};

template <int k> using Norm2 = Redot<k, k>;

/// <first, second>: its real part, its imaginary part.
template <int first, int second> struct Cdot : Totals<2> {
  static constexpr unsigned uses = in(first, second);
  template <class C> QUDA_DEVICE static void add(const C *s, C *chain)
  {
    chain[0] = {fma(s[first].re, s[second].re, chain[0].re), fma(s[first].im, s[second].im, chain[0].im)};
    chain[1] = {fma(s[first].re, s[second].im, chain[1].re), fnma(s[first].im, s[second].re, chain[1].im)};
  }
};

/// |first|^2 and Re <first, first - second>; second is meant to hold first before the update.
template <int first, int second> struct NormAndChange : Totals<2> {
  static constexpr unsigned uses = in(first);
  template <class C> QUDA_DEVICE static void add(const C *s, C *chain)
  {
    const C change = s[first] - s[second];
    chain[0] = {fma(s[first].re, s[first].re, chain[0].re), fma(s[first].im, s[first].im, chain[0].im)};
    chain[1] = {fma(s[first].re, change.re, chain[1].re), fma(s[first].im, change.im, chain[1].im)};
  }
};

/// The same without an update.
template <int first, int second> struct NormAndChangeFrom : NormAndChange<first, second> {
  static constexpr unsigned uses = Operands::in(first, second);
};

/// |second|^2 / |first|^2 of each record, 1 where first is zero: the heavy-quark residual.
template <int first, int second> struct Ratio : Operands {
  static constexpr int count = 2;
  static constexpr int entries = 1;
  static constexpr unsigned uses = in(first, second);
  template <class C> QUDA_DEVICE static void add(const C *s, C *chain)
  {
    Norm2<first>::add(s, chain);
    Norm2<second>::add(s, chain + 1);
  }
  template <class R> QUDA_DEVICE static R entry(int, const R *total)
  {
    return select(total[0] == R(0), R(1), total[1] / total[0]);
  }
};

/// The sums of A, then those of B.
template <class A, class B> struct Both : Totals<A::count + B::count> {
  static constexpr unsigned uses = A::uses | B::uses;
  template <class C> QUDA_DEVICE static void add(const C *s, C *chain)
  {
    A::add(s, chain);
    B::add(s, chain + A::count);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE::blas
