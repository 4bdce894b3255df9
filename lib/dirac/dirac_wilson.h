#pragma once
/// The Wilson operator: A = 1, M = 1 - kappa D, M_pc = 1 - kappa^2 D D, D the hop of ops/dirac/wilson.h. Symmetric and
/// asymmetric forms are one.

#include "dirac/dirac.h"

namespace quda
{

class DiracWilson : public Dirac
{
public:
  DiracWilson(const DiracParam &param, const LinkSet &links, LinkStorage storage)
      : Dirac(param, links, storage)
  {
  }

  std::unique_ptr<LinearOperator> full() const override;
  std::unique_ptr<LinearOperator> schur(MatPC matpc) const override;
  void dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;
  double dslash_flops(int rhs) const override;
  void prepare(ColorSpinorField &c, const ColorSpinorField &b, MatPC matpc, bool dagger) const override;
  void reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC matpc, bool dagger) const override;

private:
  class Full;
  class Schur;
};

} // namespace quda
