#pragma once
/// Staggered operators M = 2 m - D and their even-odd forms, M_pc = 4 m^2 - D D, Hermitian and positive; D, which is
/// anti-Hermitian, the hop of ops/dirac/staggered.h: of one link on the set's, or improved, with the set's as fat links
/// and DiracParam::long_links.

#include "dirac/dirac_hop.h"
#include "ops/dirac/staggered.h"

namespace quda
{

class DiracStaggered final : public DiracOf<DiracStaggered, DiracHop>
{
public:
  using DiracOf::DiracOf;
  static SpinorShape spinors(const DiracParam &) { return {1, 1, 1}; }

protected:
  Cost cost() const override
  {
    return {.hop = improved() ? improved_staggered_flops : staggered_flops,
            .numbers = 6,
            .more_link_reals = improved() ? 8 * static_cast<int>(of_long()) : 0};
  }
  Factors factors() const override { return {2 * param().mass, 1}; }
  Symmetry schur_symmetry() const override { return Symmetry::positive; }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const override
  {
    const GaugeField *const beside = improved() ? &param().long_links->copy({storage().precision, of_long()}) : nullptr;
    staggered_hop(out, in, links(), beside, dagger, end);
  }

private:
  bool improved() const { return param().kind == DiracKind::asqtad; }
  /// How the long links are stored.
  Reconstruct of_long() const
  {
    const GaugeField &set = param().long_links->precise();
    return storage().precision == set.precision() ? set.reconstruct() : param().long_copies;
  }
};

} // namespace quda
