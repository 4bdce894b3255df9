#pragma once
/// Laplace operator M = 1 - kappa L and its even-odd forms; L is the sum of the covariant neighbours of colour vectors,
/// in all directions or in all except one.

#include "dirac/dirac_on_links.h"
#include "ops/dirac/covariant_sum.h"

namespace quda
{

class DiracLaplace final : public DiracOf<DiracLaplace, LaplaceVectors>
{
public:
  using DiracOf::DiracOf;

protected:
  Form form() const override
  {
    return {.hop = of().kappa, .of_pc = Symmetry::hermitian, .of_matrix = Symmetry::hermitian};
  }
  StepCost cost(const Step &) const override
  {
    const int legs = legs_without(of().omitted) == 0xff ? 8 : 6;
    return {72.0 * legs, static_cast<double>(legs * static_cast<int>(storage().reconstruct))};
  }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool, const Beside &, const Epilogue &end,
           Sums *sums) const override
  {
    covariant_sum(out, in, links(), legs_without(of().omitted), end, 1, sums);
  }
};

} // namespace quda
