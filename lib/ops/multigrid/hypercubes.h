#pragma once
/// Staggered quarks as rows of their hypercubes, blocks of 2^4 sites that begin at even coordinates: only a change of
/// names. Row 24 e + 3 s + c is colour c of the site s = b_1 + 2 b_2 + 4 b_3 among those at
/// b_0 + b_1 + b_2 + b_3 = e mod 2, b being counted from the hypercube's first site, so that the chiralities of the rows
/// are the parities of the sites.
///   fine : native colour vectors of one spin, double or single, of any lanes
///   rows : a row field of `hypercube_rows` rows (rows.h) of that precision and those right-hand sides, on the lattice of half
///          the extents
/// Either field may have the sites of one parity: the other parity counts as zero, or is not written.
/// Collective: while being tuned.

#include "fields/color_spinor_field.h"
#include "ops/multigrid/row_product.h"

namespace quda
{

constexpr int hypercube_rows = 48;
constexpr int hypercube[4] = {2, 2, 2, 2};

/// For hops of one site from hypercube to hypercube, legs 0 to 7 of Legs::neighbours(): the 24 rows of the face through
/// which each leg meets the neighbour.
LegRows face_rows();

/// rows = the rows of fine, or the same added to rows. lo, hi: sites of a hypercube count if lo_d <= b_d < hi_d,
/// others as zero; null: all.
void to_hypercubes(ColorSpinorField &rows, const ColorSpinorField &fine, const int lo[4] = nullptr,
                   const int hi[4] = nullptr, bool add = false);
/// fine = the fields of the rows, or the same added to fine.
void from_hypercubes(ColorSpinorField &fine, const ColorSpinorField &rows, bool add = false);

} // namespace quda
