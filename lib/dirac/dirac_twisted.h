#pragma once
/// Operators of twisted-mass fermions, of one flavour or a doublet, with a clover term or without:
///   A = T + i mu gamma5 [tau3] - epsilon tau1
///   A^-1 = (T - i mu gamma5 [tau3] + epsilon tau1) (T^2 + mu^2 - epsilon^2)^-1
/// M = A - kappa D and its even-odd forms, D the hop of ops/dirac/wilson.h; T = 1, or the clover term of
/// DiracParam::clover. tau acts on flavours; the adjoint has -mu.

#include "dirac/dirac_wilson.h"
#include "ops/blas/blas.h"
#include "ops/clover/apply.h"
#include "ops/clover/clover_set.h"
#include "ops/dirac/twist.h"

namespace quda
{

class DiracTwisted final : public DiracWilson
{
public:
  using DiracWilson::DiracWilson;

  void dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    if (!dagger || !param().twist.inverse_first) return DiracHop::dslash(out, in, dagger);
    ColorSpinorField first(in.param());
    apply_local(first, in, true, true);
    hop(out, first, true, {});
  }

protected:
  Cost cost() const override
  {
    const int twist = param().twist.flavours == 2 ? 120 : 72;
    return {.hop = 1320, .local = twist + (param().clover ? 504 : 0), .local_reals = param().clover ? 72 : 0};
  }
  void apply_alone(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    apply(out, in, term(dagger, in.parities() == 1 ? param().twist.rho : 0));
  }
  void apply_local(ColorSpinorField &out, const ColorSpinorField &in, bool inverse, bool dagger) const override
  {
    if (!inverse) {
      if (out.data() != in.data() || !param().clover) return apply(out, in, term(dagger, 0));
      ColorSpinorField from(in.param());
      blas::copy(from, in);
      return apply(out, from, term(dagger, 0));
    }
    if (!param().clover) return apply_twist(out, in, term(dagger, 0).inverse());
    ColorSpinorField divided(in.param());
    apply_clover(divided, in, param().clover->inverse_square(param().twist.square(), storage().precision));
    TwistTerm opposite = term(dagger, 0);
    opposite.a = -opposite.a, opposite.b = -opposite.b;
    apply(out, divided, opposite);
  }

private:
  TwistTerm term(bool dagger, double rho) const
  {
    const TwistParam &twist = param().twist;
    return {1, (dagger ? -1 : 1) * (twist.mu + rho), -twist.epsilon};
  }
  /// out = (T + twist) in; with a clover term out is not in.
  void apply(ColorSpinorField &out, const ColorSpinorField &in, TwistTerm twist) const
  {
    if (!param().clover) return apply_twist(out, in, twist);
    apply_clover(out, in, param().clover->copy(storage().precision));
    twist.one = 0;
    add_twist(out, in, twist);
  }
};

} // namespace quda
