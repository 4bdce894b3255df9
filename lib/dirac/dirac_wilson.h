#pragma once
/// The Wilson operator: A = 1, M = 1 - kappa D, M_pc = 1 - kappa^2 D D, D the hop of ops/dirac/wilson.h.

#include "dirac/dirac_hop.h"
#include "ops/dirac/wilson.h"

namespace quda
{

class DiracWilson : public DiracOf<DiracWilson, DiracHop>
{
public:
  using DiracOf::DiracOf;
  static SpinorShape spinors(const DiracParam &) { return {4, 1, 1}; }

protected:
  Cost cost() const override { return {.hop = 1320}; }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const final
  {
    wilson_hop(out, in, links(), dagger, end);
  }
};

} // namespace quda
