#pragma once
/// The operator of clover fermions: A the clover term, M = A - kappa D, and its even-odd forms; D the hop of
/// ops/dirac/wilson.h. A and A^-1 are copies of DiracParam::clover in the operator's precision; where A stands by
/// itself it is A + shift (CloverSet::shift).

#include "dirac/dirac_wilson.h"
#include "ops/clover/clover_set.h"
#include "ops/dirac/clover.h"

namespace quda
{

class DiracClover : public DiracOf<DiracClover, DiracWilson>
{
public:
  using DiracOf::DiracOf;

protected:
  Cost cost() const override { return {.hop = 1320, .local = 504, .local_reals = 72}; }
  void local_and_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const override
  {
    const CloverSet &set = *param().clover;
    clover_hop(out, in, links(), {set.copy(storage().precision), false, set.shift}, dagger, end);
  }
  void inverse_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const override
  {
    clover_hop(out, in, links(), {inverse_term(), true, 0}, dagger, end);
  }
  bool one_kernel(bool) const override { return true; }
  void apply_local(ColorSpinorField &out, const ColorSpinorField &in, bool inverse, bool /* dagger */) const override
  {
    apply_clover(out, in, inverse ? inverse_term() : param().clover->copy(storage().precision));
  }

private:
  const CloverField &inverse_term() const { return param().clover->inverse(storage().precision); }
};

} // namespace quda
