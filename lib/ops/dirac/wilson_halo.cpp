#include "ops/dirac/wilson_halo.h"

#include "kernels/dirac/wilson_halo_call.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(WilsonHaloCall, wilson_pack)

HaloShape wilson_halo_shape(const ColorSpinorField &in)
{
  HaloShape shape = halo_shape(in, 1, in.precision());
  if (bytes_of(shape.precision) < 4) shape.precision = shape.message = Precision::single;
  shape.reals = 12;
  return shape;
}

void pack_wilson_halo(HaloExchange &halo, const ColorSpinorField &in, const GaugeField &links, bool dagger)
{
  const HaloMessages &messages = halo.leaving();
  const LatticeView &lattice = messages.halo.form.lattice;
  const int bytes = bytes_of(in.precision()), sent = bytes_of(wilson_halo_shape(in).precision);
  // half of what crosses is multiplied with a link
  const long long records = static_cast<long long>(halo.registers()) * lattice.width * in.parities() * in.inner();
  launch({.name = "WilsonPack",
          .lattice = in.lattice(),
          .extent = {halo.registers(), static_cast<unsigned>(in.parities())},
          .aux = key_text("prec=", bytes, ",recon=", links.reals(), ",inner=", in.inner(), ",cut=", !!lattice.cut[0],
                          !!lattice.cut[1], !!lattice.cut[2], !!lattice.cut[3]),
          .flops = records / 2 * (156 + 12),
          .bytes = records * (in.record_bytes() + 12 * sent) + records / in.inner() / 2 * bytes * links.reals()},
         instance(wilson_pack_kernels(), "wilson_hop", links),
         WilsonHaloCall {in.view(), links.view(), messages, dagger, in.parity()});
}

} // namespace quda
