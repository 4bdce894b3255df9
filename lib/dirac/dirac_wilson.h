#pragma once
/// Wilson operator: A = 1, M = 1 - kappa D, M_pc = 1 - kappa^2 D D, D the hop of ops/dirac/wilson.h.

#include "dirac/dirac_on_links.h"
#include "ops/dirac/wilson.h"

namespace quda
{

class DiracWilson final : public DiracOf<DiracWilson, WilsonFermions>
{
public:
  using DiracOf::DiracOf;

protected:
  Form form() const override { return {.hop = of().kappa}; }
  StepCost cost(const Step &) const override { return {1320, 8.0 * static_cast<int>(storage().reconstruct)}; }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &, const Epilogue &end,
           Sums *sums) const override
  {
    wilson_hop(out, in, links(), dagger, end, sums);
  }
};

} // namespace quda
