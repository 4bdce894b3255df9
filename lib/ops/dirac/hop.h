#pragma once
/// What the host side of all hops with Wilson's legs shares: checks, halo exchange, interior, boundary.

#include <algorithm>
#include <span>

#include "kernels/dirac/stencil_call.h"
#include "ops/dirac/wilson_halo.h"
#include "ops/halo/boundary.h"
#include "ops/launch.h"

namespace quda
{

/// A hop's name and what it costs.
struct HopKind {
  const char *function; // for messages
  const char *name;     // in tuning and profile
  long long flops;      // a site and inner entry
  long long flops_x;    // more, where x is added
  long long reals;      // read a site beside links and spinors
};

/// out = a x + b sum: one a and b for all right-hand sides, or one for each; x may be null.
struct HopFields {
  ColorSpinorField &out;
  const ColorSpinorField &in;
  const GaugeField &links;
  bool dagger;
  std::span<const double> b, a;
  const ColorSpinorField *x;
};

void check_hop(const HopKind &kind, const HopFields &fields);
/// Whether what is read comes from other ranks.
bool cut_between_ranks(const LatticeView &lattice);
/// All registers of the result.
StencilCall whole_hop(const HopFields &fields);
AddToCall finish_of(const HopFields &fields);
/// One pass over the registers of call.sites, or over all of them.
SiteLaunch hop_pass(const HopKind &kind, const HopFields &fields, const StencilCall &call, const char *part);

/// The kernel on all sites, boundary after the halo has come. call: what is the kernel's own; hop and finish are filled
/// in here.
template <class Call> void run_hop(const HopKind &kind, LaunchFunction<Call> kernel, Call call, const HopFields &fields)
{
  const int coefficients = static_cast<int>(fields.b.size());
  if (coefficients > most_coefficients) {
    for (int first = 0; first < coefficients; first += most_coefficients) {
      const int count = std::min(most_coefficients, coefficients - first);
      ColorSpinorField part = fields.out.columns(first, count);
      const ColorSpinorField x_part = fields.x ? fields.x->columns(first, count) : fields.out.columns(first, count);
      run_hop(kind, kernel, call,
              {part, fields.in.columns(first, count), fields.links, fields.dagger, fields.b.subspan(first, count),
               fields.x ? fields.a.subspan(first, count) : fields.a, fields.x ? &x_part : nullptr});
    }
    fields.out.mark_written();
    return;
  }

  call.finish = finish_of(fields);
  call.hop = whole_hop(fields);
  const auto pass = [&](const char *part) { launch(hop_pass(kind, fields, call.hop, part), kernel, call); };
  const LatticeView &lattice = call.hop.in.field.lattice;
  if (!cut_between_ranks(lattice)) {
    pass("whole");
    fields.out.mark_written();
    return;
  }

  HaloExchange halo(kind.function, fields.in.lattice(), {wilson_halo_shape(fields.in)});
  pack_wilson_halo(halo, fields.in, fields.links, fields.dagger);
  halo.send();

  const BoundarySites &sites = boundary_sites(fields.out.lattice(), lattice.width);
  call.hop.sites = sites.interior + call.hop.parity * sites.interior_count;
  call.hop.count = sites.interior_count;
  if (call.hop.count) pass("interior");

  halo.finish();
  call.hop.in.halo = halo.slots();
  call.hop.sites = sites.boundary + call.hop.parity * sites.boundary_count;
  call.hop.count = sites.boundary_count;
  pass("boundary");
  fields.out.mark_written();
}

} // namespace quda
