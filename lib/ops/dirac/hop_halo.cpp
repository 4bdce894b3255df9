#include "ops/dirac/hop_halo.h"

#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(HopHaloCall, wilson_pack)
QUDA_KERNELS(HopHaloCall, color_pack)
QUDA_KERNELS(HopHaloCall, spinor_pack)

namespace
{

  struct Packing {
    const char *name;     // in tuning and profile
    int reals;            // of a record
    long long projection; // flops for records that leave as they are,
    long long product;    // and for records multiplied by a link
    Kernels<HopHaloCall> (*kernels)();
  };

  Packing packing(HopHalo halo)
  {
    switch (halo) {
    case HopHalo::half_spinors:
      return {"WilsonPack", 12, 12, 156, wilson_pack_kernels};
    case HopHalo::colors:
      return {"ColorPack", 6, 0, 66, color_pack_kernels};
    default:
      return {"SpinorPack", 24, 0, 264, spinor_pack_kernels};
    }
  }

  HaloShape shape_of(const HopKind &kind, const HopFields &fields, int length, bool from_above)
  {
    HaloShape shape = halo_shape(fields.in, length, fields.in.precision());
    shape.inner = fields.inner();
    if (bytes_of(shape.precision) < 4) shape.precision = shape.message = Precision::single;
    shape.reals = packing(kind.halo).reals;
    for (int d = 0; d < 4; d++) {
      shape.from_below[d] = kind.legs >> (2 * d) & 1;
      shape.from_above[d] = from_above && kind.legs >> (2 * d + 1) & 1;
    }
    return shape;
  }

  void pack_member(HaloExchange &halo, int member, const HopKind &kind, const HopFields &fields,
                   const GaugeField &links)
  {
    if (!halo.registers(member)) return; // no leg crosses a face
    const ColorSpinorField &in = fields.in;
    const Packing pack = packing(kind.halo);
    const HaloMessages &messages = halo.leaving(member);
    halo.set_parity(member, fields.parity(in));
    const LatticeView &lattice = messages.halo.form.lattice;
    const int bytes = bytes_of(in.precision()), sent = messages.halo.form.precision;
    const bool below_alone = kind.long_length && member == 0;
    const long long records =
        static_cast<long long>(halo.registers(member)) * lattice.width * in.parities() * fields.inner();
    // of the crossing records, those from below are multiplied by a link: half, if both sides are read
    const long long products = below_alone ? records : records / 2;
    launch({.name = pack.name,
            .lattice = in.lattice(),
            .extent = {halo.registers(member), static_cast<unsigned>(in.parities())},
            .aux = key_text("prec=", bytes, ",recon=", links.reals(), ",inner=", fields.inner(),
                            ",length=", messages.halo.depth, ",legs=", kind.legs, below_alone ? ",below" : "",
                            ",cut=", !!lattice.cut[0], !!lattice.cut[1], !!lattice.cut[2], !!lattice.cut[3]),
            .flops = products * pack.product + (records - products) * pack.projection,
            .bytes =
                records * (in.record_bytes() + pack.reals * sent) + products / fields.inner() * bytes * links.reals()},
           instance(pack.kernels(), kind.function, links),
           HopHaloCall {fields.view(in), links.view(), messages, fields.dagger, fields.parity(in)});
  }

} // namespace

HaloExchange hop_halo(const HopKind &kind, const HopFields &fields)
{
  const Lattice &lattice = fields.in.lattice();
  if (!kind.long_length) return HaloExchange(kind.function, lattice, {shape_of(kind, fields, kind.length, true)});
  return HaloExchange(kind.function, lattice,
                      {shape_of(kind, fields, kind.length, false), shape_of(kind, fields, kind.long_length, true)});
}

void pack_hop_halo(HaloExchange &halo, const HopKind &kind, const HopFields &fields)
{
  pack_member(halo, 0, kind, fields, fields.links);
  if (kind.long_length) pack_member(halo, 1, kind, fields, *fields.long_links);
}

} // namespace quda
