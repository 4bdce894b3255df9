#pragma once
/// Tiles turned within a thread: on scalar targets the threads of a block turn them together
/// (device/block_transpose.h).

#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int nx, int ny> QUDA_DEVICE void turn_tile(T (&turned)[nx][ny], const T (&tile)[ny][nx])
{
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) turned[x][y] = tile[y][x];
}

} // namespace quda::QUDA_TARGET_NAMESPACE
