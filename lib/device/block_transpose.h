#pragma once
/// Block transposition: data read along x are written along y, so that both run along memory.
///
///   template <class Arg> struct Turn : KernelOps<BlockTranspose<float, vtx, vty>> {
///     QUDA_DEVICE void operator()(unsigned x, unsigned y) const {
///       BlockTranspose<float, vtx, vty> transpose {*this};
///       transpose(x, y, arg.nx, arg.ny, load, store);
///     }
///   };
///
/// A tile is (block x vtx) by (block y vty) elements of T, of 2 to 16 bytes; the kernel's index space is a point for
/// each vtx by vty elements, BlockTranspose::threads() of nx and ny. On a GPU the block's threads bring a tile into
/// shared memory, whose rows are padded so that neither way meets a bank conflict; on the CPU, where a block is a
/// thread, a tile of vtx by vty is turned in registers or in the first-level cache (<turn.h>).
///
/// load(x, y, T *run, count)         puts elements (x ... x + count - 1, y) into run[0 ... count)
/// store(x, y, const T *run, count)  takes elements (x, y ... y + count - 1)
/// are the caller's, with any conversion, scaling or change of basis. The target chooses the runs: single
/// elements of neighbouring threads, or vtx and vty of them, fewer at the edges. Nothing beyond nx and ny is
/// accessed. All threads of the block call.
///
/// Block, vtx and vty are tuned if the kernel is compiled for several shapes and its launch gives their number as
/// `variants` (ops/launch.h): tp.variant is the shape.

#include "device/kernel_ops.h"
#include <turn.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int vtx, int vty, class Offset = void> struct BlockTranspose : Operation {
  static_assert(sizeof(T) >= 2 && sizeof(T) <= 16, "elements of 2 to 16 bytes are transposed");
  using offset = Offset;
  static constexpr bool synchronises = true;

  /// Elements from row to row in shared memory: an odd number of 4-byte words, or of larger elements.
  QUDA_DEVICE static constexpr int row(int x)
  {
    const int n = x * vtx;
    return sizeof(T) == 2 ? n + (6 - n % 4) % 4 : n | 1;
  }

  /// Elements of shared memory for a tile.
  QUDA_DEVICE static constexpr int tile_size(Extent block) { return row(block.size[0]) * block.size[1] * vty; }

  QUDA_DEVICE static constexpr int bytes(Extent block)
  {
    return block_is_thread ? 0 : tile_size(block) * block.size[2] * static_cast<int>(sizeof(T));
  }

  /// Extent of the index space for n elements along an axis, in whole blocks of the launch's tp.block[axis].
  static unsigned threads(unsigned n, int axis, int block)
  {
    const unsigned vt = axis == 0 ? vtx : vty, points = (n + vt - 1) / vt;
    if (block_is_thread) return points;
    const unsigned whole = block > 0 ? block : axis == 0 ? 128 : 1; // a launch's own choice
    return (points + whole - 1) / whole * whole;
  }

  template <class Kernel> QUDA_DEVICE explicit BlockTranspose(const Kernel &kernel)
      : block(kernel.block)
  {
    require_declared<BlockTranspose, Kernel>();
    static_assert(Kernel::warp_split() == 1, "threads that share a point transpose nothing together");
    base = block.shared() + shared_begin<BlockTranspose>(block_extent(block));
  }

  /// x, y: the kernel's point.
  template <class Load, class Store> QUDA_DEVICE void operator()(unsigned x, unsigned y, unsigned nx, unsigned ny,
                                                                 const Load &load, const Store &store) const
  {
    if constexpr (block_is_thread)
      by_itself(x * vtx, y * vty, nx, ny, load, store);
    else
      together(x, y, nx, ny, load, store);
  }

private:
  template <class Load, class Store> QUDA_DEVICE static void
  by_itself(unsigned x0, unsigned y0, unsigned nx, unsigned ny, const Load &load, const Store &store)
  {
    const int width = nx - x0 < vtx ? static_cast<int>(nx - x0) : vtx;
    const int height = ny - y0 < vty ? static_cast<int>(ny - y0) : vty;
    alignas(64) T tile[vty][vtx], turned[vtx][vty];
    if (width == vtx && height == vty) // runs of lengths that the compiler knows
      turn(tile, turned, vtx, vty, x0, y0, load, store);
    else if (width == vtx)
      turn(tile, turned, vtx, height, x0, y0, load, store);
    else if (height == vty)
      turn(tile, turned, width, vty, x0, y0, load, store);
    else
      turn(tile, turned, width, height, x0, y0, load, store);
  }

  template <class Load, class Store> QUDA_DEVICE static void turn(T (&tile)[vty][vtx], T (&turned)[vtx][vty], int width,
                                                                  int height, unsigned x0, unsigned y0,
                                                                  const Load &load, const Store &store)
  {
    __asm__ volatile("" : "=m"(tile)); // beyond width and height it may hold anything
    for (int j = 0; j < height; j++) {
      T *run = tile[j];
      __asm__ volatile("" : "+r"(run)); // otherwise compilers turn loads along x into gathers along y
      load(x0, y0 + j, run, width);
    }
    turn_tile(turned, tile, width, height);
    for (int i = 0; i < width; i++) {
      const T *run = turned[i];
      __asm__ volatile("" : "+r"(run)); // nor scattered stores
      store(x0 + i, y0, run, height);
    }
  }

  template <class Load, class Store> QUDA_DEVICE void together(unsigned x, unsigned y, unsigned nx, unsigned ny,
                                                               const Load &load, const Store &store) const
  {
    auto *const tile = reinterpret_cast<T *>(base) + block.template index<1>(2) * tile_size(block_extent(block));
    const int bx = block.extent(0), by = block.extent(1), stride = row(bx);
    const int tx = block.template index<1>(0), ty = block.template index<1>(1);
    const unsigned x0 = (x - tx) * vtx, y0 = (y - ty) * vty;
    QUDA_UNROLL
    for (int j = 0; j < vty; j++) {
      QUDA_UNROLL
      for (int i = 0; i < vtx; i++) {
        const int k = tx + i * bx, l = ty + j * by;
        if (x0 + k < nx && y0 + l < ny) load(x0 + k, y0 + l, tile + l * stride + k, 1);
      }
    }
    block.sync();
    // the same threads along y
    const int height = by * vty, thread = tx + bx * ty, threads = bx * by;
    const int step_k = threads / height, step_l = threads % height;
    int k = thread / height, l = thread % height;
    QUDA_UNROLL
    for (int n = 0; n < vtx * vty; n++) {
      if (x0 + k < nx && y0 + l < ny) store(x0 + k, y0 + l, tile + l * stride + k, 1);
      k += step_k;
      l += step_l;
      if (l >= height) {
        l -= height;
        k++;
      }
    }
    block.sync(); // the tile may be used again
  }

  Block block;
  char *base;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
