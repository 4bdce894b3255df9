#pragma once
/// Kinds of stout smearing whose forces are tested, for the library and for the plain reference.

#include "force/force_fields.h"
#include "ops/smear/stout_force.h"
#include "reference/random.h"
#include "reference/smear/stout_force.h"

#include <vector>

namespace stout_test
{

struct Case {
  const char *name;
  quda::StoutSmearing smearing;
  reference::StoutStep step;
};

inline std::vector<Case> cases()
{
  const auto one = [](const char *name, double rho, int ignored, double anisotropy) {
    Case made {
        name, quda::StoutSmearing::stout(rho, ignored), {rho, {true, true, true, true}, anisotropy * anisotropy}};
    made.smearing.anisotropy = anisotropy;
    if (ignored >= 0) made.step.smeared[static_cast<std::size_t>(ignored)] = false;
    return made;
  };
  return {one("four directions", 0.12, -1, 1), one("t ignored", 0.14, 3, 1), one("y ignored, anisotropic", 0.1, 1, 1.4),
          one("anisotropic", 0.08, -1, 1.3), one("large steps", 0.6, -1, 1)};
}

/// The force of thin links from that of the smeared ones, with the sum of an old momentum or without.
inline quda::GaugeField native_force(const support::Place &place, const reference::GaugeField &thin,
                                     const reference::GaugeField &of_smeared, const Case &one, unsigned steps,
                                     const support::LinkForm &form, const reference::GaugeField *old = nullptr)
{
  const quda::StoutLevels levels(support::native_links(place, thin, form), one.smearing, steps);
  quda::GaugeField force = force_test::native_momentum(place, of_smeared, form.precision);
  quda::GaugeField momentum = force_test::native_momentum(place, old ? *old : of_smeared, form.precision);
  levels.add_force(momentum, force, 0.7, !old);
  return momentum;
}

} // namespace stout_test
