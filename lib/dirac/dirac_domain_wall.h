#pragma once
/// Operators of domain-wall fermions, Ls layers of spinors. With T the shift of ops/dirac/fifth.h, T = h5, whose walls
/// have the mass, and D the hop of ops/dirac/wilson.h on each layer, Moebius fermions have
///   M = M5 - kappa_b D (b + c T),   M5 = 1 + (kappa_b / kappa_c) T,
///   kappa_b = 1 / (2 (b (4 + m5) + 1)),   kappa_c = 1 / (2 (c (4 + m5) - 1)),
/// b, c, kappa_b and kappa_c one number per layer, also complex: M = 2 kappa_b [D_W (b + c T) + 1 - T],
/// D_W = 4 + m5 - D / 2. Shamir fermions have b = 1, c = 0. Even-odd forms are those of lib/dirac/dirac.h with A = M5.
/// The exact one-flavour action adds to M5 a term u of one chirality (Moebius, fifth.h: with_column), with
/// alpha = b + c, k = Ls, A(m) = (alpha + 1)^k + m (alpha - 1)^k and sign + where it is plus:
///   u_j = +-2 shift N (-1)^j (alpha - 1)^j / (alpha + 1)^(k + j + 1), j = s where plus, else k - 1 - s,
///   N = alpha (mq3 - mq2) (alpha + 1)^2k A(mq1) / (A(mq2) A(mq3) (b (4 + m5) + 1)).
/// In a checkerboard of five dimensions Shamir fermions have M = 1 - kappa5 (D + 2 T), kappa5 = 1 / (2 (5 + m5)), and
/// M_pc = 1 - kappa5^2 (D + 2 T)^2; layer s of a field of one parity p stands on sites of parity (p + s) mod 2.

#include <optional>

#include "dirac/dirac_on_links.h"
#include "ops/dirac/fifth.h"
#include "ops/dirac/wilson.h"

namespace quda
{

/// Matrices of Moebius fermions in the fifth dimension.
struct MoebiusMatrices {
  double hop;                                    // factor of the hop
  FifthMatrix local;                             // M5
  std::optional<FifthMatrix> before_hop;         // kappa_b (b + c T) / hop, where it is not 1
  FifthMatrix inverse, adjoint, inverse_adjoint; // of M5
  std::optional<FifthMatrix> before_adjoint, before_inverse, before_inverse_adjoint;

  explicit MoebiusMatrices(const MoebiusFermions &of);
};

class DiracMoebius final : public DiracOf<DiracMoebius, MoebiusFermions>
{
public:
  using DiracOf::DiracOf;

  /// D on each layer, without matrices of the fifth dimension.
  void dslash(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override
  {
    wilson_hop(out, in, links(), dagger);
  }
  double dslash_flops(int rhs) const override
  {
    const ColorSpinorParam one = shape(0, 1);
    return 1320.0 * static_cast<double>(one.lattice->volume_cb()) * one.fifth * rhs;
  }

protected:
  Form form() const override
  {
    const bool before = matrices_.before_hop.has_value();
    return {.hop = matrices_.hop, .has_local = true, .has_before = before, .has_before_inverse = before};
  }
  StepCost cost(const Step &step) const override
  {
    if (step.is_hop()) return {1320, 8.0 * static_cast<int>(storage().reconstruct) / of().spinors().fifth};
    return {static_cast<double>(matrix(step).flops()), 0};
  }
  bool fuses(const Beside &beside) const override { return !beside.x && !beside.y; }
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &beside, const Epilogue &end,
           Sums *sums) const override;
  void diagonal(ColorSpinorField &out, const ColorSpinorField &in, const Step &step) const override
  {
    apply_fifth(out, in, matrix(step));
  }

private:
  const FifthMatrix &matrix(const Step &step) const
  {
    const MoebiusMatrices &m = matrices_;
    switch (step.diagonal) {
    case before_hop:
      return step.dagger ? *m.before_adjoint : *m.before_hop;
    case before_inverse:
      return step.dagger ? *m.before_inverse_adjoint : *m.before_inverse;
    default:
      if (step.inverse) return step.dagger ? m.inverse_adjoint : m.inverse;
      return step.dagger ? m.adjoint : m.local;
    }
  }

  MoebiusMatrices matrices_ {of()};
};

class DiracDomainWall final : public DiracOf<DiracDomainWall, DomainWallFermions>
{
public:
  using DiracOf::DiracOf;

  /// In the checkerboard of four dimensions, whose D is Wilson's hop on each layer.
  double gradient_pair(ColorSpinorField &left, ColorSpinorField &right, std::optional<MatPC> matpc) const override;

protected:
  Form form() const override { return {.hop = 0.5 / (5 + of().m5)}; }
  StepCost cost(const Step &) const override
  {
    return {1320 + 96, 8.0 * static_cast<int>(storage().reconstruct) / of().spinors().fifth};
  }
  /// D + 2 T.
  void hop(ColorSpinorField &out, const ColorSpinorField &in, bool dagger, const Beside &, const Epilogue &end,
           Sums *sums) const override;

private:
  FifthMatrix shift_ = twice_the_shift(of()), shift_adjoint_ = shift_.adjoint();
  static FifthMatrix twice_the_shift(const DomainWallFermions &of);
};

} // namespace quda
