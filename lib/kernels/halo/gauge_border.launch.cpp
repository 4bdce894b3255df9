/// Border of an extended gauge field, one direction d at a time: the layers of kernels/halo/layers.h, stored around the
/// block. Layer j above is the site o_d = O_d + j, below it is o_d = -1 - j. Directions are done in the order x, y, z,
/// t; borders of earlier directions travel with the later ones, which fills the corners.
/// links      : native, (mu 4, parity 2, site, reals), border R_d; written on the border only.
/// messages   : [parity][layer][site of the slab][lane of the face][mu][reals], the same on both ranks; of
///              the parities and directions mu that the call names, as in the border.
/// Collective : no.

#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/halo/gauge_border_call.h"
#include "kernels/halo/layers.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int = 0> struct GaugeBorderArg {
  using stored = S;
  unsigned threads[3];
  Index index;
  GaugeBorderCall call;
  int extent[4], from[4]; // of the slab: directions done before d with their borders; in d the layers
  unsigned slab_cb;       // sites of one layer and parity

  GaugeBorderArg(const GaugeBorderCall &c, const TuneParam &)
      : index(c.links.lattice)
      , call(c)
      , slab_cb(1)
  {
    const LatticeView &lattice = c.links.lattice;
    for (int e = 0; e < 4; e++) {
      from[e] = e < c.d ? -lattice.R[e] : 0;
      extent[e] = e < c.d ? lattice.E[e] : lattice.O[e];
      if (e != c.d) slab_cb *= extent[e];
    }
    slab_cb /= 2;
    threads[0] = slab_cb;
    threads[1] = 2 * c.parities; // sides outermost
    threads[2] = lattice.R[c.d];
  }

  QUDA_DEVICE Coord site(unsigned n, int parity, int o) const
  {
    const int d = call.d;
    Coord x;
    x.parity = parity;
    x.part = 0;
    x.x_cb = 0;
    x.o[d] = o;
    unsigned rest = 2 * n;
    const int first = d == 0 ? 1 : 0;
    int sum = o + parity;
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

  /// The inverse: number of a site of the slab.
  QUDA_DEVICE unsigned number(const Coord &x) const
  {
    unsigned n = 0;
    for (int e = 3; e >= 0; e--)
      if (e != call.d) n = n * extent[e] + (x.o[e] - from[e]);
    return n / 2;
  }
};

template <class Arg> struct GaugeBorder : NoKernelOps {
  using S = typename Arg::stored;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n, int entry, int j) const
  {
    const GaugeBorderCall &call = arg.call;
    const FieldView &links = call.links;
    const LatticeView &lattice = links.lattice;
    const int d = call.d, up = entry / call.parities, half = entry % call.parities;
    const int parity = call.parity + half;
    const Coord to = arg.site(n, parity, up ? lattice.O[d] + j : -1 - j);
    Coord from = to;
    from.o[d] += (up ? -1 : 1) * (1 + j / lattice.O[d]) * lattice.O[d];
    const SiteCount full = arg.index.number(from.o);
    const bool skewed = lattice.skew >= 0 && ((1 + j / lattice.O[d]) * lattice.O[d]) % 2;
    const SiteCount of_lanes[2] = {skewed ? arg.index.beside(full, from.o, false) : full,
                                   skewed ? arg.index.beside(full, from.o, true) : full};
    const int move = layer_move(lattice, d, up, j);
    FaceLanes lanes;
    for (int lane = 0; lane < lattice.lanes; lane++) {
      const int layer = layer_of_rank(lattice, d, up, j, lane), number = lanes.next(lattice, d, lane);
      const bool stays = layer < 0;
      if (stays ? call.arriving : !call.arriving && layer != j) continue;
      unsigned at_face = n;
      if (skewed_to_face(lattice, d, up, lane)) {
        Coord x = to;
        x.o[lattice.skew] = beside_lane(lattice, to.o[lattice.skew], lane);
        at_face = arg.number(x);
      }
      const unsigned long long site =
          static_cast<unsigned long long>(half * lattice.R[d] + layer) * arg.slab_cb + at_face;
      S *message = static_cast<S *>(call.message[up]) +
                   (site * (lattice.lanes / lattice.S[d]) + number) * call.directions * links.reals;
      const int source = SiteMove::source_lane(lattice, move, lane);
      for (int i = 0; i < call.directions; i++) {
        const auto border = lane_record<S>(links, to.full / 2, lane, parity, call.mu + i);
        const auto local = lane_record<S>(links, of_lanes[lattice.ahead >> lane & 1] / 2, source, parity, call.mu + i);
        for (int k = 0; k < links.reals; k++) {
          S &sent = message[i * links.reals + k];
          if (call.arriving)
            border[k] = sent;
          else if (stays)
            border[k] = local[k];
          else
            sent = local[k];
        }
      }
    }
  }
};

QUDA_INSTANCES(gauge_border, GaugeBorderCall, Launch3D<GaugeBorder, GaugeBorderArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
