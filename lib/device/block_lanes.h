#pragma once
/// The lanes of a register that lie in one of the blocks along a direction, or in a slice across it.

#include "core/view.h"
#include <index.h>
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// 1 in the lanes whose block number along d is `block`, 0 in the others. part: which register of a site.
template <class S> QUDA_DEVICE Real<S> lanes_of_block(const LatticeView &lattice, int d, int block, int part)
{
  using number = number_of<S>;
  constexpr int W = width<number>;
  alignas(64) number one[W];
  for (int l = 0; l < W; l++) one[l] = lattice.block[d][(part * W + l) % max_lanes] == block ? number(1) : number(0);
  return load_array(one);
}

/// 1 in the lanes whose coordinate along d, within the rank, is `slice`, 0 in the others.
template <class S> QUDA_DEVICE Real<S> lanes_of_slice(const LatticeView &lattice, int d, const Coord &x, int slice)
{
  using number = number_of<S>;
  constexpr int W = width<number>;
  alignas(64) number one[W];
  for (int l = 0; l < W; l++)
    one[l] = coordinate(lattice, d, x.o[d], (x.part * W + l) % max_lanes) == slice ? number(1) : number(0);
  return load_array(one);
}

} // namespace quda::QUDA_TARGET_NAMESPACE
