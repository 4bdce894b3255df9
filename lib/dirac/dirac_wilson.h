#pragma once
/// The Wilson operator and its even-odd forms, D the hop of ops/dirac/wilson.h:
///   M = 1 - kappa D on full fields, M_pc = 1 - kappa^2 D D on one parity; adjoints with dagger.
/// Fields: native, of the links' precision and lattice. All calls are collective over the lattice's communicator.

#include "ops/dirac/wilson.h"

namespace quda
{

class DiracWilson
{
public:
  /// links must outlive the operator.
  DiracWilson(const GaugeField &links, double kappa)
      : links_(links)
      , kappa_(kappa)
  {
  }

  /// out = D in: out on its parity, in on the other, or both full.
  void dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const;
  /// out = scale (1 - kappa D) in.
  void m(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, double scale = 1) const;
  /// out = scale (1 - kappa^2 D D) in, both on one parity.
  void mpc(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, double scale = 1) const;

private:
  const GaugeField &links_;
  double kappa_;
};

} // namespace quda
