#include "reference/dirac/domain_wall.h"

#include <cmath>

#include <Eigen/LU>

namespace reference
{

namespace
{

  FifthMatrix diagonal(const std::vector<Complex> &numbers)
  {
    FifthMatrix M = FifthMatrix::Zero(4 * numbers.size(), 4 * numbers.size());
    for (std::size_t s = 0; s < numbers.size(); s++) M.block<4, 4>(4 * s, 4 * s) = numbers[s] * SpinMatrix::Identity();
    return M;
  }

  FifthMatrix of_one_flavour(const OneFlavour &of, int Ls, double b, double c, double m5)
  {
    const double alpha = b + c, up = alpha + 1, down = alpha - 1;
    const auto A = [&](double m) { return std::pow(up, Ls) + m * std::pow(down, Ls); };
    const double norm = alpha * (of.mq3 - of.mq2) * std::pow(up, 2 * Ls) / (A(of.mq2) * A(of.mq3));
    const double N = (of.plus ? 1 : -1) * 2 * of.shift * norm * A(of.mq1) / (b * (4 + m5) + 1);
    const SpinMatrix one = SpinMatrix::Identity(), g5 = gamma5(Basis::degrand_rossi);
    FifthMatrix U = FifthMatrix::Zero(4 * Ls, 4 * Ls);
    for (int s = 0; s < Ls; s++) {
      const double u = N * std::pow(-1.0, s) * std::pow(down, s) / std::pow(up, Ls + s + 1);
      if (of.plus)
        U.block<4, 4>(4 * s, 4 * (Ls - 1)) = u * (one + g5) / 2;
      else
        U.block<4, 4>(4 * (Ls - 1 - s), 0) = u * (one - g5) / 2;
    }
    return U;
  }

  FifthMatrix adjoint_if(bool dagger, const FifthMatrix &M) { return dagger ? FifthMatrix(M.adjoint()) : M; }

} // namespace

Slices sum(double a, const Slices &x, double b, const Slices &y)
{
  Slices z = x;
  for (std::size_t s = 0; s < z.size(); s++)
    for (std::size_t i = 0; i < z[s].size(); i++) z[s][i] = a * x[s][i] + b * y[s][i];
  return z;
}

DomainWall::DomainWall(const GaugeField &gauge, double mass, double m5, const std::vector<Complex> &b,
                       const std::vector<Complex> &c, const std::optional<OneFlavour> &one_flavour,
                       Checkerboard checkerboard)
    : gauge_(gauge)
    , wilson_(gauge)
    , checkerboard_(checkerboard)
    , kappa5_(0.5 / (5 + m5))
{
  const int Ls = static_cast<int>(b.size());
  const FifthMatrix one = FifthMatrix::Identity(4 * Ls, 4 * Ls), h5 = fifth_matrix(Ls, 0, 1, mass, false);
  std::vector<Complex> kappa_b, ratio;
  for (int s = 0; s < Ls; s++) {
    kappa_b.push_back(0.5 / (b[s] * (4 + m5) + 1.0));
    ratio.push_back(kappa_b[s] / (0.5 / (c[s] * (4 + m5) - 1.0)));
  }
  kappa_b_ = diagonal(kappa_b);
  before_ = diagonal(b) + diagonal(c) * h5;
  M5_ = one + diagonal(ratio) * h5;
  if (one_flavour) M5_ += of_one_flavour(*one_flavour, Ls, b[0].real(), c[0].real(), m5);
  inverse_ = M5_.inverse();
  D5_ = 2 * h5;
}

Slices DomainWall::D(const Slices &in, bool dagger) const
{
  Slices out;
  for (const Spinors &psi : in) out.push_back(wilson_.hop(psi, dagger));
  return out;
}

Slices DomainWall::hop(const Slices &in, bool dagger) const
{
  if (checkerboard_ == Checkerboard::four) return D(in, dagger);
  return sum(1, D(in, dagger), 1, times(adjoint_if(dagger, D5_), in));
}

Slices DomainWall::matrix(const Slices &in, bool dagger) const
{
  const Slices hop = dagger ? times(before_.adjoint(), D(times(kappa_b_.adjoint(), in), true))
                            : times(kappa_b_, D(times(before_, in), false));
  return sum(1, times(adjoint_if(dagger, M5_), in), -1, hop);
}

Slices DomainWall::matrix_pc(int parity, bool symmetric, const Slices &in, bool dagger) const
{
  const Slices psi = whole(in, parity);
  if (checkerboard_ == Checkerboard::five)
    return half(sum(1, psi, -kappa5_ * kappa5_, hop(hop(psi, dagger), dagger)), parity);
  const auto O = [&](const Slices &x) {
    return dagger ? times(before_.adjoint(), D(times(kappa_b_.adjoint(), x), true))
                  : times(kappa_b_, D(times(before_, x), false));
  };
  const auto R = [&](const Slices &x) { return times(adjoint_if(dagger, inverse_), x); };
  if (!symmetric) return half(sum(1, times(adjoint_if(dagger, M5_), psi), -1, O(R(O(psi)))), parity);
  return half(sum(1, psi, -1, dagger ? O(R(O(R(psi)))) : R(O(R(O(psi))))), parity);
}

Slices DomainWall::local(const Slices &in, bool dagger, bool inverse) const
{
  if (checkerboard_ == Checkerboard::five) return in;
  return times(adjoint_if(dagger, inverse ? inverse_ : M5_), in);
}

Slices DomainWall::half(const Slices &all, int parity) const
{
  Slices some;
  for (std::size_t s = 0; s < all.size(); s++)
    some.push_back(half_of(all[s], checkerboard_ == Checkerboard::four ? parity : (parity + s) % 2));
  return some;
}

Slices DomainWall::whole(const Slices &half, int parity) const
{
  Slices all(half.size(), Spinors(gauge_.lattice.volume(), Spinor::Zero()));
  for (std::size_t s = 0; s < all.size(); s++)
    set_half(all[s], checkerboard_ == Checkerboard::four ? parity : (parity + s) % 2, half[s]);
  return all;
}

} // namespace reference
