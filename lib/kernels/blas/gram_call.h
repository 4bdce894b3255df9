#pragma once
/// What block inner products are launched on (gram.h).

#include "core/exact_limbs.h"
#include "core/stream_view.h"

namespace quda
{

constexpr int gram_columns = 16; // of either side, of one launch

/// Pairs of a tile: as many as registers hold the chains of. Where b is one column, na nb of a and that.
struct GramTile {
  int na, nb;
};

constexpr int gram_tiles = gram_columns * gram_columns / 2; // of one launch, at most

struct GramCall {
  StreamView shape; // groups: those of each column
  StreamField a[gram_columns];
  StreamField b[gram_columns];
  int na;
  int nb;
  int tiles;                      // of a group
  unsigned char tile[gram_tiles]; // their numbers, those along b one after the other
  ExactLimbs *sums;               // (group, tile, i, j, part): added to
};

} // namespace quda
