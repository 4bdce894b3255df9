#pragma once
/// Links and the clover term that is made of them, as operators take them.

#include "dirac/make_dirac.h"
#include "ops/clover/clover_set.h"
#include "ops/clover/term.h"
#include "support/native_fields.h"

#include <memory>

namespace dirac_test
{

struct CloverCase {
  CloverCase(const reference::GaugeField &gauge, double coefficient, const support::LinkForm &form = {})
      : place(gauge.lattice, quda::make_single_communicator())
  {
    links.load(std::make_unique<quda::GaugeField>(support::native_links(place, gauge, form)));
    auto term = std::make_unique<quda::CloverField>(support::native_clover(place, form.precision));
    quda::clover_term(*term, links.precise(), coefficient);
    clover.load(std::move(term), nullptr);
  }
  quda::LinkStorage storage() const { return {links.precise().precision(), links.precise().reconstruct()}; }

  support::Place place;
  quda::LinkSet links;
  quda::CloverSet clover;
};

} // namespace dirac_test
