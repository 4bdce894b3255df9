#pragma once
/// Prefetch schedules for walks over the lattice, kept apart so that a formula reads as a formula. Sites come register
/// by register, x fastest and t slowest; most links in a site's formula have been read by an earlier site. A
/// schedule names the links that none has read, `distance` registers ahead in memory (0: no prefetch), and spreads the
/// requests over the formula: many lines requested at once delay the loads among them. Scalar targets request
/// nothing.
///
///   prefetch_plane    plaquette                one link before each plane
///   prefetch_staples  heat bath                the six links of two staples before them
///   CurlAhead         stout, plaquette force   half a link before each product
///
/// Measured, speed from memory (24 24 24 48, double, 18; Zen 5, 2 threads; tests/bench/results/2026-11-22-zen5.txt):
///                                                        stout         plaquette force   heat bath
///   half a link before each product                      1             1
///   a link before each lower staple                      0.93 to 0.96  about 1
///   all links ahead of the site                          0.8
///   into the second-level cache instead of the first     0.83          0.94
///   one to eight registers ahead                         0.94 to 1.02
///   fewer lines                                          0.75 to 0.90
///   one line of two                                      0.58
///   also the lines a plane of z behind                   0.99
///   not for links that are written, and read before                    0.72              0.77
/// The hop, with a load for each multiplication, is slower where its requests are spread: measure.

#include "device/displacement.h"
#include "device/gauge.h"
#include <around.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Before the plaquette of the plane (mu, nu), nu < mu. First read here are: links along t; links in the slice of
/// t + 1, which no earlier slice has; and links in the plane of z + 1, which the last cache may have lost since the
/// slice before. Six planes prefetch six links.
template <class S, int recon, class Sites> QUDA_DEVICE void prefetch_plane(const Gauge<S, recon> &U, const Sites &index,
                                                                           const Coord &x, int mu, int nu, int distance)
{
  if (!distance) return;
  if (mu == 3)
    U.storage.prefetch(index.neighbour(x, 3, +1), nu, distance);
  else if (nu == 0)
    U.storage.prefetch(index.neighbour(x, 2, +1), mu - 1, distance);
  else
    U.storage.prefetch(index.here(x), 3, distance);
}

/// Before the two staples of U_mu(x) in the plane (mu, nu): all their links. A launch has one direction and parity, so
/// few links are read twice.
template <class S, int recon, class Sites> QUDA_DEVICE void
prefetch_staples(const Gauge<S, recon> &U, const Sites &index, const Coord &x, int mu, int nu, int distance)
{
  if (!distance) return;
  const Place below = index.neighbour(x, nu, -1);
  U.storage.prefetch(index.here(x), nu, distance);
  U.storage.prefetch(index.neighbour(x, nu, +1), mu, distance);
  U.storage.prefetch(index.neighbour(x, mu, +1), nu, distance);
  U.storage.prefetch(below, mu, distance);
  U.storage.prefetch(below, nu, distance);
  U.storage.prefetch(index.shifted(x, Displacement {}.step(mu, +1).step(nu, -1).dx), nu, distance);
}

/// All plaquettes through the links of a site, in the directions dirs[0 ... count). A sweep of the slowest direction
/// is longer than any cache, so each link is requested twice: where the walk meets it first, and where it returns
/// after that sweep.
template <class S, int recon> struct CurlAhead {
  PrefetchList<S, recon, 11> list {};
  int turns = 0; // products of the formula: upper plaquettes, lower staples, links

  template <class Sites> QUDA_DEVICE void begin(const Gauge<S, recon> &U, const Sites &index, const Around &around,
                                                const int (&dirs)[4], int count, int distance)
  {
    if (!distance) return;
    const auto request = [&](const Place &place, int directions) QUDA_LAMBDA {
      for (int i = 0; i < directions; i++) list.add(U.storage, place, dirs[i], distance);
    };
    const int slow = dirs[count - 1], middle = dirs[count > 1 ? count - 2 : 0];
    request(around.neighbour(slow, +1), count - 1); // first met
    list.add(U.storage, index.shifted(around.x, Displacement {}.step(slow, -1).step(middle, +1).dx), slow, distance);
    request(around.neighbour(slow, -1), count - 1); // back after a sweep of the slowest
    request(around.neighbour(middle, +1), count);
    turns = count * (3 * count - 1) / 2;
  }

  /// To be called before each product.
  QUDA_DEVICE void prefetch()
  {
    if (turns) list.next_of(turns);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
