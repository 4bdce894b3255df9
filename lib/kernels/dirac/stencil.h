#pragma once
/// Base of all hops: sums over the eight neighbours of a site, each taken with the link between:
///   sum(x) = sum_mu [ leg of U_mu(x) and in(x + mu), leg of U_mu(x - mu)^dag and in(x - mu) ]
/// Here are the directions, the neighbours across the edges of lane blocks and of ranks, the prefetch, and
/// the right-hand sides. An operator adds two things: its Leg, the product of a link and its place in the sum
/// (wilson_leg.h, color_leg.h), and its finish, the use of the sum (finish.h). Legs may be
/// longer than a step: neighbours are then Leg::length sites away, in halos that deep. Legs of two lengths have links
/// and halos of their own each (StencilReach), and their sums are added.
///
/// Both legs of a direction are one chain of multiply-adds in one set of registers: r = U^dag h for the neighbour
/// behind, then r -= U h for the one ahead, so r = b - f. A leg adds b - f where its signs differ and, since it sees b
/// as well, b + f = 2 b - (b - f) where they agree.
///
/// in    : (parity, x_cb, inner, reals).
/// Links : as stored, on all sites of the rank. The leg from behind multiplies in the neighbour's lanes and moves the
///         product, so links from beyond a cut face are not needed: what crosses it is the product.
/// Sum   : in units of link_unit<S>, which the coefficients of a finish absorb.
/// Halo  : of in, in cut directions, current: from below the products, from above the factors of links; for fixed
///         point in single precision, so that the bits of a result do not depend on where ranks meet.

#include "core/tune_param.h"
#include "kernels/dirac/site_links.h"
#include "kernels/dirac/stencil_call.h"
#include "kernels/halo/slots.h"
#include <around.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

/// Operands of legs of one length, `in` excepted: their links, and records from beyond cut faces.
template <class S, int reconstruct, int product_reals> struct StencilReach {
  static constexpr int recon = reconstruct;
  Gauge<S, recon> U;
  HaloSlots<number_of<S>, product_reals> halo;

  StencilReach(const GaugeView &links, const HaloView &slots)
      : U(links)
      , halo(slots)
  {
  }
};

/// site_reals: of one entry of `in`. product_reals: of a record that crosses a face.
template <class S, int reconstruct, int site_reals, int product_reals> struct StencilArg
    : StencilReach<S, reconstruct, product_reals> {
  using stored = S;
  using number = number_of<S>;
  using real = Real<S>;
  unsigned threads[3]; // registers, parities, tiles of right-hand sides
  Index index;
  Steps steps;
  Storage<S, site_reals> in;
  const unsigned *sites;
  const unsigned char *far;
  int parity;
  int legs;
  bool dagger;
  int rhs, layers; // right-hand sides, inner entries of each
  int tile;        // right-hand sides in one visit of a site
  int prefetch;    // registers ahead

  StencilArg(const StencilCall &c, const TuneParam &tp)
      : StencilReach<S, reconstruct, product_reals>(c.links, c.in.halo)
      , index(c.in.field.lattice)
      , steps(index)
      , in(c.in.field)
      , sites(c.sites)
      , far(c.far)
      , parity(c.parity)
      , legs(c.legs)
      , dagger(c.dagger)
      , rhs(c.in.field.rhs)
      , layers(c.in.field.fifth * c.in.field.flavours)
      , tile(tp.variant > 0 ? tp.variant
             : width<S> > 1 ? rhs
                            : 1)
      , prefetch(tp.prefetch)
  {
    threads[0] = c.count;
    threads[1] = c.parities;
    threads[2] = (rhs + tile - 1) / tile;
  }
};

/// A register of sites, a tile of right-hand sides.
struct StencilSite {
  Around around;
  int first, last; // right-hand sides
  int far;         // bit 2 d + up: the walk has not read that neighbour recently
};

/// The same for legs of two lengths.
struct TwoLengthSite : StencilSite {
  LongAround<3> around_long;
};

template <class Arg, class Reach = Arg> struct Stencil {
  using real = typename Arg::real;
  const Arg &arg;
  const Reach &reach;

  template <class Site> QUDA_DEVICE void locate(Site &site, unsigned n, int p, int tile) const
  {
    const unsigned x_cb = arg.sites ? arg.sites[p * arg.threads[0] + n] : n;
    const int parity = arg.parity + p;
    site.around.locate(arg.index, arg.steps, arg.index.coord(x_cb, parity));
    if constexpr (requires { site.around_long; }) site.around_long.locate(arg.index, arg.long_steps, site.around);
    site.first = tile * arg.tile;
    site.last = site.first + arg.tile < arg.rhs ? site.first + arg.tile : arg.rhs;
    site.far = arg.far ? arg.far[parity * arg.index.registers() + x_cb] : 0;
  }

  /// The place that a leg to mu reads, behind (from = -1) or ahead.
  template <class Leg, int mu, int from, class Site> QUDA_DEVICE Place neighbour(const Site &site) const
  {
    if constexpr (Leg::length == 1)
      return site.around.neighbour(mu, from);
    else if constexpr (requires { site.around_long; })
      return site.around_long.neighbour(site.around, mu, from);
    else
      return arg.index.neighbour(site.around.x, mu, from * Leg::length);
  }

  /// The record that x reads there, from beyond the face.
  template <class Leg, int mu, int from> QUDA_DEVICE auto beyond(const StencilSite &site, int i) const
  {
    return reach.halo.read(arg.index.slot_place(site.around.x, mu, from * Leg::length), mu, from, i);
  }

  /// Whether the leg is selected; Leg::chosen: run-time bits decide.
  template <class Leg, int mu, int from> QUDA_DEVICE bool taken() const
  {
    return !Leg::chosen || (arg.legs >> (2 * mu + (from > 0)) & 1);
  }

  /// Prefetches the operands of a leg at a later site: the link, with the site's first entry, and a neighbour one step
  /// away that is far.
  template <class Leg, int mu, int from, class Site> QUDA_DEVICE void prefetch(const Site &site, int i) const
  {
    const Place n = neighbour<Leg, mu, from>(site);
    if (i == site.first * arg.layers) reach.U.storage.prefetch(from > 0 ? site.around.here : n, mu, 0);
    if (Leg::length == 1 && site.far >> (2 * mu + (from > 0)) & 1) arg.in.prefetch(n, i, 0);
  }

  /// r = U^dag h, h from behind.
  template <class Leg, int mu, class Product, class Site, class Links>
  QUDA_DEVICE void backward(Product &r, const Site &site, const Links &links, int i) const
  {
    const Place n = neighbour<Leg, mu, -1>(site);
    if (__builtin_expect(n.beyond, 0)) {
      const auto q = beyond<Leg, mu, -1>(site, i);
      QUDA_UNROLL
      for (int k = 0; k < Product::numbers; k++) r.number(k) = {q[2 * k], q[2 * k + 1]};
    } else {
      Leg::template backward<mu>(r, arg.in.read(n, i), links.behind(reach.U, n, mu));
      if (__builtin_expect(n.shift != nullptr, 0)) move_lanes(r, n);
    }
  }

  /// r -= U h, h from beyond the face ahead.
  template <class Leg, int mu, class Product>
  QUDA_OUTLINE void subtract_beyond(Product &r, const StencilSite &site, int i) const
  {
    const auto q = beyond<Leg, mu, +1>(site, i);
    const auto u = reach.U.link(site.around.here, mu);
    subtract_product(
        r,
        [&](auto &h, int j) QUDA_LAMBDA {
          QUDA_UNROLL
          for (int s = 0; s < Product::spins; s++) h[s] = {q[2 * (3 * s + j)], q[2 * (3 * s + j) + 1]};
        },
        u, u.third_row());
  }

  /// r -= U h, h from ahead.
  template <class Leg, int mu, class Product, class Site, class Link, class Row>
  QUDA_DEVICE void subtract_forward(Product &r, const Site &site, int i, const Link &u, const Row &third) const
  {
    const Place n = neighbour<Leg, mu, +1>(site);
    if (__builtin_expect(n.beyond, 0)) {
      Product there = r; // r itself stays in registers
      subtract_beyond<Leg, mu>(there, site, i);
      r = there;
    } else {
      const auto q = arg.in.read(n, i);
      subtract_product(
          r,
          [&](auto &h, int j) QUDA_LAMBDA {
            Leg::template project<mu, +1>(h, q, j);
            if (__builtin_expect(n.shift != nullptr, 0)) {
              QUDA_UNROLL
              for (auto &a : h) a = moved(a, n);
            }
          },
          u, third);
    }
  }

  template <class Leg, bool prefetches, int mu, class Sum, class Site, class Links>
  QUDA_DEVICE void direction(Sum &sum, const Site &site, const Site *ahead, const Links &links, int i) const
  {
    const bool behind = taken<Leg, mu, -1>(), before = taken<Leg, mu, +1>();
    if (!behind && !before) return;
    typename Leg::template Product<real> r;
    const auto u = links.ahead(reach.U, site.around.here, mu);
    const auto third = u.third_row();
    if (prefetches && ahead && behind) prefetch<Leg, mu, -1>(*ahead, i);
    if (behind)
      backward<Leg, mu>(r, site, links, i);
    else
      clear(r);
    Leg::template begin<mu>(sum, r);
    if (prefetches && ahead && before) prefetch<Leg, mu, +1>(*ahead, i);
    if (before) subtract_forward<Leg, mu>(r, site, i, u, third);
    Leg::template end<mu>(sum, r);
  }

  template <class Vectors> QUDA_DEVICE static void clear(Vectors &v)
  {
    QUDA_UNROLL
    for (int k = 0; k < Vectors::numbers; k++)
      v.number(k) = {real(number_of<typename Arg::stored>(0)), real(number_of<typename Arg::stored>(0))};
  }

  /// The sum of all selected legs at a site, for one inner entry, with links from site_links.h. prefetches: whether
  /// it prefetches the operands of the same entry at the site `ahead`, unless that is null.
  template <class Leg, bool prefetches, class Sum, class Site, class Links>
  QUDA_DEVICE void hop(Sum &sum, const Site &site, const Site *ahead, const Links &links, int i) const
  {
    if constexpr (Leg::chosen) clear(sum);
    add<Leg, prefetches>(sum, site, ahead, links, i);
  }

  /// The same, added to sum.
  template <class Leg, bool prefetches, class Sum, class Site, class Links>
  QUDA_DEVICE void add(Sum &sum, const Site &site, const Site *ahead, const Links &links, int i) const
  {
    direction<Leg, prefetches, 0>(sum, site, ahead, links, i);
    direction<Leg, prefetches, 1>(sum, site, ahead, links, i);
    direction<Leg, prefetches, 2>(sum, site, ahead, links, i);
    direction<Leg, prefetches, 3>(sum, site, ahead, links, i);
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
