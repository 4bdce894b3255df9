#pragma once
/// Staggered operators M = 2 m - D and their even-odd forms, M_pc = 4 m^2 - D D, Hermitian and positive. D is the
/// anti-Hermitian hop of ops/dirac/staggered.h, with the links of the set, or improved: with the set's links as fat
/// links, and long links.

#include "dirac/dirac_on_links.h"
#include "ops/dirac/staggered.h"

namespace quda
{

class DiracStaggered final : public DiracOf<DiracStaggered, StaggeredFermions>
{
public:
  using DiracOf::DiracOf;

protected:
  Form form() const override { return {.site = 2 * of().mass, .of_pc = Symmetry::positive}; }
  StepCost cost(const Step &) const override
  {
    const double links = 8.0 * static_cast<int>(storage().reconstruct);
    if (!of().long_links) return {staggered_flops, links};
    return {improved_staggered_flops, links + 8.0 * static_cast<int>(of_long())};
  }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &, const Epilogue &end,
           Sums *sums) const override
  {
    const GaugeField *const beside = of().long_links ? &of().long_links->copy({precision(), of_long()}) : nullptr;
    staggered_hop(out, in, links(), beside, dagger, end, sums);
  }

private:
  /// Storage of the long links.
  Reconstruct of_long() const
  {
    const GaugeField &set = of().long_links->precise();
    return precision() == set.precision() ? set.reconstruct() : of().long_copies;
  }
};

} // namespace quda
