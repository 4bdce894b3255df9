#pragma once

/// Links without their staggered phases, for functions that need them so.

#include "core/profile.h"
#include "ops/gauge/staggered_phase.h"
#include "ops/links/link_set.h"

#include <optional>

namespace quda
{

/// The set itself if its links carry no phases, else one with a copy without them, which lives as long as this.
class WithoutPhases
{
public:
  explicit WithoutPhases(const LinkSet &set)
      : set_(set)
  {
    if (!set.precise().phases().applied) return;
    const PhaseScope phase(Phase::compute);
    bare_.emplace(without_staggered_phases(set.precise()));
    of_bare_.emplace(*bare_);
  }

  const LinkSet &links() const { return bare_ ? *of_bare_ : set_; }

private:
  const LinkSet &set_;
  std::optional<GaugeField> bare_;
  std::optional<LinkSet> of_bare_;
};

} // namespace quda
