#pragma once
/// A fixed number of values of one type, held in registers where the compiler can see every index.

#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int n> struct array {
  static constexpr int size = n;
  using value_type = T;

  T data[n];

  QUDA_DEVICE T &operator[](int i) { return data[i]; }
  QUDA_DEVICE const T &operator[](int i) const { return data[i]; }

  QUDA_DEVICE friend array operator+(const array &a, const array &b)
  {
    array c;
    QUDA_UNROLL
    for (int i = 0; i < n; i++) c.data[i] = a.data[i] + b.data[i];
    return c;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
