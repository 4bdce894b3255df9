#pragma once
/// Laplace's operator M = 1 - kappa L and its even-odd forms, L the sum of the covariant neighbours of colour vectors,
/// in all directions or in all but one (DiracParam::omitted).

#include "dirac/dirac_hop.h"
#include "ops/dirac/covariant_sum.h"

namespace quda
{

class DiracLaplace final : public DiracOf<DiracLaplace, DiracHop>
{
public:
  using DiracOf::DiracOf;
  static SpinorShape spinors(const DiracParam &) { return {1, 1, 1}; }

protected:
  Cost cost() const override
  {
    const bool all = legs() == 0xff;
    return {.hop = all ? 576 : 432, .links = all ? 8 : 6, .numbers = 6};
  }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool, const HopEnd &end) const override
  {
    covariant_sum(out, in, links(), legs(), end);
  }

private:
  int legs() const { return legs_without(param().omitted); }
};

} // namespace quda
