#pragma once
/// Border of an extended gauge field, one direction d and one side at a time.
/// A border site o_d = O_d + j (or -1 - j) of a lane in block s is the site o_d mod O_d of block s +- m, where
/// m = 1 + j / O_d: of the same rank while that block exists, of the neighbour otherwise. Directions are done in the
/// order x, y, z, t; borders of earlier directions travel with the later ones, which fills the corners.
/// links      : native, (mu 4, parity 2, site, reals), border R_d; written on the border alone.
/// message    : [parity][site of the slab][layer j, lane from beyond][mu][reals], the same on both ranks; of the
///              parities and directions mu that the call names, as the border is.
/// Collective : no.
/// Instances  : double, single of pack and unpack = 4.

#include "core/tune_param.h"
#include "device/kernel_ops.h"
#include <storage.h>

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T> struct GaugeBorderArg {
  using number = T;
  unsigned threads[3];
  Index index;
  FieldView links;
  T *message;
  int d, side;
  int first_parity;
  int first_mu, directions;
  int extent[4], from[4]; // of the slab: directions done before d with their borders; in d the layers
  unsigned slab_cb;       // sites of one layer and parity
  bool receive;

  template <class Call> GaugeBorderArg(const Call &c, bool receive)
      : index(c.links.lattice)
      , links(c.links)
      , message(static_cast<T *>(c.message))
      , d(c.d)
      , side(c.side)
      , first_parity(c.parity)
      , first_mu(c.mu)
      , directions(c.directions)
      , slab_cb(1)
      , receive(receive)
  {
    const LatticeView &lattice = links.lattice;
    for (int e = 0; e < 4; e++) {
      from[e] = e < d ? -lattice.R[e] : 0;
      extent[e] = e < d ? lattice.E[e] : lattice.O[e];
      if (e != d) slab_cb *= extent[e];
    }
    slab_cb /= 2;
    threads[0] = slab_cb;
    threads[1] = c.parities;
    threads[2] = lattice.R[d];
  }

  /// First message entry of layer j at one site: of each layer before it, the lanes of 1 + layer / O_d outermost
  /// blocks.
  QUDA_DEVICE int layer_start(int j) const
  {
    const LatticeView &lattice = links.lattice;
    const int whole = j / lattice.O[d], rest = j % lattice.O[d]; // a border is at most as deep as the rank's lattice
    return (lattice.O[d] * whole * (whole + 1) / 2 + rest * (whole + 1)) * (lattice.lanes / lattice.S[d]);
  }

  QUDA_DEVICE Coord site(unsigned n, int parity, int j) const
  {
    Coord x;
    x.parity = parity;
    x.part = 0;
    x.x_cb = 0;
    x.o[d] = side > 0 ? links.lattice.O[d] + j : -1 - j;
    unsigned rest = 2 * n;
    const int first = d == 0 ? 1 : 0;
    int sum = x.o[d] + parity;
    for (int e = 0; e < 4; e++)
      if (e != d) {
        x.o[e] = static_cast<int>(rest % extent[e]) + from[e];
        rest /= extent[e];
        if (e != first) sum += x.o[e];
      }
    x.o[first] += sum & 1;
    x.full = index.number(x.o);
    return x;
  }
};

template <class Arg> struct GaugeBorder : NoKernelOps {
  using T = typename Arg::number;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n, int half, int j) const
  {
    const LatticeView &lattice = arg.links.lattice;
    const int d = arg.d;
    const int parity = arg.first_parity + half;
    const Coord to = arg.site(n, parity, j);
    const int blocks = 1 + j / lattice.O[d];
    Coord from = to;
    from.o[d] -= arg.side * blocks * lattice.O[d];
    from.full = arg.index.number(from.o);
    const int move = lattice.code[d][(arg.side * blocks) & (max_lanes - 1)];
    int beyond = arg.layer_start(j);
    for (int lane = 0; lane < lattice.lanes; lane++) {
      const int block = lattice.block[d][lane] + arg.side * blocks;
      const bool inside = block >= 0 && block < lattice.S[d];
      T *entry = arg.message +
                 ((static_cast<unsigned long long>(half) * arg.slab_cb + n) * arg.layer_start(lattice.R[d]) + beyond) *
                     (arg.directions * arg.links.reals);
      if (!inside) beyond++;
      if (inside && arg.receive) continue;
      const int source = SiteMove::source_lane(lattice, move, lane);
      for (int i = 0; i < arg.directions; i++) {
        const auto border = lane_record<T>(arg.links, to.full / 2, lane, parity, arg.first_mu + i);
        const auto local = lane_record<T>(arg.links, from.full / 2, source, parity, arg.first_mu + i);
        for (int k = 0; k < arg.links.reals; k++) {
          T &sent = entry[i * arg.links.reals + k];
          if (arg.receive)
            border[k] = sent;
          else if (inside)
            border[k] = local[k];
          else
            sent = local[k];
        }
      }
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
