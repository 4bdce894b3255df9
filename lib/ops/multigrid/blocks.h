#pragma once
/// Transfers between a lattice and the coarse grid of its aggregates, with the vectors V_i that span the coarse space.
///   V      : native spinors of 4 spins, right-hand side i is vector i, on all sites or on those of the fine field; double,
///            single or half.
///   fine   : native spinors of 4 spins on the same lattice, of right-hand sides j; double for double V, else single.
///   coarse : a row field of 2 n_vec rows (rows.h), of the right-hand sides and precision of the fine field, on the
///            lattice of coarse_extents(); an odd number of aggregates has a lattice with one more site in that
///            direction, where nothing is read or written.
/// Either field may have the sites of one parity: the other parity counts as zero, or is not written. If lanes are
/// sites, every block_d divides O_d: Lattice::blocked.
/// Bits do not depend on threads, lanes, targets, tuning or the number of right-hand sides, nor on ranks.
/// Collective: while being tuned.

#include "fields/color_spinor_field.h"

namespace quda
{

/// coarse_j(a; X, i) = sum over the sites x of aggregate a, in lexicographic order of their coordinates in it, and the
/// spins and colours of chirality X of conj(V_i(x)) fine_j(x), or the same added to coarse. lo, hi: of an aggregate's
/// sites only those with lo_d <= coordinate < hi_d; null: all. Padding rows of a register become zero.
void restrict_blocks(ColorSpinorField &coarse, const ColorSpinorField &V, const ColorSpinorField &fine,
                     const int block[4], const int lo[4] = nullptr, const int hi[4] = nullptr, bool add = false);

/// fine_j(x) = sum_i V_i(x) coarse_j(a(x); X, i) for the spins of either chirality X, or the same added to fine.
void prolong_blocks(ColorSpinorField &fine, const ColorSpinorField &V, const ColorSpinorField &coarse,
                    const int block[4], bool add = false);

/// out_{Y N + j} = G P_Y in_j for in's N right-hand sides, Y = 0, 1; P_Y: the spins of chirality Y, G = 1, or
/// 1 + sign gamma_direction if direction is not -1. Fields of one precision, double or single, and of the same sites.
void chiral_columns(ColorSpinorField &out, const ColorSpinorField &in, int direction = -1, int sign = 1);
/// out_j = P_X in_j.
void chiral_part(ColorSpinorField &out, const ColorSpinorField &in, int X);

} // namespace quda
