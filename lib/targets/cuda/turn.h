#pragma once
/// Transposition of tiles within a thread: on scalar targets the threads of a block transpose them together
/// (device/block_transpose.h).

#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// to[0 ... count) = from[0 ... count), converted.
template <class T, class From> QUDA_DEVICE void copy_run(T *to, const From *from, int count)
{
  for (int k = 0; k < count; k++) to[k] = static_cast<T>(from[k]);
}

template <class T, int nx, int ny>
QUDA_DEVICE void turn_tile(T (&turned)[nx][ny], const T (&tile)[ny][nx], int width, int height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) turned[x][y] = tile[y][x];
}

} // namespace quda::QUDA_TARGET_NAMESPACE
