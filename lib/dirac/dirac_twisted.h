#pragma once
/// Operators of twisted-mass fermions, of one flavour or a doublet, with a clover term or without:
///   A = T + i mu gamma5 [tau3] - epsilon tau1
///   A^-1 = (T - i mu gamma5 [tau3] + epsilon tau1) (T^2 + mu^2 - epsilon^2)^-1
/// M = A - kappa D and its even-odd forms, D the hop of ops/dirac/wilson.h; T = 1, or the clover term of
/// DiracParam::clover. tau acts on flavours; the adjoint has -mu.

#include "dirac/dirac_wilson.h"
#include "ops/blas/blas.h"
#include "ops/clover/clover_set.h"
#include "ops/dirac/clover.h"
#include "ops/dirac/twist.h"

namespace quda
{

class DiracTwisted final : public DiracOf<DiracTwisted, DiracWilson>
{
public:
  using DiracOf::DiracOf;
  static SpinorShape spinors(const DiracParam &param) { return {4, 1, param.twist.flavours}; }

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
  void local_and_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const override
  {
    const double rho = end.x->parities() == 1 ? param().twist.rho : 0;
    with_local(out, in, dagger, end, rho, param().clover ? param().clover->shift : 0);
  }
  void inverse_hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end) const override
  {
    if (!one_kernel(true)) {
      if (!end.x || end.x->data() == out.data()) return DiracHop::inverse_hop(out, in, dagger, end);
      with_local(out, in, dagger, end, 0, 0);
      return apply_local(out, out, true, dagger); // A^-1 (a A x + b D in)
    }
    HopEnd twisted = end;
    if (param().clover) {
      twisted.twist = {term(!dagger, 0), true};
      clover_hop(out, in, links(), {inverse_square(), true, 0, &clover_term()}, dagger, twisted);
    } else {
      twisted.twist = {term(dagger, 0).inverse(), true};
      hop(out, in, dagger, twisted);
    }
  }
  /// The inverse mixes the sums of both flavours.
  bool one_kernel(bool inverse) const override { return !inverse || param().twist.flavours == 1; }
  void apply_local(ColorSpinorField &out, const ColorSpinorField &in, bool inverse, bool dagger) const override
  {
    TwistTerm twist = term(dagger, 0);
    if (!param().clover) return apply_twist(out, in, inverse ? twist.inverse() : twist);
    ColorSpinorField from(in.param());
    if (inverse) {
      apply_clover(from, in, inverse_square());
      twist.a = -twist.a, twist.b = -twist.b;
    } else {
      blas::copy(from, in);
    }
    apply_clover(out, from, clover_term());
    twist.one = 0;
    add_twist(out, from, twist);
  }

private:
  /// With dagger the twist's a, but not its b, has the other sign.
  TwistTerm term(bool dagger, double rho) const
  {
    const TwistParam &twist = param().twist;
    return {1, (dagger ? -1 : 1) * (twist.mu + rho), -twist.epsilon};
  }
  /// out = a (A + i rho gamma5 + shift) x + b D in + c y, and sums.
  void with_local(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const HopEnd &end, double rho,
                  double shift) const
  {
    HopEnd twisted = end;
    twisted.twist = {term(dagger, rho), false};
    if (param().clover)
      clover_hop(out, in, links(), {clover_term(), false, shift}, dagger, twisted);
    else
      hop(out, in, dagger, twisted);
  }
  const CloverField &clover_term() const { return param().clover->copy(storage().precision); }
  const CloverField &inverse_square() const
  {
    return param().clover->inverse_square(param().twist.square(), storage().precision);
  }
};

} // namespace quda
