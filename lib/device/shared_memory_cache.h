#pragma once
/// SharedMemoryCache<T, Dims, Offset>: objects that the threads of a block exchange, one for each position of Dims.
///
/// Positions are those of the block, threads times elements. Coordinates left out are the thread's own; the coordinate
/// along an axis of cooperation must be given, from elements<>. Between a save and a load by another thread all
/// call sync(), and again before the position is overwritten. Not initialised.

#include "device/shared_words.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// One object for each thread and element of the block.
struct BlockDims {
  QUDA_DEVICE static constexpr Extent of(Extent block) { return block; }
};

/// The same with rows longer by `pad`.
template <int pad> struct PaddedDims {
  QUDA_DEVICE static constexpr Extent of(Extent block) { return {{block.size[0] + pad, block.size[1], block.size[2]}}; }
};

/// A fixed number, whatever the block.
template <int x, int y = 1, int z = 1> struct FixedDims {
  QUDA_DEVICE static constexpr Extent of(Extent) { return {{x, y, z}}; }
};

template <class T, class Dims = BlockDims, class Offset = void> struct SharedMemoryCache : Operation {
  using offset = Offset;
  static constexpr bool synchronises = true;

  QUDA_DEVICE static constexpr int bytes(Extent block)
  {
    const Extent dims = Dims::of(block);
    return static_cast<int>(sizeof(T)) * dims.size[0] * dims.size[1] * dims.size[2];
  }

  template <class Kernel> QUDA_DEVICE explicit SharedMemoryCache(const Kernel &kernel)
      : block(kernel.block)
  {
    require_declared<SharedMemoryCache, Kernel>();
    const Extent extent = block_extent(block);
    dims = Dims::of(extent);
    base = block.shared() + shared_begin<SharedMemoryCache>(extent);
    constexpr int split = Kernel::warp_split();
    own = {{block.template index<split>(0), block.template index<split>(1), block.template index<split>(2)}};
  }

  QUDA_DEVICE void save(const T &value, int x, int y, int z) const { put(value, x, y, z); }
  QUDA_DEVICE void save(const T &value) const { put(value, own.size[0], own.size[1], own.size[2]); }
  QUDA_DEVICE void save_y(const T &value, int y) const { put(value, own.size[0], y, own.size[2]); }

  QUDA_DEVICE T load(int x, int y, int z) const { return get(x, y, z); }
  QUDA_DEVICE T load() const { return get(own.size[0], own.size[1], own.size[2]); }
  QUDA_DEVICE T load_y(int y) const { return get(own.size[0], y, own.size[2]); }

  QUDA_DEVICE void sync() const { block.sync(); }

private:
  QUDA_DEVICE int count() const { return dims.size[0] * dims.size[1] * dims.size[2]; }
  QUDA_DEVICE int at(int x, int y, int z) const { return x + dims.size[0] * (y + dims.size[1] * z); }
  QUDA_DEVICE void put(const T &value, int x, int y, int z) const { shared_store(base, count(), at(x, y, z), value); }
  QUDA_DEVICE T get(int x, int y, int z) const { return shared_load<T>(base, count(), at(x, y, z)); }

  Block block;
  char *base;
  Extent dims, own;
};

} // namespace quda::QUDA_TARGET_NAMESPACE
