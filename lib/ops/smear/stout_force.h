#pragma once
/// Stout smearing with stored levels, and the pullback of a force through them: from dS/dU' of the smeared links to
/// dS/dU of the thin ones (kernels/smear/stout_force.launch.cpp).

#include "ops/smear/stout.h"

#include <vector>

namespace quda
{

class StoutLevels
{
public:
  /// Smears native links in SU(3) that carry no anisotropy, `steps` (1 or more) times, only by staples. Links are kept
  /// whole, with a border of stout_border in cut directions. Collective.
  StoutLevels(const GaugeField &thin, const StoutSmearing &smearing, unsigned steps);

  const GaugeField &smeared() const { return levels_.back(); }

  /// momentum = factor f, added to the old one unless `overwrite`; f is the force of the thin links, `force` of the
  /// smeared ones: dS = sum Re tr(f dU U^dag), traceless and anti-Hermitian. Native momenta of the links' precision,
  /// two fields; `force` serves as work space. Collective.
  void add_force(GaugeField &momentum, GaugeField &force, double factor, bool overwrite) const;

private:
  StoutSmearing smearing_;
  std::vector<GaugeField> levels_; // thin links first
};

/// Flops of the pullback through one level, a site.
long long stout_force_flops(const StoutSmearing &smearing);

} // namespace quda
