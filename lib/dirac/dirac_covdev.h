#pragma once
/// The covariant shift of spinors, one leg of the sum over neighbours: (M psi)(x) = U_d(x) psi(x + d) with direction d,
/// U_d(x - d)^dag psi(x - d) with 4 + d. No kappa; it has no form on one parity.

#include "core/error.h"
#include "dirac/dirac_on_links.h"
#include "ops/dirac/covariant_sum.h"

namespace quda
{

class DiracCovDev final : public DiracOf<DiracCovDev, CovariantShift>
{
public:
  using DiracOf::DiracOf;

  std::unique_ptr<LinearOperator> full() const override
  {
    const ChainParts &parts = *this;
    return std::make_unique<ChainOperator>(parts, -1, Chain {{1, {Step {}}}});
  }
  std::unique_ptr<LinearOperator> schur(MatPC) const override
  {
    fail(ErrorKind::unsupported, "QUDA_COVDEV_DSLASH: a covariant shift has no operator on one parity");
  }

protected:
  Form form() const override { return {}; }
  StepCost cost(const Step &) const override { return {72.0 * of().spins, static_cast<double>(storage().reconstruct)}; }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &, const Epilogue &end,
           Sums *sums) const override
  {
    const int d = of().direction % 4;
    covariant_sum(out, in, links(), (of().direction < 4) != dagger ? leg_ahead(d) : leg_behind(d), end, 1, sums);
  }
};

} // namespace quda
