#pragma once
/// The covariant shift of spinors, one leg of the sum over neighbours: (M psi)(x) = U_d(x) psi(x + d) with
/// DiracParam::shift = d, U_d(x - d)^dag psi(x - d) with 4 + d. No kappa; it has no form on one parity.

#include "dirac/dirac_hop.h"
#include "ops/dirac/covariant_sum.h"

namespace quda
{

class DiracCovDev final : public DiracOf<DiracCovDev, DiracHop>
{
public:
  using DiracOf::DiracOf;
  static SpinorShape spinors(const DiracParam &param) { return {param.spins, 1, 1}; }

  std::unique_ptr<LinearOperator> full() const override { return std::make_unique<Shift>(*this); }
  std::unique_ptr<LinearOperator> schur(MatPC) const override
  {
    fail(ErrorKind::unsupported, "QUDA_COVDEV_DSLASH: a covariant shift has no operator on one parity");
  }

protected:
  Cost cost() const override { return {.hop = 72 * spins(), .links = 1, .numbers = 6 * spins()}; }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const override
  {
    const int d = param().shift % 4;
    covariant_sum(out, in, links(), (param().shift < 4) != dagger ? leg_ahead(d) : leg_behind(d), end);
  }

private:
  int spins() const { return param().spins; }

  class Shift : public LinearOperator
  {
  public:
    explicit Shift(const DiracCovDev &dirac)
        : dirac_(dirac)
    {
    }
    ColorSpinorParam shape(int rhs) const override { return dirac_.shape(-1, rhs); }
    double flops(int rhs) const override { return 2 * dirac_.dslash_flops(rhs); }
    double bytes(int rhs) const override
    {
      const double numbers = static_cast<int>(dirac_.storage().reconstruct) + 2.0 * rhs * dirac_.cost().numbers;
      return static_cast<double>(shape(1).lattice->volume()) * bytes_of(dirac_.storage().precision) * numbers;
    }

  protected:
    void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
    {
      dirac_.hop(out, in, dagger, {});
    }

  private:
    const DiracCovDev &dirac_;
  };
};

} // namespace quda
