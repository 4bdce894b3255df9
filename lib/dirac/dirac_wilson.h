#pragma once
/// The Wilson operator: A = 1, M = 1 - kappa D, M_pc = 1 - kappa^2 D D, D the hop of ops/dirac/wilson.h; symmetric and
/// asymmetric forms are one. And the base of operators on the same hop that have another A: everything here is written
/// in the few products that they replace.

#include "dirac/dirac.h"
#include "ops/dirac/hop_end.h"

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
  void prepare_guess(ColorSpinorField &x_t, MatPC matpc, bool dagger) const override;
  void reconstruct(ColorSpinorField &x, const ColorSpinorField &b, MatPC matpc, bool dagger) const override;

protected:
  /// What A costs: operations a site and right-hand side, numbers a site. None: A = 1.
  struct Local {
    int flops = 0, reals = 0;
  };
  virtual Local local() const { return {}; }
  /// out = a (A x) + b D in + c y, and sums: see HopEnd; x is there.
  virtual void local_and_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const;
  /// out = a x + b A^-1 D in + c y, and sums.
  virtual void inverse_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const;
  /// out = A in, or A^-1 in; out may be in. Not called where A = 1.
  virtual void apply_local(ColorSpinorField &, const ColorSpinorField &, bool /* inverse */) const {}

private:
  class Matrix;
  class Full;
  class Schur;

  bool has_local() const { return local().flops > 0; }
  /// The adjoint of the symmetric form is solved for A_t x_t.
  bool local_is_last(MatPC matpc, bool dagger) const { return has_local() && symmetric(matpc) && dagger; }
};

} // namespace quda
