#pragma once
/// Where the sites of a kernel's index space lie, on the lane target. A kernel asks for the coordinates of its register
/// and for the places around it; moves off a block's edge come back at its other side with the lanes moved by one
/// block, or, in directions where the field was extended, run on into the border.

#include "core/view.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

struct Coord {
  unsigned x_cb; // number of the register in the index space
  unsigned full; // lexicographic number of o in the stored extents
  int part;      // which register of the site
  int parity;
  int o[4]; // coordinates within the block
};

/// A register of a field.
struct Place {
  unsigned record; // site * parts + part, site: checkerboard number in the stored extents
  int parity;
  int t;                  // o_3
  bool beyond;            // some lane lies on another rank, and no border is stored to catch it
  const LaneShift *shift; // non-null: the lanes are to be moved after the load
};

template <class T, int W> QUDA_DEVICE Lane<T, W> moved(Lane<T, W> a, const Place &n)
{
  return permute(a, n.shift->index);
}

struct Index {
  static constexpr int nowhere = -0x7fffffff;
  LatticeView lattice;
  unsigned stride[4]; // of the stored extents
  int edge[4][2];     // o_d from which a step down, a step up leaves the block; with a border stored: nowhere

  QUDA_DEVICE static unsigned quotient(unsigned n, const Divisor &by)
  {
    return by.magic ? static_cast<unsigned>((static_cast<unsigned __int128>(by.magic) * n) >> 64) : n;
  }

  QUDA_DEVICE Index() = default;
  QUDA_DEVICE explicit Index(const LatticeView &view)
      : lattice(view)
  {
    stride[0] = 1;
    for (int d = 1; d < 4; d++) stride[d] = stride[d - 1] * lattice.E[d - 1];
    for (int d = 0; d < 4; d++) {
      edge[d][0] = lattice.R[d] == 0 ? 0 : nowhere;
      edge[d][1] = lattice.R[d] == 0 ? lattice.O[d] - 1 : nowhere;
    }
  }

  /// Registers of one parity, and how many lanes of a register are sites.
  QUDA_DEVICE unsigned registers() const { return lattice.volume_cb * lattice.parts; }
  QUDA_DEVICE int active() const { return lattice.lanes < lattice.width ? lattice.lanes : lattice.width; }

  QUDA_DEVICE unsigned number(const int (&o)[4]) const
  {
    unsigned full = 0;
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) full += static_cast<unsigned>(o[d] + lattice.R[d]) * stride[d];
    return full;
  }

  QUDA_DEVICE Coord coord(unsigned x_cb, int parity) const
  {
    Coord x;
    x.x_cb = x_cb;
    x.parity = parity;
    const int log_parts = __builtin_ctz(lattice.parts);
    x.part = x_cb & (lattice.parts - 1);
    const unsigned site = x_cb >> log_parts;
    const unsigned a = quotient(site, lattice.by[0]);
    const unsigned b = quotient(a, lattice.by[1]);
    const unsigned c = quotient(b, lattice.by[2]);
    x.o[1] = a - b * lattice.O[1];
    x.o[2] = b - c * lattice.O[2];
    x.o[3] = c;
    x.o[0] = 2 * (site - a * lattice.by[0].divisor) + ((x.o[1] + x.o[2] + x.o[3] + parity) & 1);
    x.full = number(x.o);
    return x;
  }

  /// The same site in a field of the same lattice with another border.
  QUDA_DEVICE Coord same(const Coord &other) const
  {
    Coord x = other;
    x.full = number(x.o);
    return x;
  }

  QUDA_DEVICE Place here(const Coord &x) const
  {
    return {x.full / 2 * lattice.parts + x.part, x.parity, x.o[3], false, nullptr};
  }

  /// Register `part` of site `n` in an array of sites that is no field of this lattice: a face, a message.
  QUDA_DEVICE Place numbered(unsigned n, int part) const { return {n * lattice.parts + part, 0, 0, false, nullptr}; }

  /// The place one step (s = +1, -1) along d. Beyond a cut face it is the place that comes round within the rank.
  QUDA_DEVICE Place neighbour(const Coord &x, int d, int s) const
  {
    Place n {0, 1 - x.parity, d < 3 ? x.o[3] : x.o[3] + s, false, nullptr};
    if (__builtin_expect(x.o[d] == edge[d][s > 0], 0)) {
      if (d == 3) n.t = s > 0 ? 0 : lattice.O[3] - 1;
      n.beyond = lattice.cut[d];
      const unsigned back = (lattice.O[d] - 1) * stride[d];
      const LaneShift *shift = move(lattice.code[d][s > 0 ? 1 : max_lanes - 1], x.part);
      n.record = (s > 0 ? x.full - back : x.full + back) / 2 * lattice.parts + shift->part;
      if (!shift->identity) n.shift = shift;
    } else {
      // halves of even numbers, but along x, where every other step stays within a pair of the two parities
      const unsigned half = d > 0 ? stride[d] / 2 : s > 0 ? x.full & 1 : 1 - (x.full & 1);
      n.record = (s > 0 ? x.full / 2 + half : x.full / 2 - half) * lattice.parts + x.part;
    }
    return n;
  }

  /// The place dx away. Hops longer than a block wrap as often as they must.
  QUDA_DEVICE Place shifted(const Coord &x, const int (&dx)[4]) const
  {
    int o[4];
    int code = 0;
    int steps = 0;
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) {
      o[d] = x.o[d] + dx[d];
      steps += dx[d];
      if (lattice.R[d] == 0) {
        int blocks = 0;
        while (o[d] >= lattice.O[d]) o[d] -= lattice.O[d], blocks++;
        while (o[d] < 0) o[d] += lattice.O[d], blocks--;
        code |= lattice.code[d][blocks & (max_lanes - 1)];
      }
    }
    const LaneShift *shift = move(code, x.part);
    return {number(o) / 2 * lattice.parts + shift->part, (x.parity + steps) & 1, o[3], false,
            shift->identity ? nullptr : shift};
  }

  /// Number of x among the sites of its parity on the face of constant o_d.
  QUDA_DEVICE unsigned face(const Coord &x, int d) const
  {
    unsigned n = 0;
    for (int e = 3; e >= 0; e--)
      if (e != d) n = n * lattice.O[e] + x.o[e];
    return n / 2;
  }

  /// The inverse: coordinates of site n of a parity on the face o_d = where; registers of a face count n * parts +
  /// part.
  QUDA_DEVICE Coord face_coord(unsigned record, int parity, int d, int where) const
  {
    Coord x;
    x.x_cb = 0;
    x.parity = parity;
    x.part = record & (lattice.parts - 1);
    unsigned n = 2 * (record / lattice.parts);
    const int first = d == 0 ? 1 : 0;
    unsigned sum = where + parity;
    x.o[d] = where;
    for (int e = 0; e < 4; e++)
      if (e != d) {
        x.o[e] = n % lattice.O[e];
        n /= lattice.O[e];
        if (e != first) sum += x.o[e];
      }
    x.o[first] += sum & 1;
    x.full = number(x.o);
    return x;
  }

  /// Lane that lane `lane` (counted over all parts) is filled from by a move.
  QUDA_DEVICE int source_lane(int move, int lane) const
  {
    const int W = lattice.width;
    const LaneShift &shift = lattice.shift[move * lattice.parts + lane / W];
    return shift.part * W + (W == 4 ? shift.index[2 * (lane % W)] / 2 : shift.index[lane % W]);
  }

  QUDA_DEVICE const LaneShift *move(int code, int part) const { return lattice.shift + code * lattice.parts + part; }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
