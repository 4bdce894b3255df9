#pragma once
/// The places around a register of sites, on the lane target: eight places, found together by vectors of eight numbers,
/// one step away, or several steps for legs that need them.

#include <index.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// One number for each of the eight places a step away: [2 d + up].
typedef int EightSteps __attribute__((vector_size(32)));
typedef long long EightShifts __attribute__((vector_size(64)));

/// Effect of the eight steps, as far as it does not depend on where they begin.
struct Steps {
  static constexpr int most_parts = max_lanes / 4;
  EightSteps edge;               // o_d from which the step leaves the block; with a border stored: no o_d
  EightSteps within;             // change of the site's number within the block,
  EightSteps within_odd;         // its further change from sites of odd number,
  EightSteps around;             // and its change around the block's edge
  EightSteps cut;                // whether the edge of the block may be the rank's
  EightSteps part[most_parts];   // around the edge: the destination part, for each part of origin
  EightShifts shift[most_parts]; // and the LaneShift, as a number; 0 where no lane moves
  EightSteps skewed;             // whether the destination is two registers, along the skew below and above

  Steps() = default;
  explicit Steps(const Index &index)
  {
    const LatticeView &lattice = index.lattice;
    for (int d = 0; d < 4; d++)
      for (int up = 0; up < 2; up++) {
        const int k = 2 * d + up, sign = up ? 1 : -1;
        // numbers count a parity, half of the lexicographic ones; along x every other step stays within a pair
        const int half = d > 0 ? static_cast<int>(index.stride[d] / 2) : 0;
        edge[k] = index.last[d][up];
        within[k] = d > 0 ? sign * half : up - 1;
        within_odd[k] = d == 0;
        around[k] = -sign * (d > 0 ? (lattice.O[d] - 1) * half : (lattice.O[0] - 2) / 2);
        cut[k] = lattice.cut[d];
        skewed[k] = lattice.O[d] % 2 ? -1 : 0;
        for (int p = 0; p < lattice.parts; p++) {
          const SiteMove move(lattice, lattice.code[d][up ? 1 : max_lanes - 1], p);
          part[p][k] = move.part;
          shift[p][k] = reinterpret_cast<long long>(move.shift);
        }
      }
  }
};

/// A register and the eight places one step from it, all found before a kernel's arithmetic begins: found one by
/// one between multiplications, they cost more than the multiplications next to them.
struct Around {
  EightShifts shift;
  EightSteps record, beyond;
  Coord x;
  Place here;
  int time[2]; // o_3 of the steps along t
  int to_up;   // registers between the two of a skewed place

  QUDA_DEVICE void locate(const Index &index, const Steps &steps, const Coord &coord)
  {
    x = coord;
    here = index.here(x);
    const int site = x.full / 2, odd = x.full & 1;
    const EightSteps o = {x.o[0], x.o[0], x.o[1], x.o[1], x.o[2], x.o[2], x.o[3], x.o[3]};
    const EightSteps leaves = o == steps.edge;
    const EightSteps within = steps.within + steps.within_odd * odd;
    EightSteps around = steps.around;
    to_up = 0;
    if (index.lattice.skew >= 0) {
      const int down = index.beside(x.full, x.o, false) / 2;
      around += steps.skewed & (down - site);
      to_up = (static_cast<int>(index.beside(x.full, x.o, true) / 2) - down) * index.lattice.parts;
    }
    const EightSteps to = site + ((leaves & around) | (~leaves & within));
    const EightSteps part = (leaves & steps.part[x.part]) | (~leaves & x.part);
    record = to * index.lattice.parts + part;
    beyond = leaves & steps.cut;
    shift = __builtin_convertvector(leaves, EightShifts) & steps.shift[x.part];
    time[0] = leaves[6] ? index.lattice.O[3] - 1 : x.o[3] - 1;
    time[1] = leaves[7] ? 0 : x.o[3] + 1;
  }

  QUDA_DEVICE Place neighbour(int d, int s) const
  {
    const int k = 2 * d + (s > 0);
    return {static_cast<unsigned>(record[k]),
            1 - x.parity,
            d < 3 ? x.o[3] : time[s > 0],
            beyond[k] != 0,
            reinterpret_cast<const LaneShift *>(shift[k]),
            static_cast<unsigned>(record[k] + to_up)};
  }
};

/// Effect of the eight moves by `length` steps. off[c] and the members below it are for places c steps from the edge
/// ahead of the move.
template <int length> struct LongSteps {
  EightSteps edge;                              // o_d of the edge; with a border stored: none
  EightSteps downwards;                         // -1 where steps towards it count downwards
  EightSteps within;                            // change of the number of both parities within the block,
  EightSteps off[length];                       // and around its edge
  EightSteps cut[length];                       // whether the place may lie beyond
  EightSteps part[length][Steps::most_parts];   // the destination part, for each part of origin
  EightShifts shift[length][Steps::most_parts]; // and the LaneShift, as a number; 0 where no lane moves
  EightSteps skewed[length];                    // whether the destination is two registers
  int time[2][length + 1];                      // below and above: change of o_3

  LongSteps() = default;
  explicit LongSteps(const Index &index)
  {
    const LatticeView &lattice = index.lattice;
    for (int d = 0; d < 4; d++)
      for (int up = 0; up < 2; up++) {
        const int k = 2 * d + up, n = up ? length : -length, O = lattice.O[d];
        const int stride = static_cast<int>(index.stride[d]);
        const bool bordered = lattice.R[d] > 0;
        edge[k] = bordered ? Index::nowhere : up ? O - 1 : 0;
        downwards[k] = up && !bordered ? -1 : 0;
        within[k] = n * stride;
        if (d == 3) time[up][length] = n;
        for (int c = 0; c < length; c++) {
          const int o = up ? O - 1 - c : c;
          int to = o + n, blocks = 0;
          for (; to < 0; blocks--) to += O;
          for (; to >= O; blocks++) to -= O;
          off[c][k] = (to - o) * stride;
          cut[c][k] = lattice.cut[d];
          skewed[c][k] = 0;
          if (d == 3) time[up][c] = to - o;
          for (int p = 0; p < lattice.parts; p++) {
            const SiteMove move(lattice, lattice.code[d][blocks & (max_lanes - 1)], p);
            part[c][p][k] = move.part;
            shift[c][p][k] = reinterpret_cast<long long>(move.shift);
            if (move.shift && move.shift->skewed) skewed[c][k] = -1;
          }
        }
      }
  }
};

/// The eight places `length` steps from a register, and those one step from it.
template <int length> struct LongAround {
  EightShifts shift;
  EightSteps record, beyond;
  int time[2]; // o_3 of the moves along t

  QUDA_DEVICE void locate(const Index &index, const LongSteps<length> &steps, const Around &around)
  {
    const Coord &x = around.x;
    const int site = x.full / 2, odd = x.full & 1;
    const EightSteps o = {x.o[0], x.o[0], x.o[1], x.o[1], x.o[2], x.o[2], x.o[3], x.o[3]};
    const EightSteps from_edge = steps.edge + ((o ^ steps.downwards) - steps.downwards);
    EightSteps to = steps.within, part = EightSteps {} + x.part, skewed {};
    beyond = EightSteps {};
    shift = EightShifts {};
    QUDA_UNROLL
    for (int c = 0; c < length; c++) {
      const EightSteps here = from_edge == c;
      to = (here & steps.off[c]) | (~here & to);
      part = (here & steps.part[c][x.part]) | (~here & part);
      beyond |= here & steps.cut[c];
      skewed |= here & steps.skewed[c];
      shift |= __builtin_convertvector(here, EightShifts) & steps.shift[c][x.part];
    }
    to = site + ((to + odd) >> 1);
    if (index.lattice.skew >= 0) to += skewed & (static_cast<int>(index.beside(x.full, x.o, false) / 2) - site);
    record = to * index.lattice.parts + part;
    for (int up = 0; up < 2; up++)
      time[up] = x.o[3] + steps.time[up][from_edge[6 + up] < length ? from_edge[6 + up] : length];
  }

  QUDA_DEVICE Place neighbour(const Around &around, int d, int s) const
  {
    const int k = 2 * d + (s > 0);
    return {static_cast<unsigned>(record[k]),
            (around.x.parity + length) & 1,
            d < 3 ? around.x.o[3] : time[s > 0],
            beyond[k] != 0,
            reinterpret_cast<const LaneShift *>(shift[k]),
            static_cast<unsigned>(record[k] + around.to_up)};
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
