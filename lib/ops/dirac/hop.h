#pragma once
/// What the host side of all hops with Wilson's legs shares: checks, halo exchange, interior, boundary, sums.

#include <functional>
#include <span>
#include <vector>

#include "kernels/dirac/stencil_call.h"
#include "ops/dirac/hop_end.h"
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

struct HopFields {
  ColorSpinorField &out;
  const ColorSpinorField &in;
  const GaugeField &links;
  bool dagger;
  const HopEnd &end;
};

void check_hop(const HopKind &kind, const HopFields &fields);
/// Whether what is read comes from other ranks.
bool cut_between_ranks(const LatticeView &lattice);
/// All registers of the result.
StencilCall whole_hop(const HopFields &fields);
AddToCall finish_of(const HopFields &fields);
/// One pass over the registers of call.sites, or over all of them. Its sums go to `limbs`.
SiteLaunch hop_pass(const HopKind &kind, const HopFields &fields, const StencilCall &call, const char *part,
                    std::span<ExactLimbs> limbs);

/// The sums of the passes of a hop: exact, so that those of the parts are those of the whole.
class HopLimbs
{
public:
  explicit HopLimbs(const HopFields &fields);
  /// For the next pass; empty where nothing is to be added up.
  std::span<ExactLimbs> of_pass();
  /// What all passes of all ranks gave goes to fields.end.sums.
  void enter(const HopFields &fields);

private:
  void merge();

  std::vector<ExactLimbs> total_, pass_;
};

/// Calls hop(fields) without sums, and has the linear algebra add them up.
void sums_after(const HopFields &fields, const std::function<void(const HopFields &)> &hop);

/// Calls part(fields) for runs of right-hand sides that a launch has room for the coefficients of.
void each_part(const HopFields &fields, const std::function<void(const HopFields &)> &part);

/// The kernel on all sites, boundary after the halo has come. call: what is the kernel's own; hop and finish are filled
/// in here.
template <class Call>
void launch_hop(const HopKind &kind, LaunchFunction<Call> kernel, Call &call, const HopFields &fields)
{
  HopLimbs sums(fields);
  call.finish = finish_of(fields);
  call.hop = whole_hop(fields);
  const auto pass = [&](const char *part) {
    const std::span<ExactLimbs> limbs = sums.of_pass();
    call.finish.sums.limbs = limbs.data();
    launch(hop_pass(kind, fields, call.hop, part, limbs), kernel, call);
  };
  const LatticeView &lattice = call.hop.in.field.lattice;
  if (!cut_between_ranks(lattice)) {
    pass("whole");
  } else {
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
  }
  fields.out.mark_written();
  sums.enter(fields);
}

/// The hop with its end: sums in the same pass where the target has kernels for that (`summing`), else after it.
template <class Call> void run_hop(const HopKind &kind, const Kernels<Call> &plain, const Kernels<Call> &summing,
                                   Call call, const HopFields &fields)
{
  check_hop(kind, fields);
  each_part(fields, [&](const HopFields &some) {
    const bool together =
        some.end.sums && summing.has(bytes_of(some.links.precision()), static_cast<int>(some.links.reconstruct()));
    const LaunchFunction<Call> kernel = instance(together ? summing : plain, kind.function, some.links);
    const auto hop = [&](const HopFields &these) { launch_hop(kind, kernel, call, these); };
    if (some.end.sums && !together)
      sums_after(some, hop);
    else
      hop(some);
  });
}

} // namespace quda
