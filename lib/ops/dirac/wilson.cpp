#include "ops/dirac/wilson.h"

#include <algorithm>

#include "kernels/dirac/wilson_call.h"
#include "ops/dirac/far_neighbours.h"
#include "ops/dirac/wilson_halo.h"
#include "ops/halo/boundary.h"
#include "ops/launch.h"

namespace quda
{

QUDA_KERNELS(WilsonCall, wilson)

namespace
{

  constexpr long long hop_flops = 1320;

  void check_fields(const ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links)
  {
    const char *function = "wilson_hop";
    for (const ColorSpinorField *f : {&out, &in})
      if (!f->native() || f->spins() != 4 || f->colors() != 3)
        fail(ErrorKind::internal, text("%s: spinors must be native, of 4 spins and 3 colors", function));
    if (in.precision() != out.precision() || links.precision() != out.precision() || !links.native())
      fail(ErrorKind::bad_argument,
           text("%s: precisions of links (%d bytes), in (%d) and out (%d) must be one", function,
                bytes_of(links.precision()), bytes_of(in.precision()), bytes_of(out.precision())));
    if (in.parities() != out.parities() || in.inner() != out.inner())
      fail(ErrorKind::internal, text("%s: in and out differ in shape", function));
    if (out.parities() == 1 && in.parity() == out.parity())
      fail(ErrorKind::bad_argument, text("%s: in and out are both of parity %d", function, out.parity()));
    if (in.data() == out.data()) fail(ErrorKind::bad_argument, text("%s: in and out are one field", function));
    if (!same_sites(in.lattice(), out.lattice()) || !same_sites(in.lattice(), links.lattice()) || links.extended())
      fail(ErrorKind::internal, text("%s: fields of different lattices, or links with a border", function));
  }

  /// One pass over the registers of call.hop.sites, or over all of them.
  void hop_pass(LaunchFunction<WilsonCall> kernel, const ColorSpinorField &out, const GaugeField &links,
                const WilsonCall &call, const char *part)
  {
    const FieldView &in = call.hop.in.field;
    const int *cut = in.lattice.cut;
    const bool adds = call.finish.x.field.data != nullptr;
    const long long sites =
        static_cast<long long>(call.hop.count) * call.hop.parities * in.lattice.lanes / in.lattice.parts;
    launch({.name = "Wilson",
            .lattice = out.lattice(),
            .extent = {call.hop.count, static_cast<unsigned>(call.hop.parities)},
            .aux = key_text("prec=", in.precision, ",recon=", links.reals(), ",rhs=", in.rhs, ",layers=", out.layers(),
                            ",parities=", call.hop.parities, adds ? ",xpay" : "", ",cut=", !!cut[0], !!cut[1], !!cut[2],
                            !!cut[3], ",", part),
            .flops = sites * in.inner * (hop_flops + (adds ? 48 : 0)),
            .bytes = sites * (8LL * links.reals() * in.precision + (adds ? 3LL : 2LL) * in.inner * out.record_bytes()),
            .prefetch = true,
            .streaming = true,
            .rhs_tiles = in.rhs,
            .prefetch_bytes = in.inner * in.lattice.width * static_cast<int>(out.record_bytes()),
            .in_place = call.finish.x.field.data == call.finish.out.field.data ? memory_of(out) : MemorySpan {},
            .written = memory_of(out)},
           kernel, call);
  }

  /// The neighbours that are no longer in the second-level cache when they are read again: of its 1 MiB, half is what
  /// was read of links and spinors.
  const unsigned char *far_neighbours(const ColorSpinorField &in, const GaugeField &links, const LatticeView &lattice)
  {
    const long long visit =
        (8LL * links.reals() * bytes_of(in.precision()) + in.inner() * in.record_bytes()) * lattice.width;
    return far_neighbours(in.lattice(), lattice.width, (1 << 19) / visit);
  }

} // namespace

void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger,
                std::span<const double> b, std::span<const double> a, const ColorSpinorField *x)
{
  check_fields(out, in, links);
  if (x) {
    check_same_spinors("wilson_hop", out, *x);
    if (x->precision() != out.precision() || !x->native())
      fail(ErrorKind::bad_argument, text("wilson_hop: x must be native and of out's precision (%d bytes), has %d",
                                         bytes_of(out.precision()), bytes_of(x->precision())));
  }
  const int coefficients = static_cast<int>(b.size());
  if (coefficients != 1 && coefficients != in.rhs())
    fail(ErrorKind::bad_argument, text("wilson_hop: %d coefficients b for %d right-hand sides; one for all or one each",
                                       coefficients, in.rhs()));
  if (x && a.size() != b.size())
    fail(ErrorKind::bad_argument, text("wilson_hop: %d coefficients a, %d coefficients b; as many of each",
                                       static_cast<int>(a.size()), coefficients));
  if (coefficients > most_coefficients) {
    for (int first = 0; first < coefficients; first += most_coefficients) {
      const int count = std::min(most_coefficients, coefficients - first);
      ColorSpinorField part = out.columns(first, count);
      const ColorSpinorField x_part = x ? x->columns(first, count) : out.columns(first, count);
      wilson_hop(part, in.columns(first, count), links, dagger, b.subspan(first, count),
                 x ? a.subspan(first, count) : a, x ? &x_part : nullptr);
    }
    out.mark_written();
    return;
  }

  const auto kernel = instance(wilson_kernels(), "wilson_hop", links);
  WilsonCall whole {};
  whole.finish.out = out.view();
  if (x) whole.finish.x = x->view();
  whole.finish.coefficients = coefficients;
  std::copy(b.begin(), b.end(), whole.finish.b);
  if (x) std::copy(a.begin(), a.end(), whole.finish.a);
  StencilCall &call = whole.hop;
  call.in = in.view();
  call.links = links.view();
  call.dagger = dagger;
  call.parity = out.parity();
  call.parities = out.parities();
  const LatticeView &lattice = call.in.field.lattice;
  call.count = lattice.volume_cb * lattice.parts;
  call.far = far_neighbours(in, links, lattice);

  bool cut = false;
  for (int d = 0; d < 4; d++) cut = cut || lattice.cut[d];
  if (!cut) {
    hop_pass(kernel, out, links, whole, "whole");
    out.mark_written();
    return;
  }

  HaloExchange halo("wilson_hop", in.lattice(), {wilson_halo_shape(in)});
  pack_wilson_halo(halo, in, links, dagger);
  halo.send();

  const BoundarySites &sites = boundary_sites(out.lattice(), lattice.width);
  call.sites = sites.interior + call.parity * sites.interior_count;
  call.count = sites.interior_count;
  if (call.count) hop_pass(kernel, out, links, whole, "interior");

  halo.finish();
  call.in.halo = halo.slots();
  call.sites = sites.boundary + call.parity * sites.boundary_count;
  call.count = sites.boundary_count;
  hop_pass(kernel, out, links, whole, "boundary");
  out.mark_written();
}

} // namespace quda
