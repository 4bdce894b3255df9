#pragma once
/// Operators M = s A - h D of a hop D and of what stays at a site, s A, and their even-odd forms: s = 1 and h = kappa,
/// or what a kind says. Everything here is written in the few products that an operator gives; where A = 1 symmetric
/// and asymmetric forms are one.

#include "dirac/dirac.h"
#include "ops/dirac/hop_end.h"

namespace quda
{

class DiracHop : public Dirac
{
public:
  DiracHop(const DiracParam &param, const LinkSet &links, LinkStorage storage)
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
  /// A site and right-hand side: operations of a hop and of A, links read, numbers of A and of a field, links of a
  /// second kind. No operations of A: A = 1.
  struct Cost {
    int hop = 0, local = 0, links = 8, local_reals = 0, numbers = 24, more_link_reals = 0;
  };
  virtual Cost cost() const = 0;
  /// s and h; s other than 1 goes with A = 1.
  struct Factors {
    double site, hop;
  };
  virtual Factors factors() const { return {1, param().kappa}; }
  /// Of M_pc.
  virtual Symmetry schur_symmetry() const { return Symmetry::general; }
  /// out = a x + b D in + c y, and sums: see HopEnd.
  virtual void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const = 0;
  /// out = a (A x) + b D in + c y, and sums; x is there.
  virtual void local_and_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const;
  /// out = a x + b A^-1 D in + c y, and sums.
  virtual void inverse_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const;
  /// out = A in, or A^-1 in, with dagger of A^dag; out may be in. Not called where A = 1.
  virtual void apply_local(ColorSpinorField &, const ColorSpinorField &, bool /* inverse */, bool /* dagger */) const {}
  /// Whether local_and_hop(), or inverse_hop(), is a kernel of its own, with y and sums. What is here makes them of
  /// hops and of A by itself, without y and sums.
  virtual bool one_kernel(bool /* inverse */) const { return !has_local(); }

  bool has_local() const { return cost().local > 0; }

private:
  class Matrix;
  class Full;
  class Schur;

  /// The adjoint of the symmetric form is solved for A_t x_t.
  bool local_is_last(MatPC matpc, bool dagger) const { return has_local() && symmetric(matpc) && dagger; }
};

} // namespace quda
