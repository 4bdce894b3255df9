#pragma once
/// Call of block inner products (gram.h).

#include "core/exact_limbs.h"
#include "core/stream_view.h"

namespace quda
{

constexpr int gram_columns = 16; // of either side, of one launch

/// Pairs of a tile: as many as registers have chains for. If b is one column, na nb columns of a with it.
struct GramTile {
  int na, nb;
};

constexpr int gram_tiles = gram_columns * gram_columns / 2; // of one launch, at most

struct GramCall {
  StreamView shape; // groups within each column
  StreamField a[gram_columns];
  StreamField b[gram_columns];
  int na;
  int nb;
  int tiles;                      // of a group
  unsigned char tile[gram_tiles]; // their numbers, those along b one after the other
  ExactLimbs *sums;               // (group, tile, i, j, part): added to
};

} // namespace quda
