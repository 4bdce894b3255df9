#pragma once
/// Where the sites of a kernel's index space lie, on scalar targets: one site a thread, no lanes to move. Names and
/// meaning are those of the lane target.

#include "core/view.h"
#include <lane.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

struct Coord {
  unsigned x_cb;
  unsigned long long full; // lexicographic number of o in the stored extents
  int part;
  int parity;
  int o[4];
};

struct Place {
  unsigned long long record; // checkerboard number of the site in the stored extents
  int parity;
  int t;                  // o_3
  bool beyond;            // on another rank, and no border is stored to catch it
  const LaneShift *shift; // always null: lanes never move
};

template <class R> QUDA_DEVICE R moved(R a, const Place &) { return a; }

struct Index {
  LatticeView lattice;
  unsigned long long stride[4];

  QUDA_DEVICE static unsigned quotient(unsigned n, const Divisor &by)
  {
#if defined(__CUDA_ARCH__)
    return by.magic ? static_cast<unsigned>(__umul64hi(by.magic, n)) : n;
#else
    return by.magic ? static_cast<unsigned>((static_cast<unsigned __int128>(by.magic) * n) >> 64) : n;
#endif
  }

  QUDA_DEVICE Index() {}
  QUDA_DEVICE explicit Index(const LatticeView &view)
      : lattice(view)
  {
    stride[0] = 1;
    for (int d = 1; d < 4; d++) stride[d] = stride[d - 1] * lattice.E[d - 1];
  }

  QUDA_DEVICE unsigned registers() const { return lattice.volume_cb; }
  QUDA_DEVICE int active() const { return 1; }

  QUDA_DEVICE unsigned long long number(const int (&o)[4]) const
  {
    unsigned long long full = 0;
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) full += static_cast<unsigned>(o[d] + lattice.R[d]) * stride[d];
    return full;
  }

  QUDA_DEVICE Coord coord(unsigned x_cb, int parity) const
  {
    Coord x;
    x.x_cb = x_cb;
    x.parity = parity;
    x.part = 0;
    const unsigned a = quotient(x_cb, lattice.by[0]);
    const unsigned b = quotient(a, lattice.by[1]);
    const unsigned c = quotient(b, lattice.by[2]);
    x.o[1] = a - b * lattice.O[1];
    x.o[2] = b - c * lattice.O[2];
    x.o[3] = c;
    x.o[0] = 2 * (x_cb - a * lattice.by[0].divisor) + ((x.o[1] + x.o[2] + x.o[3] + parity) & 1);
    x.full = number(x.o);
    return x;
  }

  QUDA_DEVICE Coord same(const Coord &other) const
  {
    Coord x = other;
    x.full = number(x.o);
    return x;
  }

  QUDA_DEVICE Place here(const Coord &x) const { return {x.full / 2, x.parity, x.o[3], false, nullptr}; }

  QUDA_DEVICE Place numbered(unsigned n, int) const { return {n, 0, 0, false, nullptr}; }

  QUDA_DEVICE Place neighbour(const Coord &x, int d, int s) const
  {
    const bool edge = x.o[d] == (s > 0 ? lattice.O[d] - 1 : 0) && lattice.R[d] == 0;
    const unsigned long long step = edge ? -static_cast<unsigned long long>(lattice.O[d] - 1) * stride[d] : stride[d];
    const int t = d < 3 ? x.o[3] : edge ? (s > 0 ? 0 : lattice.O[3] - 1) : x.o[3] + s;
    return {(s > 0 ? x.full + step : x.full - step) / 2, 1 - x.parity, t, edge && lattice.cut[d], nullptr};
  }

  QUDA_DEVICE Place shifted(const Coord &x, const int (&dx)[4]) const
  {
    int o[4];
    int steps = 0;
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) {
      o[d] = x.o[d] + dx[d];
      steps += dx[d];
      if (lattice.R[d] == 0) {
        while (o[d] >= lattice.O[d]) o[d] -= lattice.O[d];
        while (o[d] < 0) o[d] += lattice.O[d];
      }
    }
    return {number(o) / 2, (x.parity + steps) & 1, o[3], false, nullptr};
  }

  QUDA_DEVICE int source_lane(int, int) const { return 0; }

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
};

} // namespace quda::QUDA_TARGET_NAMESPACE
