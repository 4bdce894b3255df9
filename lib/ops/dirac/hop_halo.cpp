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
    long long projection; // flops of what leaves as it is,
    long long product;    // and of what is multiplied with a link
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

} // namespace

HaloShape hop_halo_shape(const HopKind &kind, const ColorSpinorField &in)
{
  HaloShape shape = halo_shape(in, kind.length, in.precision());
  if (bytes_of(shape.precision) < 4) shape.precision = shape.message = Precision::single;
  shape.reals = packing(kind.halo).reals;
  for (int d = 0; d < 4; d++) {
    shape.from_below[d] = kind.legs >> (2 * d) & 1;
    shape.from_above[d] = kind.legs >> (2 * d + 1) & 1;
  }
  return shape;
}

void pack_hop_halo(HaloExchange &halo, const HopKind &kind, const ColorSpinorField &in, const GaugeField &links,
                   bool dagger)
{
  if (!halo.registers()) return; // no leg crosses a face
  const Packing pack = packing(kind.halo);
  const HaloMessages &messages = halo.leaving();
  const LatticeView &lattice = messages.halo.form.lattice;
  const int bytes = bytes_of(in.precision()), sent = bytes_of(hop_halo_shape(kind, in).precision);
  // half of what crosses is multiplied with a link, where both sides are read
  const long long records = static_cast<long long>(halo.registers()) * lattice.width * in.parities() * in.inner();
  launch(
      {.name = pack.name,
       .lattice = in.lattice(),
       .extent = {halo.registers(), static_cast<unsigned>(in.parities())},
       .aux = key_text("prec=", bytes, ",recon=", links.reals(), ",inner=", in.inner(), ",length=", kind.length,
                       ",legs=", kind.legs, ",cut=", !!lattice.cut[0], !!lattice.cut[1], !!lattice.cut[2],
                       !!lattice.cut[3]),
       .flops = records / 2 * (pack.product + pack.projection),
       .bytes = records * (in.record_bytes() + pack.reals * sent) + records / in.inner() / 2 * bytes * links.reals()},
      instance(pack.kernels(), kind.function, links),
      HopHaloCall {in.view(), links.view(), messages, dagger, in.parity()});
}

} // namespace quda
