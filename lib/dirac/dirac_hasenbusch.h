#pragma once
/// Clover fermions with a Hasenbusch twist on the sites of one parity t, that which even-odd forms are on:
///   M = A - kappa D, + i mu gamma5 (asymmetric) or + i mu gamma5 A^2 (symmetric) on the sites of t
///   M_pc = that of clover fermions + i mu gamma5, or symmetric + i mu gamma5 A
/// DiracParam::matpc says of which form the full M is. The adjoint has -mu.

#include "dirac/dirac_clover.h"
#include "ops/dirac/twist.h"

namespace quda
{

class DiracHasenbusch final : public DiracOf<DiracHasenbusch, DiracClover>
{
public:
  using DiracOf::DiracOf;

  std::unique_ptr<LinearOperator> full() const override
  {
    const MatPC matpc = param().matpc;
    return std::make_unique<Twisted>(*this, DiracClover::full(), parity_of(matpc), symmetric(matpc) ? 2 : 0);
  }
  std::unique_ptr<LinearOperator> schur(MatPC matpc) const override
  {
    return std::make_unique<Twisted>(*this, DiracClover::schur(matpc), parity_of(matpc), symmetric(matpc) ? 1 : 0);
  }

private:
  /// An operator of clover fermions + i mu gamma5 A^power on one parity.
  class Twisted : public LinearOperator
  {
  public:
    Twisted(const DiracHasenbusch &dirac, std::unique_ptr<LinearOperator> of_clover, int parity, int power)
        : dirac_(dirac)
        , of_clover_(std::move(of_clover))
        , parity_(parity)
        , power_(power)
    {
    }
    ColorSpinorParam shape(int rhs) const override { return of_clover_->shape(rhs); }
    double flops(int rhs) const override
    {
      const double sites = static_cast<double>(shape(1).lattice->volume_cb());
      return of_clover_->flops(rhs) + (96 + 504 * power_) * sites * rhs;
    }
    double bytes(int rhs) const override { return of_clover_->bytes(rhs); }

  protected:
    void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
    {
      (*of_clover_)(out, in, dagger);
      const bool full = in.parities() == 2;
      const ColorSpinorField from = full ? in.half(parity_) : in.columns(0, in.rhs());
      ColorSpinorField to = full ? out.half(parity_) : out.columns(0, out.rhs());
      const TwistTerm twist = {1, (dagger ? -1 : 1) * dirac_.param().twist.mu, 0, 0};
      if (power_ == 0) {
        add_twist(to, from, twist);
      } else {
        ColorSpinorField local = scratch(0, dirac_.shape(parity_, in.rhs()));
        dirac_.apply_local(local, from, false, dagger);
        for (int n = 1; n < power_; n++) dirac_.apply_local(local, local, false, dagger);
        add_twist(to, local, twist);
      }
      out.mark_written();
    }

  private:
    const DiracHasenbusch &dirac_;
    std::unique_ptr<LinearOperator> of_clover_;
    int parity_, power_;
  };
};

} // namespace quda
