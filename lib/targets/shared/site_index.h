#pragma once
/// Index of the sites of a kernel's index space: one header for all targets. A kernel asks for the coordinates of its
/// register (of its site, on scalar targets: one lane, one part) and for the places around it. Steps off a block's end
/// come back at its other side with the lanes moved by the number of blocks crossed; if a border is stored they go
/// on into it; if neither is possible, the place lies beyond, in a slot of the halo (kernels/halo/slots.h). Between
/// blocks that are skewed (core/view.h) a place is two registers, whose lanes a read merges (storage.h).
///
/// The target's <site_move.h> has SiteCount, parts_of(lattice), log_parts_of(lattice), high_product(a, b), and
/// SiteMove, the target's form of a move of lanes.

#include "core/view.h"
#include <site_move.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

struct Coord {
  unsigned x_cb;  // number of the register in the index space
  SiteCount full; // lexicographic number of o in the stored extents
  int part;       // number of the site's register
  int parity;
  int o[4]; // coordinates within the block
};

/// A register of a field, or of a slot of its halo.
struct Place {
  SiteCount record; // site * parts + part; site: checkerboard number in the stored extents, or among a slot's layers
  int parity;
  int t;                  // o_3
  bool beyond;            // some lane lies on another rank and no border is stored there: record is the slot's
  const LaneShift *shift; // non-null: the lanes are to be moved after the load
  SiteCount up = 0;       // if shift->skewed: the register that some lanes are read from, the others from record
};

/// Coordinate along d, within the rank, of the sites at block coordinate o in a lane, counted over all parts.
QUDA_DEVICE int coordinate(const LatticeView &lattice, int d, int o, int lane)
{
  const int x = o + lattice.O[d] * lattice.block[d][lane];
  if (d != lattice.skew || !(lattice.ahead >> lane & 1)) return x;
  return x + 1 < lattice.X[d] ? x + 1 : 0;
}

struct Index {
  static constexpr int nowhere = 0x3fffffff;
  LatticeView lattice;
  SiteCount stride[4]; // of the stored extents
  int last[4][2];      // o_d below, above which a step has left the block; with a border stored: none
  unsigned face_cb[4]; // sites of a parity on a face across d

  QUDA_DEVICE static unsigned quotient(unsigned n, const Divisor &by)
  {
    return by.magic ? static_cast<unsigned>(high_product(by.magic, n)) : n;
  }

  QUDA_DEVICE Index() {}
  QUDA_DEVICE explicit Index(const LatticeView &view)
      : lattice(view)
  {
    for (int d = 0; d < 4; d++) {
      stride[d] = d ? stride[d - 1] * lattice.E[d - 1] : 1;
      last[d][0] = lattice.R[d] == 0 ? 0 : -nowhere;
      last[d][1] = lattice.R[d] == 0 ? lattice.O[d] - 1 : nowhere;
      face_cb[d] = lattice.volume_cb / lattice.O[d];
    }
  }

  /// Registers of one parity, and the number of a register's lanes that are sites.
  QUDA_DEVICE unsigned registers() const { return lattice.volume_cb * parts_of(lattice); }
  QUDA_DEVICE int active() const { return lattice.lanes < lattice.width ? lattice.lanes : lattice.width; }

  QUDA_DEVICE SiteCount number(const int (&o)[4]) const
  {
    SiteCount full = 0;
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) full += static_cast<unsigned>(o[d] + lattice.R[d]) * stride[d];
    return full;
  }

  QUDA_DEVICE Coord coord(unsigned x_cb, int parity) const
  {
    Coord x;
    x.x_cb = x_cb;
    x.parity = parity;
    x.part = x_cb & (parts_of(lattice) - 1);
    const unsigned site = x_cb >> log_parts_of(lattice);
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

  /// Number of the site one step up or down from `full` along the skew, around the lattice.
  QUDA_DEVICE SiteCount beside(SiteCount full, const int (&o)[4], bool up) const
  {
    const int e = lattice.skew, last = lattice.O[e] - 1;
    const SiteCount around = static_cast<SiteCount>(last) * stride[e];
    return up ? (o[e] == last ? full - around : full + stride[e]) : (o[e] == 0 ? full + around : full - stride[e]);
  }

  /// Puts into n the source register of a move of lanes that ends at `full`; o: block coordinates before it, unchanged
  /// except for wrapped ones.
  QUDA_DEVICE void come_from(Place &n, SiteCount full, const int (&o)[4], const SiteMove &move) const
  {
    n.record = full / 2 * parts_of(lattice) + move.part;
    n.shift = move.shift;
    if (n.shift && n.shift->skewed) {
      n.record = beside(full, o, false) / 2 * parts_of(lattice) + move.part;
      n.up = beside(full, o, true) / 2 * parts_of(lattice) + move.part;
    }
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
    return {x.full / 2 * parts_of(lattice) + x.part, x.parity, x.o[3], false, nullptr};
  }

  /// Register `part` of site `n` in an array of sites that is no field of this lattice: a face, a message.
  QUDA_DEVICE Place numbered(unsigned n, int part) const
  {
    return {static_cast<SiteCount>(n) * parts_of(lattice) + part, 0, 0, false, nullptr};
  }

  /// The place n steps along d, n any number but 0.
  QUDA_DEVICE Place neighbour(const Coord &x, int d, int n) const
  {
    return n == 1 || n == -1 ? step<true>(x, d, n) : steps(x, d, n);
  }

  /// One step, s = +1 or -1; leaves: places may lie beyond.
  template <bool leaves> QUDA_DEVICE Place step(const Coord &x, int d, int s) const
  {
    Place n {0, 1 - x.parity, d < 3 ? x.o[3] : x.o[3] + s, false, nullptr};
    if (__builtin_expect(x.o[d] == last[d][s > 0], 0)) {
      if (d == 3) n.t = s > 0 ? 0 : lattice.O[3] - 1;
      n.beyond = leaves && lattice.cut[d];
      if (n.beyond) {
        n.record = slot_record(x, d, s);
      } else {
        const SiteCount back = static_cast<SiteCount>(lattice.O[d] - 1) * stride[d];
        const SiteMove move(lattice, lattice.code[d][s > 0 ? 1 : max_lanes - 1], x.part);
        come_from(n, s > 0 ? x.full - back : x.full + back, x.o, move);
      }
    } else {
      // halves of even numbers, except along x, where every other step stays within a pair of the two parities
      const SiteCount half = d > 0 ? stride[d] / 2 : s > 0 ? x.full & 1 : 1 - (x.full & 1);
      n.record = (s > 0 ? x.full / 2 + half : x.full / 2 - half) * parts_of(lattice) + x.part;
    }
    return n;
  }

  /// Several steps, which may leave several blocks.
  QUDA_DEVICE Place steps(const Coord &x, int d, int n) const
  {
    const int o = x.o[d] + n;
    const bool off = o < last[d][0] || o > last[d][1];
    int to = o, blocks = 0;
    for (; off && to < 0; blocks--) to += lattice.O[d];
    for (; off && to >= lattice.O[d]; blocks++) to -= lattice.O[d];
    Place p {0, (x.parity + n) & 1, d < 3 ? x.o[3] : to, off && lattice.cut[d], nullptr};
    if (p.beyond) {
      p.record = slot_record(x, d, n);
    } else {
      const SiteMove move(lattice, lattice.code[d][blocks & (max_lanes - 1)], x.part);
      come_from(p, x.full + static_cast<SiteCount>(to - x.o[d]) * stride[d], x.o, move);
    }
    return p;
  }

  /// Register of a halo's slot that x reads n steps along d, if that place is beyond. Layer 0 lies next to the rank.
  QUDA_DEVICE SiteCount slot_record(const Coord &x, int d, int n) const
  {
    const int layer = n > 0 ? x.o[d] + n - lattice.O[d] : -1 - x.o[d] - n;
    return (static_cast<SiteCount>(layer) * face_cb[d] + face(x, d)) * parts_of(lattice) + x.part;
  }

  /// The same as a place.
  QUDA_DEVICE Place slot_place(const Coord &x, int d, int n) const
  {
    return {slot_record(x, d, n), (x.parity + n) & 1, 0, true, nullptr};
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
    x.part = record & (parts_of(lattice) - 1);
    unsigned n = 2 * (record >> log_parts_of(lattice));
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
};

/// Index of fields that a kernel walks without a halo: cut directions have a border, so that no place lies beyond and
/// steps may go in several directions. A field without border is refused when the kernel's argument is made.
struct BorderIndex : Index {
  QUDA_DEVICE BorderIndex() {}
  /// depth: of the border needed; 0 if the host side has compared it with the length of each step.
  explicit BorderIndex(const LatticeView &view, int depth = 1)
      : Index(view)
  {
    for (int d = 0; d < 4; d++)
      if (lattice.cut[d] && lattice.R[d] < depth)
        launch_error("a kernel that reads links around its site", "border in a direction cut between ranks",
                     lattice.R[d], depth, lattice.X[d]);
  }

  QUDA_DEVICE Place neighbour(const Coord &x, int d, int n) const
  {
    return n == 1 || n == -1 ? step<false>(x, d, n) : steps(x, d, n);
  }

  /// The place dx away. Steps longer than a block wrap as often as needed.
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
    const SiteMove move(lattice, code, x.part);
    Place n {0, (x.parity + steps) & 1, o[3], false, nullptr};
    come_from(n, number(o), o, move);
    return n;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
