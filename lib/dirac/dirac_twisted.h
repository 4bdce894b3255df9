#pragma once
/// Operators of twisted-mass fermions, of one flavour or a doublet, with a clover term or without:
///   A = T + i mu gamma5 [tau3] - epsilon tau1
///   A^-1 = (T - i mu gamma5 [tau3] + epsilon tau1) (T^2 + mu^2 - epsilon^2)^-1
/// M = A - kappa D and its even-odd forms, D the hop of ops/dirac/wilson.h; T = 1, or the clover term of
/// the parameters' set. tau acts on flavours; the adjoint has -mu.

#include <optional>

#include "dirac/dirac_on_links.h"
#include "ops/blas/blas.h"
#include "ops/dirac/clover.h"
#include "ops/dirac/twist.h"
#include "ops/dirac/wilson.h"

namespace quda
{

class DiracTwisted final : public DiracOf<DiracTwisted, TwistedFermions>
{
public:
  using DiracOf::DiracOf;

protected:
  Form form() const override
  {
    return {.hop = of().kappa,
            .has_local = true,
            .of_full = local_of_full,
            .of_schur = local_of_schur,
            .inverse_first = of().twist.inverse_first};
  }
  StepCost cost(const Step &step) const override
  {
    if (step.is_hop()) return {1320, 8.0 * static_cast<int>(storage().reconstruct)};
    const double twist = doublet() ? 120 : 72;
    return of().clover ? StepCost {twist + 504, 72} : StepCost {twist, 0};
  }
  /// The inverse for a doublet mixes the sums of both flavours.
  bool fuses(const Beside &beside) const override { return !beside.x && !(beside.sum && (beside.y || doublet())); }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &beside, const Epilogue &end,
           Sums *sums) const override
  {
    if (!beside.sum && !beside.y) return wilson_hop(out, in, links(), dagger, end, sums);
    HopTwist twist = {term(dagger), beside.sum ? HopTwist::sum : HopTwist::y};
    if (!beside.sum && beside.y->diagonal == local_of_schur)
      twist.term.a = (dagger ? -1 : 1) * (of().twist.mu + of().twist.rho);
    if (!of().clover) {
      if (beside.sum) twist.term = twist.term.inverse();
      return twisted_hop(out, in, links(), twist, dagger, end, sums);
    }
    if (beside.sum) {
      twist.term.a = -twist.term.a;
      return clover_hop(out, in, links(), {inverse_square(), true, 0, &clover(), twist}, dagger, end, sums);
    }
    const double shift = beside.y->diagonal == local ? 0 : of().clover->shift;
    clover_hop(out, in, links(), {clover(), false, shift, nullptr, twist}, dagger, end, sums);
  }
  void diagonal(ColorSpinorField &out, const ColorSpinorField &in, const Step &step) const override
  {
    TwistTerm twist = term(step.dagger);
    if (!of().clover) return apply_twist(out, in, step.inverse ? twist.inverse() : twist);
    std::optional<ColorSpinorField> first;
    if (step.inverse || out.data() == in.data()) first.emplace(scratch(first_scratch, in.param()));
    if (step.inverse) {
      apply_clover(*first, in, inverse_square());
      twist.a = -twist.a, twist.b = -twist.b;
    } else if (first) {
      blas::copy(*first, in);
    }
    const ColorSpinorField &from = first ? *first : in;
    apply_clover(out, from, clover());
    twist.one = 0;
    add_twist(out, from, twist);
  }

private:
  bool doublet() const { return of().twist.flavours == 2; }
  /// With dagger a of the twist changes its sign, b does not.
  TwistTerm term(bool dagger) const { return {1, (dagger ? -1 : 1) * of().twist.mu, -of().twist.epsilon}; }
  const CloverField &clover() const { return of().clover->copy(precision()); }
  const CloverField &inverse_square() const { return of().clover->inverse_square(of().twist.square(), precision()); }
};

} // namespace quda
