#pragma once
/// Matrix of a linear system, made from a Dirac operator: M or M_pc, its adjoint, or the normal form of either. It owns
/// the Dirac and all operators in between.

#include <memory>
#include <optional>

#include "dirac/dirac.h"
#include "dirac/weighted.h"

namespace quda
{

/// Choice among a Dirac operator's matrices.
struct DiracSystemForm {
  std::optional<MatPC> matpc {}; // none: M on all sites
  bool dagger = false;
  std::optional<Symmetry> gamma5 {};     // gamma5 A in place of A, of this symmetry
  bool normal = false;                   // A^dag A, A given by the other members
  std::optional<TimeWeights> weights {}; // W^-1 A W in place of A (dirac/weighted.h)
};

class DiracSystem final : public LinearOperator
{
public:
  DiracSystem(std::unique_ptr<Dirac> dirac, const DiracSystemForm &form);
  const Dirac &dirac() const { return *dirac_; }
  ColorSpinorParam shape(int rhs) const override { return top_->shape(rhs); }
  Symmetry symmetry() const override { return top_->symmetry(); }
  Factor factor() const override { return top_->factor(); }
  double flops(int rhs) const override { return top_->flops(rhs); }
  double bytes(int rhs) const override { return top_->bytes(rhs); }

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    top_->apply_checked({.out = out, .in = in, .dagger = dagger});
  }
  bool fused(const Apply &call, Sums *sums) const override
  {
    top_->apply_checked(call, sums);
    return true;
  }

private:
  std::unique_ptr<Dirac> dirac_;
  std::unique_ptr<LinearOperator> matrix_, adjoint_, gamma5_, weighted_, normal_;
  const LinearOperator *top_;
};

} // namespace quda
