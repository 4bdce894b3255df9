/// Halos of plain records, packed as they are in the field; and the unpacking of all halos.
/// field     : (parity, x_cb, inner, reals), any number of reals.
/// slots     : (parity, layer, site of the face, inner, reals), see core/view.h HaloView. Collective: no.

#include "device/instances.h"
#include "device/kernel_ops.h"
#include "kernels/halo/exchange_call.h"
#include "kernels/halo/layers.h"

namespace quda::QUDA_TARGET_NAMESPACE
{

template <class S, int = 0> struct PlainPackArg {
  using stored = S;
  unsigned threads[3];
  HaloLayers layers;
  FieldView field;

  PlainPackArg(const HaloPackCall &c, const TuneParam &)
      : threads {0, static_cast<unsigned>(c.messages.halo.parities), 1}
      , layers(c.messages, c.parity, false)
      , field(c.field)
  {
    threads[0] = layers.first[8];
  }
};

template <class Arg> struct PlainPack : NoKernelOps {
  using S = typename Arg::stored;
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n, int half) const
  {
    const HaloMessages &m = arg.layers.messages;
    const SlotRegister r = arg.layers.at(n);
    const Place to = arg.layers.to(r, half), from = arg.layers.from(r, half);
    const bool whole = m.whole[r.d];
    const FieldView slot = slot_field(m.halo, r.d, whole ? m.message[r.d][r.up] : m.halo.slot[r.d][r.up]);
    for (int i = 0; i < slot.inner; i++) {
      const auto source = register_record<S>(arg.field, from, i);
      const auto target = register_record<S>(slot, to.record, half, i);
      for (int k = 0; k < slot.reals; k++)
        target.put(k, from.shift ? moved(source.get(k), from) : source.get(k), false);
      if (!whole) arg.layers.template copy_lanes<S>(r, half, i, false);
    }
  }
};

template <class S, int = 0> struct HaloUnpackArg {
  using stored = S;
  unsigned threads[3];
  HaloLayers layers;

  HaloUnpackArg(const HaloUnpackCall &c, const TuneParam &)
      : threads {0, static_cast<unsigned>(c.messages.halo.parities), 1}
      , layers(c.messages, c.parity, true)
  {
    threads[0] = layers.first[8];
  }
};

template <class Arg> struct HaloUnpack : NoKernelOps {
  const Arg &arg;

  QUDA_DEVICE void operator()(unsigned n, int half) const
  {
    const SlotRegister r = arg.layers.at(n);
    for (int i = 0; i < arg.layers.messages.halo.form.inner; i++)
      arg.layers.template copy_lanes<typename Arg::stored>(r, half, i, true);
  }
};

QUDA_INSTANCES(halo_pack, HaloPackCall, Launch2D<PlainPack, PlainPackArg>, Floating, NoVariants)
QUDA_INSTANCES(halo_unpack, HaloUnpackCall, Launch2D<HaloUnpack, HaloUnpackArg>, Floating, NoVariants)

} // namespace quda::QUDA_TARGET_NAMESPACE
