#pragma once
/// Call of products with matrix fields of coarse grids.

#include "core/view.h"

namespace quda
{

/// Place of a leg's input: at a site of a parity of the input field, region 0, or in the halo's slot [d][up],
/// region 1 + 2 d + up.
struct LegSource {
  unsigned site;
  unsigned where; // 2 region + parity
};

/// Rows [begin, end) of a leg's input, and the column of the matrix field for the first of them.
struct LegRun {
  int begin, end, column;
};

struct RowProductCall {
  FieldView out, x, y, in; // numbers of one precision; x or y without data: none
  FieldView matrices;
  HaloView halo;            // of in
  const LegSource *sources; // [leg][parity][site] of the output's lattice, both parities
  const int *list;          // legs to be summed, in this order
  int listed;
  const LegRun *runs; // [leg]: place of its runs in this list, and its first column
  int rows_in;
  int first, count;      // right-hand sides
  const unsigned *sites; // registers of out to do, [parity of out][registers]; null: all
  unsigned registers;
  int parities, parity;  // of out; parity: of a field of one
  int in_parity;         // of a field of one parity, else -1: the other parity counts as zero
  int matrix_parity;     // the same
  int flip_out, flip_in; // rows from this one on change sign; 0: none do
  double a, b, c;        // out = a x + (b sum + c y)
};

/// Share of a work item: right-hand sides, colors.
struct RowProductTile {
  int sides, colors;
  int legs; // most legs that a block has side by side along y, tiles being indices of z; 0: y is tiles
};
constexpr int row_product_tiles = 16; // of right-hand sides in a launch, at most

} // namespace quda
