#pragma once
/// What block inner products are launched on (gram.h).

#include "core/exact_limbs.h"
#include "core/stream_view.h"

namespace quda
{

constexpr int gram_columns = 16; // of either side, of one launch

/// Pairs of a tile: as many as registers hold the chains of.
struct GramTile {
  int na, nb;
};

struct GramCall {
  StreamView shape; // groups: those of each column
  StreamField a[gram_columns];
  StreamField b[gram_columns];
  int na;
  int nb;
  ExactLimbs *sums; // (group, tile, i, j, part): added to
};

} // namespace quda
