#pragma once
/// Chebyshev polynomials of a Hermitian operator that are small on the unwanted part of its spectrum,
///   p(t) = T_n(x(t)) / T_n(x_0),  x(t) = (c - t) / h, c = (least + most) / 2, h = (most - least) / 2:
/// |T_n(x)| is 1 or less for least <= t <= most, and below it grows as cosh(n arccosh x). If eigenvalues above the
/// window are wanted, x(t) = (t - c) / h. x_0 = c / h if 0 is outside on the wanted side: p(0) = 1; else T_n(x_0) is 1.
///   y_{k+1} = 2 s_{k+1} x(A) y_k - s_{k+1} s_k y_{k-1},  s_1 = 1 / x_0, s_{k+1} = 1 / (2 x_0 - s_k)
/// Each step is one application of A, with the linear algebra in its epilogue.

#include "dirac/linear_operator.h"

namespace quda
{

struct SpectralWindow {
  double least = 0, most = 0; // ends of the suppressed interval
  bool above = false;         // whether the eigenvalues above it are wanted, not those below
};

class Chebyshev final : public LinearOperator
{
public:
  /// A must outlive this. Errors: bad_argument unless degree is 1 or more and least < most.
  Chebyshev(const LinearOperator &A, int degree, const SpectralWindow &window);
  ColorSpinorParam shape(int rhs) const override { return A_.shape(rhs); }
  Symmetry symmetry() const override { return Symmetry::hermitian; }
  double flops(int rhs) const override { return degree_ * A_.flops(rhs); }
  double bytes(int rhs) const override { return degree_ * A_.bytes(rhs); }

  /// p(t).
  double at(double t) const;

protected:
  void plain(ColorSpinorField &out, const ColorSpinorField &in, bool dagger) const override;

private:
  struct Step {
    double product, same, before; // coefficients of A y_k, y_k, y_{k-1}
  };
  std::vector<Step> steps() const;

  const LinearOperator &A_;
  const int degree_;
  const SpectralWindow window_;
};

} // namespace quda
