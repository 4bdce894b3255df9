#include "kernel_ops/transpose_kernel.h"
#include <launch.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <int bytes, int tile> static void transposed(const TuneParam &tp, const TransposeCall &call)
{
  using Arg = TransposeArg<bytes, tile_shapes[tile][0], tile_shapes[tile][1]>;
  launch_3d<BlockTransposed>(tp, nullptr, Arg(call, tp));
}
template <int bytes, int tile> static int bytes_of(int x, int y)
{
  using Arg = TransposeArg<bytes, tile_shapes[tile][0], tile_shapes[tile][1]>;
  return shared_bytes<BlockTransposed<Arg>>({{x, y, 1}});
}
static void rotated(const TuneParam &tp, const TransposeCall &call)
{
  launch_3d<Rotated>(tp, nullptr, TransposeArg<4, 4, 8>(call, tp));
}

#define QUDA_TILES(f, bytes)                                                                                           \
  {                                                                                                                    \
    f<bytes, 0>, f<bytes, 1>, f<bytes, 2>, f<bytes, 3>, f<bytes, 4>, f<bytes, 5>, f<bytes, 6>                          \
  }
#define QUDA_ELEMENTS(f)                                                                                               \
  {                                                                                                                    \
    QUDA_TILES(f, 2), QUDA_TILES(f, 4), QUDA_TILES(f, 6), QUDA_TILES(f, 8), QUDA_TILES(f, 12), QUDA_TILES(f, 16)       \
  }

extern const TransposeTable transposition = {QUDA_ELEMENTS(transposed), QUDA_ELEMENTS(bytes_of), rotated};

} // namespace quda::QUDA_TARGET_NAMESPACE
