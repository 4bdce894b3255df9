#pragma once
/// Packing of a halo: records of this rank's sites near a face for the slots that read them, all directions, sides
/// and layers in one launch. The operator defines the record; a type `Send` computes it at the place of the data:
///
///   struct Send {
///     using stored = S;                  // of the slot
///     static constexpr int reals = 12;   // of a record
///     template <int d, int side> QUDA_DEVICE void operator()(Real<S> (&v)[reals], const Place &n, int i) const;
///   };
///
/// puts into v the record that a step to `side` (+1, -1) along d reads of site n and inner entry i: a projected half
/// spinor, or the product with a link if that crosses, in the lanes of n. The pack then moves the lanes, and writes it
/// into the message if a message is a slot, or into the rank's own slot with the lanes from beyond to the message.
/// Collective: no.

#include "core/tune_param.h"
#include "device/kernel_ops.h"
#include "kernels/halo/layers.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class Send> struct HaloPackArg {
  using stored = typename Send::stored;
  static constexpr int reals = Send::reals;
  unsigned threads[3];
  HaloLayers layers;
  Send send;
  Storage<stored, reals> to[4][2];
  int inner;

  /// parity: of the data in the first half.
  HaloPackArg(const HaloMessages &m, int parity, const Send &send)
      : layers(m, parity, false)
      , send(send)
      , inner(m.halo.form.inner)
  {
    threads[0] = layers.first[8];
    threads[1] = m.halo.parities;
    threads[2] = 1;
    for (int d = 0; d < 4; d++)
      for (int up = 0; up < 2; up++)
        to[d][up] = Storage<stored, reals>(slot_field(m.halo, d, m.whole[d] ? m.message[d][up] : m.halo.slot[d][up]));
  }
};

template <class Arg> struct HaloPack : NoKernelOps {
  using S = typename Arg::stored;
  const Arg &arg;

  template <int d, int side> QUDA_DEVICE void pack(const SlotRegister &r, int half) const
  {
    constexpr int up = side > 0;
    const Place to = arg.layers.to(r, half), from = arg.layers.from(r, half);
    for (int i = 0; i < arg.inner; i++) {
      Real<S> v[Arg::reals];
      arg.send.template operator()<d, side>(v, from, i);
      if (from.shift) {
        QUDA_UNROLL
        for (int k = 0; k < Arg::reals; k++) v[k] = moved(v[k], from);
      }
      arg.to[d][up].write(to, i, v);
      if (!arg.layers.messages.whole[d]) arg.layers.template copy_lanes<S>(r, half, i, false);
    }
  }

  template <int d> QUDA_DEVICE void pack_side(const SlotRegister &r, int half) const
  {
    if (r.up)
      pack<d, +1>(r, half);
    else
      pack<d, -1>(r, half);
  }

  QUDA_DEVICE void operator()(unsigned n, int half) const
  {
    const SlotRegister r = arg.layers.at(n);
    switch (r.d) {
    case 0:
      return pack_side<0>(r, half);
    case 1:
      return pack_side<1>(r, half);
    case 2:
      return pack_side<2>(r, half);
    default:
      return pack_side<3>(r, half);
    }
  }
};

} // namespace quda::QUDA_TARGET_NAMESPACE
