#include "reference/dirac/twisted.h"

#include <Eigen/LU>

#include "reference/dirac/clover.h"

namespace reference
{

namespace
{

  Eigen::MatrixXcd of_site(const SiteMatrix &t, const Twisted::Twist &twist, double rho)
  {
    const int n = twist.flavours;
    Eigen::MatrixXcd A = Eigen::MatrixXcd::Zero(12 * n, 12 * n);
    const SpinMatrix g5 = gamma5(Basis::degrand_rossi);
    for (int f = 0; f < n; f++) {
      A.block<12, 12>(12 * f, 12 * f) = t;
      for (int s = 0; s < 4; s++)
        for (int r = 0; r < 4; r++)
          A.block<3, 3>(12 * f + 3 * s, 12 * f + 3 * r) +=
              Complex(0, f == 0 ? 1 : -1) * (twist.mu + rho) * g5(s, r) * Eigen::Matrix3cd::Identity();
      if (n == 2) A.block<12, 12>(12 * f, 12 * (1 - f)) = -twist.epsilon * Eigen::MatrixXcd::Identity(12, 12);
    }
    return A;
  }

} // namespace

Twisted::Twisted(const GaugeField &gauge, double c, const Twist &twist)
    : wilson_(gauge)
    , flavours_(twist.flavours)
{
  const SiteMatrices T = clover_term(gauge, c);
  for (const SiteMatrix &t : T) {
    A_.push_back(of_site(t, twist, 0));
    inverse_.push_back(A_.back().inverse());
    shifted_.push_back(of_site(t, twist, twist.rho));
  }
}

Flavours Twisted::hop_to(int parity, const Flavours &in, bool dagger) const
{
  Flavours out;
  for (const Spinors &psi : in) out.push_back(wilson_.hop_to(parity, psi, dagger));
  return out;
}

Flavours Twisted::local(const Flavours &in, int parity, bool dagger, Form form) const
{
  const std::vector<Matrix> &of = form == Form::plain ? A_ : form == Form::shifted ? shifted_ : inverse_;
  Flavours out = in;
  const std::size_t first = parity == 1 ? in[0].size() : 0;
  for (std::size_t i = 0; i < in[0].size(); i++) {
    Eigen::VectorXcd v(12 * flavours_);
    for (int f = 0; f < flavours_; f++)
      v.segment<12>(12 * f) = Eigen::Map<const Eigen::Matrix<Complex, 12, 1>>(in[f][i].data());
    Eigen::VectorXcd w = of[first + i] * v;
    if (dagger) w = of[first + i].adjoint() * v;
    for (int f = 0; f < flavours_; f++)
      Eigen::Map<Eigen::Matrix<Complex, 12, 1>>(out[f][i].data()) = w.segment<12>(12 * f);
  }
  return out;
}

Flavours Twisted::matrix(const Flavours &in, double kappa, bool dagger) const
{
  Flavours out = local(in, -1, dagger);
  for (int f = 0; f < flavours_; f++) {
    const Spinors hop = wilson_.hop(in[f], dagger);
    for (std::size_t i = 0; i < hop.size(); i++) out[f][i] -= kappa * hop[i];
  }
  return out;
}

Flavours Twisted::matrix_pc(int parity, bool symmetric, const Flavours &in, double kappa, bool dagger) const
{
  Flavours hop = symmetric && dagger ? local(in, parity, dagger, Form::inverse) : in;
  hop = local(hop_to(1 - parity, hop, dagger), 1 - parity, dagger, Form::inverse);
  hop = hop_to(parity, hop, dagger);
  if (symmetric && !dagger) hop = local(hop, parity, dagger, Form::inverse);
  Flavours out = symmetric ? in : local(in, parity, dagger, Form::shifted);
  for (int f = 0; f < flavours_; f++)
    for (std::size_t i = 0; i < in[f].size(); i++) out[f][i] -= kappa * kappa * hop[f][i];
  return out;
}

} // namespace reference
