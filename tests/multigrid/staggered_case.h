#pragma once
/// Staggered quarks on quenched and on free links, with long links or without, as hierarchies take them.

#include "dirac/make_dirac.h"
#include "reference/dirac/staggered.h"
#include "reference/gauge/links.h"
#include "reference/gauge/staggered_phase.h"
#include "reference/links/fat_links.h"
#include "reference/random.h"
#include "support/native_fields.h"
#include "support/quenched_links.h"

namespace staggered_case
{

using support::quenched_links;

inline reference::GaugeField free_links(const reference::Coords &X)
{
  reference::GaugeField gauge {reference::Lattice(X)};
  for (auto &of_direction : gauge.U)
    for (reference::Link &link : of_direction) link.setIdentity();
  return gauge;
}

/// With staggered phases, antiperiodic in time.
inline reference::GaugeField phased(const reference::GaugeField &gauge)
{
  return reference::staggered(gauge, reference::StaggeredPhases::milc, -1);
}

/// Fat and long links of HISQ, of links without phases.
struct Hisq {
  reference::GaugeField unitary, fat, straight;
  explicit Hisq(const reference::GaugeField &gauge)
      : unitary(
            reference::unitary_links(reference::fat_links(phased(gauge), reference::phased(reference::fat7_weights))))
      , fat(reference::fat_links(unitary, reference::phased(reference::hisq_weights)))
      , straight(reference::long_links(unitary, reference::hisq_weights))
  {
  }
};

/// Links in the library: of one step, and where there are any of three.
struct Case {
  Case(const reference::GaugeField &near, const reference::GaugeField *far,
       std::shared_ptr<quda::Communicator> comm = quda::make_single_communicator())
      : place(near.lattice, std::move(comm))
  {
    const auto load = [&](quda::LinkSet &into, const reference::GaugeField &from, quda::LinkType type) {
      into.load(std::make_unique<quda::GaugeField>(
          support::native_links(place, from, {quda::Precision::double_, quda::Reconstruct::none, 1, 1, type})));
    };
    load(links, near, far ? quda::LinkType::general : quda::LinkType::su3);
    if (far) load(long_links, *far, quda::LinkType::three);
  }
  quda::StaggeredFermions param(double mass) const
  {
    return {mass, long_links.loaded() ? &long_links : nullptr, quda::Reconstruct::none};
  }
  std::unique_ptr<quda::Dirac> dirac(double mass, quda::Precision precision = quda::Precision::double_) const
  {
    return quda::make_dirac(param(mass), links, {precision, quda::Reconstruct::none});
  }

  support::Place place;
  quda::LinkSet links, long_links;
};

} // namespace staggered_case
