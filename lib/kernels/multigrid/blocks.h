#pragma once
/// Aggregates of a lattice, blocks of sites of the extents b_d, and places of their coarse numbers. On lanes a register
/// holds an aggregate in each lane, whole, since b_d divides O_d.

#include "core/tune_param.h"
#include "device/site_arg.h"
#include "kernels/multigrid/blocks_call.h"
#include "kernels/multigrid/coarse_numbers.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// As many numbers as registers hold.
template <class S> struct BlockTile {
  static constexpr bool lanes = width<S> > 1;
  static constexpr int to_imaginary = width<S>; // from the real part of a coarse number
#if defined(__AVX512F__)
  static constexpr int most_rhs = 3; // of a tile
  static constexpr int vectors(int) { return 4; }
  static constexpr int prolonged = 2; // right-hand sides
#elif defined(__AVX2__)
  static constexpr int most_rhs = 2;
  static constexpr int vectors(int rhs) { return rhs == 1 ? 4 : 2; }
  static constexpr int prolonged = 1;
#else
  static constexpr int most_rhs = 2;
  static constexpr int vectors(int) { return 2; }
  static constexpr int prolonged = 2;
#endif
  /// Right-hand sides of the next tile, out of `left`, such that no tile of one follows larger ones.
  QUDA_DEVICE static int next(int left)
  {
    return left <= most_rhs ? left : left == most_rhs + 1 && most_rhs > 2 ? 2 : most_rhs;
  }
};

/// The aggregates of a register.
struct Aggregate {
  int n[4]; // in the block of lanes, counted in aggregates
  int o[4]; // coordinates of its first site
  int part;
};

/// First numbers of the coarse sites of a register's aggregates; null in lanes without sites and
/// if a coarse field of one parity has none.
template <class S> struct CoarseSites {
  number_of<S> *at[width<S>];
};

template <class S> struct BlocksArg : SiteArg {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  Storage<S, 24> V;
  Storage<number, 24> fine;
  CoarseNumbers<S> coarse;
  int block[4], count[4], lo[4], hi[4]; // count: aggregates of a block of lanes
  int vectors, rhs;
  int parity;
  int prefetch; // vectors ahead
  bool add;

  BlocksArg(const BlocksCall &c, const TuneParam &tp)
      : SiteArg(c.fine.lattice, c.parity < 0 ? 2 : 1)
      , V(c.V)
      , fine(c.fine)
      , coarse(c.coarse, c.coarse_parity)
      , vectors(c.V.rhs)
      , rhs(c.fine.rhs)
      , parity(c.parity)
      , prefetch(tp.prefetch)
      , add(c.add)
  {
    for (int d = 0; d < 4; d++) {
      block[d] = c.block[d];
      lo[d] = c.lo[d];
      hi[d] = c.hi[d];
      count[d] = c.fine.lattice.O[d] / c.block[d];
    }
  }

  /// Registers of aggregates.
  QUDA_DEVICE unsigned aggregates() const
  {
    return count[0] * count[1] * count[2] * count[3] * parts_of(index.lattice);
  }

  QUDA_DEVICE Aggregate aggregate(unsigned record) const
  {
    Aggregate a;
    a.part = static_cast<int>(record & (parts_of(index.lattice) - 1));
    unsigned n = record >> log_parts_of(index.lattice);
    QUDA_UNROLL
    for (int d = 0; d < 4; d++) {
      const unsigned m = n / count[d];
      a.n[d] = static_cast<int>(n - m * count[d]);
      a.o[d] = a.n[d] * block[d];
      n = m;
    }
    return a;
  }

  QUDA_DEVICE CoarseSites<S> coarse_sites(const Aggregate &a) const
  {
    CoarseSites<S> sites;
    for (int lane = 0; lane < width<S>; lane++) {
      int x[4];
      for (int d = 0; d < 4; d++)
        x[d] = a.n[d] + count[d] * static_cast<int>(index.lattice.block[d][a.part * width<S> + lane]);
      sites.at[lane] = lane < active ? coarse.site(x) : nullptr;
    }
    return sites;
  }

  /// Offset from there to the real part of a row of right-hand side j; the imaginary part follows at to_imaginary.
  QUDA_DEVICE long long row_offset(int row, int j) const { return coarse.offset(row, j); }

  /// work(place, next) for the sites of an aggregate in a box, of the selected parity: in the lexicographic order of
  /// their coordinates within it. next: the following place, or the same one at the end.
  template <class Work>
  QUDA_DEVICE void for_sites(const Aggregate &a, const int (&lo)[4], const int (&hi)[4], const Work &work) const
  {
    Coord x;
    x.x_cb = 0;
    x.part = a.part;
    bool more = true;
    for (int d = 0; d < 4; d++) {
      x.o[d] = a.o[d] + lo[d];
      more = more && lo[d] < hi[d];
    }
    more = found(x, more, a, lo, hi);
    Place here = place(x);
    while (more) {
      more = found(x, advance(x, a, lo, hi), a, lo, hi);
      const Place next = more ? place(x) : here;
      work(here, next);
      here = next;
    }
  }

  /// Prefetches vector i + prefetch, or, at the end, the corresponding one of the next site.
  QUDA_DEVICE void prefetch_ahead(const Place &here, const Place &next, int i, int last) const
  {
    if (prefetch == 0) return;
    const int ahead = i + prefetch;
    if (ahead < last)
      V.prefetch(here, ahead, 0);
    else if (ahead - last < last)
      V.prefetch(next, ahead - last, 0);
  }

private:
  QUDA_DEVICE Place place(Coord &x) const
  {
    x.parity = (x.o[0] + x.o[1] + x.o[2] + x.o[3]) & 1;
    x.full = index.number(x.o);
    return index.here(x);
  }

  /// Advances to the next site of a box; false if there is none.
  QUDA_DEVICE static bool advance(Coord &x, const Aggregate &a, const int (&lo)[4], const int (&hi)[4])
  {
    for (int d = 0; d < 4; d++) {
      if (++x.o[d] < a.o[d] + hi[d]) return true;
      x.o[d] = a.o[d] + lo[d];
    }
    return false;
  }

  /// Advances to a site of the selected parity, if there is one, from a site or, more = false, from none.
  QUDA_DEVICE bool found(Coord &x, bool more, const Aggregate &a, const int (&lo)[4], const int (&hi)[4]) const
  {
    while (more && parity >= 0 && ((x.o[0] + x.o[1] + x.o[2] + x.o[3]) & 1) != parity) more = advance(x, a, lo, hi);
    return more;
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
