#pragma once
/// Halo of the Wilson hop: the half spinors that hops across a cut face read.
///   travelling in +d : U_d(y)^dag (1 + gamma_d) psi(y), y on the rank's last slice; read in the backward leg beyond it
///   travelling in -d : (1 - gamma_d) psi(y),            y on the rank's first slice; read in the forward leg
/// (signs of gamma_d exchanged for the adjoint). A slot register holds what each lane of the reading register needs.
/// Lanes that move within the rank are written to the slot at once; the lanes at the rank's edge go into the message
/// [parity][face_cb][edge lane][inner][12], which the neighbour unpacks into those lanes of its slot.
/// in      : (parity, x_cb, inner, spin 4, color 3) complex. Collective: no.
/// Instances: double, single x recon 18, 12 = 4 of pack; double, single = 2 of unpack.

#include "core/tune_param.h"
#include "device/kernel_ops.h"
#include "kernels/dirac/wilson_leg.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class T, int recon> struct WilsonHaloArg {
  using real = Real<T>;
  unsigned threads[3];
  Index index;
  Gauge<T, recon> U;
  Storage<T, 24> in;
  Storage<T, 12> slot;
  T *message;
  unsigned face_cb;
  bool dagger;
  int parity, d, sense, inner;
  int edge_lanes;              // lanes of a site at the rank's edge
  signed char edge[max_lanes]; // number of a lane among them, -1 for the others

  template <class Call> explicit WilsonHaloArg(const Call &c)
      : index(c.in.field.lattice)
      , U(c.links)
      , in(c.in.field)
      , slot(c.slot, c.in.field.lattice, c.in.field.inner, c.in.halo.face_cb[c.d] * c.parities)
      , message(static_cast<T *>(c.message))
      , face_cb(c.in.halo.face_cb[c.d])
      , dagger(c.dagger)
      , parity(c.parity)
      , d(c.d)
      , sense(c.sense)
      , inner(c.in.field.inner)
      , edge_lanes(0)
  {
    const LatticeView &lattice = c.in.field.lattice;
    threads[0] = face_cb * lattice.parts;
    threads[1] = c.parities;
    threads[2] = 1;
    const int border = sense > 0 ? 0 : lattice.S[d] - 1; // block that reads from beyond
    for (int l = 0; l < max_lanes; l++)
      edge[l] = l < lattice.lanes && lattice.block[d][l] == border ? edge_lanes++ : -1;
  }

  /// First number of inner entry i of an edge lane in the message.
  QUDA_DEVICE T *message_at(unsigned face, int p, int lane, int i) const
  {
    const unsigned long long site = static_cast<unsigned long long>(p) * face_cb + face;
    return message + ((site * edge_lanes + edge[lane]) * inner + i) * 12;
  }
};

template <class Arg> struct WilsonPack : NoKernelOps {
  using real = typename Arg::real;
  const Arg &arg;

  template <int mu, int side> QUDA_DEVICE void product(HalfSpinor<real> &r, const Place &n, int i) const
  {
    const auto q = arg.in.read(n, i);
    if (arg.sense > 0) {
      backward_leg<mu, side>(r, q, arg.U.link(n, mu));
    } else {
      QUDA_UNROLL
      for (int j = 0; j < 3; j++) {
        Complex<real> h[2];
        project_color<mu, -side>(h, q, j);
        r.h[0][j] = h[0];
        r.h[1][j] = h[1];
      }
    }
    if (n.shift) move_lanes(r, n);
  }

  template <int mu> QUDA_DEVICE void product(HalfSpinor<real> &r, const Place &n, int i) const
  {
    if (arg.dagger)
      product<mu, -1>(r, n, i);
    else
      product<mu, +1>(r, n, i);
  }

  QUDA_DEVICE void operator()(unsigned record, int p) const
  {
    const LatticeView &lattice = arg.index.lattice;
    const int where = arg.sense > 0 ? 0 : lattice.O[arg.d] - 1;
    const Coord x = arg.index.face_coord(record, (arg.parity + p) & 1, arg.d, where);
    const Place n = arg.index.neighbour(x, arg.d, -arg.sense);
    const unsigned face = record / lattice.parts;
    const Place to = arg.index.numbered(p * arg.face_cb + face, x.part);
    for (int i = 0; i < arg.inner; i++) {
      HalfSpinor<real> r;
      switch (arg.d) {
      case 0:
        product<0>(r, n, i);
        break;
      case 1:
        product<1>(r, n, i);
        break;
      case 2:
        product<2>(r, n, i);
        break;
      default:
        product<3>(r, n, i);
      }
      real v[12];
      QUDA_UNROLL
      for (int k = 0; k < 6; k++) {
        v[2 * k] = r.h[k / 3][k % 3].re;
        v[2 * k + 1] = r.h[k / 3][k % 3].im;
      }
      arg.slot.write(to, i, v);
      for (int l = 0; l < arg.index.active(); l++) {
        const int lane = x.part * lattice.width + l;
        if (arg.edge[lane] < 0) continue;
        for (int k = 0; k < 12; k++) arg.message_at(face, p, lane, i)[k] = arg.slot.scalar(to, i, k, l);
      }
    }
  }
};

template <class Arg> struct WilsonUnpack : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned record, int p) const
  {
    const LatticeView &lattice = arg.index.lattice;
    const unsigned face = record / lattice.parts;
    const int part = record % lattice.parts;
    const Place to = arg.index.numbered(p * arg.face_cb + face, part);
    for (int i = 0; i < arg.inner; i++)
      for (int l = 0; l < arg.index.active(); l++) {
        const int lane = part * lattice.width + l;
        if (arg.edge[lane] < 0) continue;
        for (int k = 0; k < 12; k++) arg.slot.scalar(to, i, k, l) = arg.message_at(face, p, lane, i)[k];
      }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
