#include "ops/dirac/hop.h"

#include "core/error.h"
#include "ops/dirac/far_neighbours.h"

namespace quda
{

void check_hop(const HopKind &kind, const HopFields &fields)
{
  const char *function = kind.function;
  const ColorSpinorField &out = fields.out, &in = fields.in;
  const GaugeField &links = fields.links;
  for (const ColorSpinorField *f : {static_cast<const ColorSpinorField *>(&out), &in})
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
  if (fields.x) {
    check_same_spinors(function, out, *fields.x);
    if (fields.x->precision() != out.precision() || !fields.x->native())
      fail(ErrorKind::bad_argument, text("%s: x must be native and of out's precision (%d bytes), has %d", function,
                                         bytes_of(out.precision()), bytes_of(fields.x->precision())));
  }
  const int coefficients = static_cast<int>(fields.b.size());
  if (coefficients != 1 && coefficients != in.rhs())
    fail(ErrorKind::bad_argument, text("%s: %d coefficients b for %d right-hand sides; one for all or one each",
                                       function, coefficients, in.rhs()));
  if (fields.x && fields.a.size() != fields.b.size())
    fail(ErrorKind::bad_argument, text("%s: %d coefficients a, %d coefficients b; as many of each", function,
                                       static_cast<int>(fields.a.size()), coefficients));
}

bool cut_between_ranks(const LatticeView &lattice)
{
  bool cut = false;
  for (int d = 0; d < 4; d++) cut = cut || lattice.cut[d];
  return cut;
}

StencilCall whole_hop(const HopFields &fields)
{
  StencilCall call {};
  call.in = fields.in.view();
  call.links = fields.links.view();
  call.dagger = fields.dagger;
  call.parity = fields.out.parity();
  call.parities = fields.out.parities();
  const LatticeView &lattice = call.in.field.lattice;
  call.count = lattice.volume_cb * lattice.parts;
  // neighbours that are no longer in the second-level cache when they are read again: of its 1 MiB, half is what was
  // read of links and spinors
  const long long visit =
      (8LL * fields.links.reals() * bytes_of(fields.in.precision()) + fields.in.inner() * fields.in.record_bytes()) *
      lattice.width;
  call.far = far_neighbours(fields.in.lattice(), lattice.width, (1 << 19) / visit);
  return call;
}

AddToCall finish_of(const HopFields &fields)
{
  AddToCall finish {};
  finish.out = fields.out.view();
  if (fields.x) finish.x = fields.x->view();
  finish.coefficients = static_cast<int>(fields.b.size());
  std::copy(fields.b.begin(), fields.b.end(), finish.b);
  if (fields.x) std::copy(fields.a.begin(), fields.a.end(), finish.a);
  return finish;
}

SiteLaunch hop_pass(const HopKind &kind, const HopFields &fields, const StencilCall &call, const char *part)
{
  const FieldView &in = call.in.field;
  const int *cut = in.lattice.cut;
  const bool adds = fields.x != nullptr;
  const long long sites = static_cast<long long>(call.count) * call.parities * in.lattice.lanes / in.lattice.parts;
  return {.name = kind.name,
          .lattice = fields.out.lattice(),
          .extent = {call.count, static_cast<unsigned>(call.parities)},
          .aux = key_text("prec=", in.precision, ",recon=", fields.links.reals(), ",rhs=", in.rhs,
                          ",layers=", fields.out.layers(), ",parities=", call.parities, adds ? ",xpay" : "",
                          ",cut=", !!cut[0], !!cut[1], !!cut[2], !!cut[3], ",", part),
          .flops = sites * in.inner * (kind.flops + (adds ? kind.flops_x : 0)),
          .bytes = sites * ((8LL * fields.links.reals() + kind.reals) * in.precision +
                            (adds ? 3LL : 2LL) * in.inner * fields.out.record_bytes()),
          .prefetch = true,
          .streaming = true,
          .rhs_tiles = in.rhs,
          .prefetch_bytes = in.inner * in.lattice.width * static_cast<int>(fields.out.record_bytes()),
          .in_place = adds && fields.x->data() == fields.out.data() ? memory_of(fields.out) : MemorySpan {},
          .written = memory_of(fields.out)};
}

} // namespace quda
