#pragma once
/// Base of the host side of all hops: checks, halo exchange, interior, boundary, sums.

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "kernels/dirac/stencil_call.h"
#include "ops/dirac/hop_halo.h"
#include "ops/dirac/hop_kind.h"
#include "ops/halo/boundary.h"
#include "ops/launch.h"

namespace quda
{

void check_hop(const HopKind &kind, const HopFields &fields);
/// Whether the hop reads from other ranks.
bool crosses_ranks(const HopKind &kind, const LatticeView &lattice);
/// All registers of the result.
StencilCall whole_hop(const HopKind &kind, const HopFields &fields);
AddToCall finish_of(const HopFields &fields);
/// One pass over the registers of call.sites, or over all of them. Its sums go to `limbs`.
SiteLaunch hop_pass(const HopKind &kind, const HopFields &fields, const StencilCall &call, const char *part,
                    std::span<ExactLimbs> limbs);

/// The sums of the passes of a hop: exact, so that the parts' sums add up to the whole's.
class HopLimbs
{
public:
  explicit HopLimbs(const HopFields &fields);
  /// For the next pass; empty if there are no sums.
  std::span<ExactLimbs> of_pass();
  /// Appends the total over all passes and ranks to fields.sums.
  void enter(const HopFields &fields);

private:
  void merge();

  std::vector<ExactLimbs> total_, pass_;
};

template <class Call> constexpr bool two_lengths = requires(Call call) { call.long_legs; };
/// Everything except their halo.
LongLegsCall long_legs(const HopFields &fields);

/// Calls hop(fields) without sums, and computes them by linear algebra.
void sums_after(const HopFields &fields, const std::function<void(const HopFields &)> &hop);

/// Calls part(fields) for runs of right-hand sides whose coefficients fit into a launch.
void each_part(const HopFields &fields, const std::function<void(const HopFields &)> &part);

/// The kernel on all sites, boundary after the halo has arrived. call: the kernel's own data; hop and finish are filled
/// in here.
template <class Call>
void launch_hop(const HopKind &kind, LaunchFunction<Call> kernel, Call &call, const HopFields &fields)
{
  HopLimbs sums(fields);
  call.finish = finish_of(fields);
  call.hop = whole_hop(kind, fields);
  if constexpr (two_lengths<Call>) call.long_legs = long_legs(fields);
  const auto pass = [&](const char *part) {
    const std::span<ExactLimbs> limbs = sums.of_pass();
    call.finish.sums.limbs = limbs.data();
    launch(hop_pass(kind, fields, call.hop, part, limbs), kernel, call);
  };
  const LatticeView &lattice = call.hop.in.field.lattice;
  if (!crosses_ranks(kind, lattice)) {
    pass("whole");
  } else {
    HaloExchange halo = hop_halo(kind, fields);
    pack_hop_halo(halo, kind, fields);
    halo.send();

    const int depth = std::max(kind.length, kind.long_length);
    const BoundarySites &sites = boundary_sites(fields.out.lattice(), lattice.width, depth);
    call.hop.sites = sites.interior + call.hop.parity * sites.interior_count;
    call.hop.count = sites.interior_count;
    if (call.hop.count) pass("interior");

    halo.finish();
    call.hop.in.halo = halo.slots();
    if constexpr (two_lengths<Call>) call.long_legs.halo = halo.slots(1);
    call.hop.sites = sites.boundary + call.hop.parity * sites.boundary_count;
    call.hop.count = sites.boundary_count;
    pass("boundary");
  }
  fields.out.mark_written();
  sums.enter(fields);
}

/// The hop with its epilogue: sums in the same pass if the target has kernels for that (`summing`), else after it.
template <class Call> void run_hop(const HopKind &kind, const Kernels<Call> &plain, const Kernels<Call> *summing,
                                   Call call, const HopFields &fields)
{
  check_hop(kind, fields);
  if (fields.end.sums()) *fields.sums = {};
  each_part(fields, [&](const HopFields &some) {
    const bool together = some.end.sums() && summing &&
                          summing->has(bytes_of(some.links.precision()), static_cast<int>(some.links.reconstruct()));
    const LaunchFunction<Call> kernel =
        instance(together ? *summing : plain, kind.function, some.long_links ? *some.long_links : some.links);
    const auto hop = [&](const HopFields &these) { launch_hop(kind, kernel, call, these); };
    if (some.end.sums() && !together)
      sums_after(some, hop);
    else
      hop(some);
  });
}

} // namespace quda
