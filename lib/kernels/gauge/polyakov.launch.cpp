/// Polyakov loops: L(x) = U_3(x, 0) U_3(x, 1) ... U_3(x, T - 1), multiplied from t = 0 on wherever the time direction
/// is cut, between lanes or between ranks, so that there is one order of operations. PolyakovStretch multiplies, per
/// lane, the product so far by the time links of the lane's own block. The product so far is that of the previous
/// block: launched once for each block of the rank, it has the products of the whole rank in the lanes of the last
/// one. PolyakovTrace sums their traces.
/// links     : (mu 4, parity 2, x_cb, row 3, col 3) complex, as stored.
/// from, to  : [parity][face_cb][part][18][width], one time slice, with the parity of the sites in the first
///             slice of the block; must not alias. from = null: unity.
/// Sums      : over the rank's sites, exact: [0] Re tr L, [1] Im tr L.
/// Halo      : none.
/// Collective: no.
/// Flops     : 198 a link and block. Bytes: the time links once.

#include "device/array.h"
#include "device/block_lanes.h"
#include "device/gauge.h"
#include "device/instances.h"
#include "device/kernel_ops.h"
#include "device/site_arg.h"
#include "kernels/gauge/polyakov_call.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

/// A time slice of matrices.
template <class R> struct TimeSlice {
  Storage<number_of<R>, 18> storage;
  unsigned face_cb;

  QUDA_DEVICE TimeSlice(void *data, const PolyakovCall &c)
      : storage(data, c.lattice, 1, 2 * c.face_cb)
      , face_cb(c.face_cb)
  {
  }

  QUDA_DEVICE Place place(const Index &index, unsigned record, int part, int parity) const
  {
    return index.numbered(record / index.lattice.parts + parity * face_cb, part);
  }

  QUDA_DEVICE Matrix<R> read(const Place &n) const
  {
    Matrix<R> m;
    unpack(m.e, storage.read(n, 0));
    return m;
  }

  QUDA_DEVICE void write(const Place &n, const Matrix<R> &m) const
  {
    R v[18];
    pack(v, m.e);
    storage.write(n, 0, v);
  }
};

template <class S, int recon> struct PolyakovStretchArg : SiteArg {
  using real = Real<S>;
  Index slice; // without a border
  Gauge<S, recon> U;
  TimeSlice<real> from, to;
  bool begins; // starts from unity

  PolyakovStretchArg(const PolyakovCall &c, const TuneParam &)
      : SiteArg(c.links.field.lattice, 2)
      , slice(c.lattice)
      , U(c.links)
      , from(c.from, c)
      , to(c.to, c)
      , begins(c.from == nullptr)
  {
    threads[0] = c.face_cb * c.lattice.parts;
  }
};

template <class Arg> struct PolyakovStretch : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  /// The previous block's product, in this block's lanes. x: the site of the block's first slice.
  QUDA_DEVICE Matrix<real> block_before(unsigned record, const Coord &x) const
  {
    if (arg.begins) return multiple_of_unity(real(1.0));
    const LatticeView &slice = arg.slice.lattice;
    const SiteMove move(slice, slice.code[3][max_lanes - 1], static_cast<int>(record % slice.parts));
    Place source = arg.from.place(arg.slice, record, move.part, x.parity);
    source.shift = move.shift;
    if (source.shift && source.shift->skewed) { // the site one block before in time is of the other parity
      const auto at = [&](bool up) QUDA_LAMBDA {
        Place n {0, x.parity, 0, false, nullptr};
        Coord y = arg.slice.same(x);
        y.full = arg.slice.beside(y.full, y.o, up);
        n.record = y.full / 2 * slice.parts;
        return arg.from.place(arg.slice, static_cast<unsigned>(n.record), move.part, 1 - x.parity).record;
      };
      source.record = at(false);
      source.up = at(true);
    }
    Matrix<real> m = arg.from.read(source);
    if (source.shift) {
      QUDA_UNROLL
      for (int k = 0; k < 9; k++) m.e[k] = {moved(m.e[k].re, source), moved(m.e[k].im, source)};
    }
    return m;
  }

  QUDA_DEVICE void operator()(unsigned record, int parity) const
  {
    Coord x = arg.index.face_coord(record, parity, 3, 0);
    Matrix<real> line = block_before(record, x);
    for (int t = 0; t < arg.index.lattice.O[3]; t++) {
      line = product(line, arg.U.matrix(arg.index.here(x), 3));
      x.o[3]++;
      x.parity = 1 - x.parity;
      x.full = arg.index.number(x.o);
    }
    arg.to.write(arg.to.place(arg.slice, record, x.part, parity), line);
  }
};

template <class S, int = 0> struct PolyakovTraceArg : SiteArg {
  using number = number_of<S>;
  using real = Real<S>;
  TimeSlice<real> from;
  int last_block;

  PolyakovTraceArg(const PolyakovCall &c, const TuneParam &)
      : SiteArg(c.lattice, 2)
      , from(c.from, c)
      , last_block(c.lattice.S[3] - 1)
  {
    threads[0] = c.face_cb * c.lattice.parts;
  }
};

template <class Arg> struct PolyakovTrace : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  QUDA_DEVICE array<real, 2> operator()(unsigned record, int parity) const
  {
    const int part = record % arg.index.lattice.parts;
    const Complex<real> tr = trace(arg.from.read(arg.from.place(arg.index, record, part, parity)));
    const real whole = lanes_of_block<typename Arg::number>(arg.index.lattice, 3, arg.last_block, part),
               zero = real(0.0);
    array<real, 2> sum;
    sum[0] = select(whole > zero, tr.re, zero);
    sum[1] = select(whole > zero, tr.im, zero);
    return sum;
  }
};

QUDA_INSTANCES(polyakov_stretch, PolyakovCall, Launch2D<PolyakovStretch, PolyakovStretchArg>, Floating, WilsonLinks)
QUDA_INSTANCES(polyakov_trace, PolyakovCall, Sum2D<PolyakovTrace, PolyakovTraceArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
