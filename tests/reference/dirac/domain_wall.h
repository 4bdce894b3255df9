/// Domain-wall fermions from dense matrices in the fifth dimension (fifth.h) and Wilson's hop D on each slice: with
/// h5 = D5 / 2 and diagonal matrices b, c, and kappa_b = 1 / (2 (b (4 + m5) + 1)), kappa_c = 1 / (2 (c (4 + m5) - 1)) a
/// slice,
///   M = M5 - kappa_b D (b + c h5),   M5 = 1 + (kappa_b / kappa_c) h5 + U,
/// where U, of the exact one-flavour action, takes slice Ls - 1 with P_+ or slice 0 with P_-. Shamir's: b = 1, c = 0. On
/// all slots; forms on one parity by themselves.
#pragma once

#include <optional>

#include "reference/dirac/fifth.h"
#include "reference/dirac/wilson.h"

namespace reference
{

/// Of the exact one-flavour action.
struct OneFlavour {
  bool plus;
  double shift, mq1, mq2, mq3;
};

/// Which sites of slice s belong to parity p: those of that parity, or in five dimensions those of (p + s) mod 2.
enum class Checkerboard { four, five };

class DomainWall
{
public:
  /// b, c: a number a slice. The gauge field is referred to, not copied.
  DomainWall(const GaugeField &gauge, double mass, double m5, const std::vector<Complex> &b,
             const std::vector<Complex> &c, const std::optional<OneFlavour> &one_flavour = {},
             Checkerboard checkerboard = Checkerboard::four);

  int slices() const { return static_cast<int>(kappa_b_.rows()) / 4; }
  /// D on each slice, in five dimensions D + D5.
  Slices hop(const Slices &in, bool dagger) const;
  Slices matrix(const Slices &in, bool dagger) const;
  /// In and result: those of the parity.
  Slices matrix_pc(int parity, bool symmetric, const Slices &in, bool dagger) const;

  /// What stands at a site, M5 or its inverse, in five dimensions 1.
  Slices local(const Slices &in, bool dagger, bool inverse) const;

  /// The slots of a parity, and all slots with zero on the others.
  Slices half(const Slices &all, int parity) const;
  Slices whole(const Slices &half, int parity) const;

  const FifthMatrix &M5() const { return M5_; }
  const FifthMatrix &before_hop() const { return before_; }
  const FifthMatrix &kappa_b() const { return kappa_b_; }

private:
  Slices D(const Slices &in, bool dagger) const;

  const GaugeField &gauge_;
  Wilson wilson_;
  Checkerboard checkerboard_;
  double kappa5_;
  FifthMatrix M5_, inverse_, before_, kappa_b_, D5_;
};

Slices sum(double a, const Slices &x, double b, const Slices &y);

} // namespace reference
