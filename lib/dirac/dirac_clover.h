#pragma once
/// Operator of clover fermions, M = A - kappa D with A the clover term, and its even-odd forms; D is the hop of
/// ops/dirac/wilson.h. A and A^-1 are copies of the parameters' clover set in the operator's precision; an A that no
/// inverse accompanies is A + shift (CloverSet::shift).

#include <optional>

#include "dirac/dirac_on_links.h"
#include "ops/dirac/clover.h"

namespace quda
{

/// Base of the operators whose A is the clover term.
template <class Operator, class Of> class DiracWithClover : public DiracOf<Operator, Of>
{
public:
  using DiracOf<Operator, Of>::DiracOf;

protected:
  using Form = DiracEvenOdd::Form;
  enum { shifted = DiracEvenOdd::local_of_full };

  Form form() const override
  {
    return {.hop = this->of().kappa, .has_local = true, .of_full = shifted, .of_schur = shifted};
  }
  StepCost cost(const Step &step) const override
  {
    return step.is_hop() ? StepCost {1320, 8.0 * static_cast<int>(this->storage().reconstruct)} : StepCost {504, 72};
  }
  bool fuses(const Beside &beside) const override { return !beside.x && !(beside.sum && beside.y); }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &beside, const Epilogue &end,
           Sums *sums) const override
  {
    hop_with(out, in, dagger, beside, {}, end, sums);
  }
  void hop_with(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &beside,
                const std::optional<HopTwist> &twist, const Epilogue &end, Sums *sums) const
  {
    if (beside.sum)
      clover_hop(out, in, this->links(), {inverse(), true, 0, nullptr, twist}, dagger, end, sums);
    else if (beside.y)
      clover_hop(out, in, this->links(),
                 {term(), false, beside.y->diagonal == shifted ? set().shift : 0, nullptr, twist}, dagger, end, sums);
    else if (twist)
      twisted_hop(out, in, this->links(), *twist, dagger, end, sums);
    else
      wilson_hop(out, in, this->links(), dagger, end, sums);
  }
  void diagonal(ColorSpinorField &out, const ColorSpinorField &in, const Step &step) const override
  {
    apply_clover(out, in, step.inverse ? inverse() : term());
  }

private:
  const CloverSet &set() const { return *this->of().clover; }
  const CloverField &term() const { return set().copy(this->precision()); }
  const CloverField &inverse() const { return set().inverse(this->precision()); }
};

class DiracClover final : public DiracWithClover<DiracClover, CloverFermions>
{
public:
  using DiracWithClover::DiracWithClover;
};

} // namespace quda
