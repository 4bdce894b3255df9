#pragma once
/// Transposition of tiles within a thread: turned[x][y] = tile[y][x], x < width, y < height. Elements beyond are moved
/// with the rest of their square, whatever they hold.
///
/// Elements of 4 and 8 bytes go through squares of as many registers as a register has lanes: in step s = 1, 2, 4, ...
/// the rows i and i + s exchange the lanes whose number has the bit s, two shuffles a pair.

#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <int... l> struct LaneNumbers {
};
#if __has_builtin(__make_integer_seq)
template <class, int... l> using LaneNumbersOf = LaneNumbers<l...>;
template <int n> using first_lanes = __make_integer_seq<LaneNumbersOf, int, n>;
#else
template <int n> using first_lanes = LaneNumbers<__integer_pack(n)...>;
#endif

/// Exchanges the lanes of a with the bit s for those of b without it.
template <int s, class V, int... l> QUDA_DEVICE void exchange_lanes(V &a, V &b, LaneNumbers<l...>)
{
  constexpr int n = sizeof...(l);
  const V low = __builtin_shufflevector(a, b, ((l & s) ? n + l - s : l)...);
  b = __builtin_shufflevector(a, b, ((l & s) ? n + l : l + s)...);
  a = low;
}

template <int s, int n, class V> QUDA_DEVICE void turn_square(V (&row)[n])
{
  if constexpr (s < n) {
    QUDA_UNROLL
    for (int i = 0; i < n; i++)
      if (!(i & s)) exchange_lanes<s>(row[i], row[i + s], first_lanes<n> {});
    turn_square<2 * s>(row);
  }
}

/// to[0 ... count) = from[0 ... count), converted; between equal types by registers, the last overlapping the previous.
template <class T, class From> QUDA_DEVICE void copy_run(T *to, const From *from, int count)
{
  for (int k = 0; k < count; k++) to[k] = static_cast<T>(from[k]);
}
template <class T> QUDA_DEVICE void copy_run(T *to, const T *from, int count)
{
  constexpr int n = register_bytes / static_cast<int>(sizeof(T));
  if (count < n) {
    for (int k = 0; k < count; k++) {
      to[k] = from[k];
      __asm__ volatile(""); // no call of memcpy
    }
    return;
  }
  for (int k = 0; k + n < count; k += n) __builtin_memcpy(to + k, from + k, n * sizeof(T));
  __builtin_memcpy(to + count - n, from + count - n, n * sizeof(T));
}

template <class T> constexpr bool turns_in_registers = sizeof(T) == 4 || sizeof(T) == 8;

template <class T, int nx, int ny>
QUDA_DEVICE void turn_tile(T (&turned)[nx][ny], const T (&tile)[ny][nx], int width, int height)
{
  constexpr int n = turns_in_registers<T> ? register_bytes / static_cast<int>(sizeof(T)) : 1;
  if constexpr (n > 1 && nx % n == 0 && ny % n == 0) {
    using V = typename register_of<typename integer_of<sizeof(T)>::type, n>::type;
    for (int y = 0; y < height; y += n)
      for (int x = 0; x < width; x += n) {
        V row[n];
        QUDA_UNROLL
        for (int i = 0; i < n; i++) __builtin_memcpy(&row[i], &tile[y + i][x], sizeof(V));
        turn_square<1>(row);
        QUDA_UNROLL
        for (int i = 0; i < n; i++) __builtin_memcpy(&turned[x + i][y], &row[i], sizeof(V));
      }
  } else {
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) turned[x][y] = tile[y][x];
  }
}

} // namespace quda::QUDA_TARGET_NAMESPACE
