#include "ops/dirac/wilson.h"

#include "ops/dirac/wilson_halo.h"
#include "ops/dirac/wilson_table.h"
#include "ops/halo/boundary.h"
#include "ops/instance.h"
#include "targets/table.h"
#include "targets/target.h"
#include "tune/tunable.h"

namespace quda
{

QUDA_KERNEL_TABLE(WilsonTable, wilson_table)

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

  KeyText aux(const WilsonCall &call, const char *part)
  {
    const FieldView &in = call.in.field;
    const int *cut = in.lattice.cut;
    return key_text("prec=", in.precision, ",recon=", call.links.reconstruct, ",inner=", in.inner,
                    ",parities=", call.parities, call.x.field.data ? ",xpay" : "", ",cut=", !!cut[0], !!cut[1],
                    !!cut[2], !!cut[3], ",", part);
  }

  /// One pass over the registers of a list, or over all of them.
  class WilsonHop : public TunableKernel2D
  {
  public:
    WilsonHop(const ColorSpinorField &out, const GaugeField &links, const WilsonCall &call, const char *part)
        : TunableKernel2D(out.shared_lattice()->shared_communicator(), call.count, call.parities,
                          volume_text(out.lattice()).s, "Wilson", aux(call, part).s)
        , kernel_(instance(wilson_table().hop, "Wilson hop", out.precision(), links.reconstruct()))
        , call_(call)
        , out_(out)
        , sites_(static_cast<long long>(call.count) * call.parities * call.out.field.lattice.lanes /
                 call.out.field.lattice.parts)
    {
    }
    void launch(const TuneParam &tp, void *stream) override { kernel_(tp, stream, call_); }
    long long flops() const override
    {
      return sites_ * call_.in.field.inner * (hop_flops + (call_.x.field.data ? 48 : 0));
    }
    long long bytes() const override
    {
      const int spinors = call_.x.field.data ? 3 : 2;
      return sites_ * call_.in.field.precision *
             (8LL * call_.links.reconstruct + 24LL * spinors * call_.in.field.inner);
    }
    bool has_prefetch() const override { return true; }
    bool has_streaming() const override { return true; }
    void read_written() const override { target().read(out_.data(), out_.bytes()); }
    std::vector<MemorySpan> in_place() const override
    {
      if (call_.x.field.data != call_.out.field.data) return {};
      return {{call_.out.field.data, out_.bytes()}};
    }

  private:
    void (*kernel_)(const TuneParam &, void *, const WilsonCall &);
    const WilsonCall &call_;
    const ColorSpinorField &out_;
    long long sites_;
  };

} // namespace

void wilson_hop(ColorSpinorField &out, const ColorSpinorField &in, const GaugeField &links, bool dagger, double b,
                double a, const ColorSpinorField *x)
{
  check_fields(out, in, links);
  if (x) {
    check_same_spinors("wilson_hop", out, *x);
    if (x->precision() != out.precision() || !x->native())
      fail(ErrorKind::bad_argument, text("wilson_hop: x must be native and of out's precision (%d bytes), has %d",
                                         bytes_of(out.precision()), bytes_of(x->precision())));
  }

  WilsonCall call {};
  call.out = out.view();
  call.in = in.view();
  if (x) call.x = x->view();
  call.links = links.view();
  call.a = a;
  call.b = b;
  call.dagger = dagger;
  call.parity = out.parity();
  call.parities = out.parities();
  const LatticeView &lattice = call.in.field.lattice;
  call.count = lattice.volume_cb * lattice.parts;

  bool cut = false;
  for (int d = 0; d < 4; d++) cut = cut || lattice.cut[d];
  if (!cut) {
    WilsonHop(out, links, call, "whole").apply();
    out.mark_written();
    return;
  }

  HaloExchange halo("wilson_hop", in.lattice(), {wilson_halo_shape(in)});
  pack_wilson_halo(halo, in, links, dagger);
  halo.send();

  const BoundarySites &sites = boundary_sites(out.lattice(), lattice.width);
  call.sites = sites.interior + call.parity * sites.interior_count;
  call.count = sites.interior_count;
  if (call.count) WilsonHop(out, links, call, "interior").apply();

  halo.finish();
  call.in.halo = halo.slots();
  call.sites = sites.boundary + call.parity * sites.boundary_count;
  call.count = sites.boundary_count;
  WilsonHop(out, links, call, "boundary").apply();
  out.mark_written();
}

} // namespace quda
