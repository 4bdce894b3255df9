#pragma once
/// Clover fermions with a Hasenbusch twist on the sites of parity t, which the even-odd forms live on:
///   M = A - kappa D, + i mu gamma5 (asymmetric) or + i mu gamma5 A^2 (symmetric) on the sites of t
///   M_pc = M_pc of clover fermions + i mu gamma5, or symmetric + i mu gamma5 A
/// The parameters' matpc says which form the full M belongs to. The adjoint has -mu.

#include "dirac/dirac_clover.h"
#include "ops/dirac/twist.h"

namespace quda
{

class DiracHasenbusch final : public DiracWithClover<DiracHasenbusch, HasenbuschFermions>
{
public:
  using DiracWithClover::DiracWithClover;

  std::unique_ptr<LinearOperator> full() const override
  {
    const MatPC matpc = of().matpc;
    const Chain plain = chain_of_full(), twisted = with_twist(plain, symmetric(matpc) ? 2 : 0);
    const ChainParts &parts = *this;
    return parity_of(matpc) == 0 ? std::make_unique<ChainOperator>(parts, twisted, plain)
                                 : std::make_unique<ChainOperator>(parts, plain, twisted);
  }
  std::unique_ptr<LinearOperator> schur(MatPC matpc) const override
  {
    const ChainParts &parts = *this;
    return std::make_unique<ChainOperator>(parts, parity_of(matpc),
                                           with_twist(chain_of_schur(matpc), symmetric(matpc) ? 1 : 0));
  }

protected:
  /// Number of the diagonal i mu gamma5 A^power; A commutes with gamma5.
  static constexpr int twist = of_kind;

  StepCost cost(const Step &step) const override
  {
    const int power = step.diagonal - twist;
    return power < 0 ? DiracWithClover::cost(step) : StepCost {48 + 504.0 * power, 72.0 * power};
  }
  bool fuses(const Beside &beside) const override
  {
    for (const Step *step : {beside.sum, beside.y})
      if (step && step->diagonal >= twist) return false;
    return DiracWithClover::fuses(beside);
  }
  void diagonal(ColorSpinorField &out, const ColorSpinorField &in, const Step &step) const override
  {
    if (step.diagonal < twist) return DiracWithClover::diagonal(out, in, step);
    const ColorSpinorField *from = &in;
    for (int n = 0; n < step.diagonal - twist; n++, from = &out) DiracWithClover::diagonal(out, *from, {local});
    apply_twist(out, *from, {1, (step.dagger ? -1 : 1) * of().mu, 0, 0});
  }

private:
  Chain with_twist(Chain chain, int power) const
  {
    chain.insert(chain.end() - 1, {1, {{twist + power}}});
    return chain;
  }
};

} // namespace quda
