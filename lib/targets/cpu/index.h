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

/// A register of a field; `shift` non-null: its lanes are to be moved after the load.
struct Place {
  unsigned site; // checkerboard number in the stored extents
  int part;
  int parity;
  int t; // o_3
  const LaneShift *shift;
};

template <class T, int W> QUDA_DEVICE Lane<T, W> moved(Lane<T, W> a, const Place &n)
{
  return permute(a, n.shift->index);
}

struct Index {
  LatticeView lattice;
  unsigned stride[4]; // of the stored extents

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

  QUDA_DEVICE Place here(const Coord &x) const { return {x.full / 2, x.part, x.parity, x.o[3], nullptr}; }

  /// Whether a step from x along d leaves the rank's lattice in some lane, with no border stored to catch it.
  QUDA_DEVICE bool beyond(const Coord &x, int d, int s) const
  {
    return lattice.cut[d] && lattice.R[d] == 0 && x.o[d] == (s > 0 ? lattice.O[d] - 1 : 0);
  }

  QUDA_DEVICE int time_after(const Coord &x, int d, int s, bool edge) const
  {
    return d < 3 ? x.o[3] : edge ? (s > 0 ? 0 : lattice.O[3] - 1) : x.o[3] + s;
  }

  /// The place one step (s = +1, -1) along d.
  QUDA_DEVICE Place neighbour(const Coord &x, int d, int s) const
  {
    const bool edge = x.o[d] == (s > 0 ? lattice.O[d] - 1 : 0) && lattice.R[d] == 0;
    const unsigned step = edge ? -static_cast<unsigned>(lattice.O[d] - 1) * stride[d] : stride[d];
    Place n {(s > 0 ? x.full + step : x.full - step) / 2, x.part, 1 - x.parity, time_after(x, d, s, edge), nullptr};
    if (__builtin_expect(edge, 0)) move_lanes(n, lattice.code[d][s > 0 ? 1 : max_lanes - 1]);
    return n;
  }

  /// The place dx away. Hops longer than a block wrap as often as they must.
  QUDA_DEVICE Place shifted(const Coord &x, const int (&dx)[4]) const
  {
    int o[4];
    int move = 0;
    int steps = 0;
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) {
      o[d] = x.o[d] + dx[d];
      steps += dx[d];
      if (lattice.R[d] == 0) {
        int blocks = 0;
        while (o[d] >= lattice.O[d]) o[d] -= lattice.O[d], blocks++;
        while (o[d] < 0) o[d] += lattice.O[d], blocks--;
        move |= lattice.code[d][blocks & (max_lanes - 1)];
      }
    }
    Place n {number(o) / 2, x.part, (x.parity + steps) & 1, o[3], nullptr};
    if (move) move_lanes(n, move);
    return n;
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

  QUDA_DEVICE void move_lanes(Place &n, int move) const
  {
    const LaneShift *shift = lattice.shift + move * lattice.parts + n.part;
    n.part = shift->part;
    n.shift = shift->identity ? nullptr : shift;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
