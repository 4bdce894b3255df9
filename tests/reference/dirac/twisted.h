/// Twisted-mass fermions, of one flavour or two, with a clover term or without, from dense matrices at each site:
///   A = T + i mu gamma5 tau3 - epsilon tau1, of one flavour T + i mu gamma5,   M = A - kappa D,
/// T = 1 - c sum_{mu > nu} gamma_mu gamma_nu F_{mu nu}; the adjoint is that of the matrices. DeGrand-Rossi basis. mu
/// and epsilon are 2 kappa times what hosts give.
#pragma once

#include "reference/dirac/clover.h"

namespace reference
{

/// One field a flavour, on all slots or on those of one parity.
using Flavours = std::vector<Spinors>;

class Twisted
{
public:
  struct Twist {
    double mu, epsilon, rho; // rho: added to mu in asymmetric even-odd forms, where A stands by itself
    int flavours;
  };

  /// The gauge field is referred to, not copied.
  Twisted(const GaugeField &gauge, double c, const Twist &twist)
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

  Flavours hop_to(int parity, const Flavours &in, bool dagger) const
  {
    Flavours out;
    for (const Spinors &psi : in) out.push_back(wilson_.hop_to(parity, psi, dagger));
    return out;
  }
  enum class Form { plain, shifted, inverse };
  /// parity: -1 for both.
  Flavours local(const Flavours &in, int parity, bool dagger, Form form = Form::plain) const
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

  Flavours matrix(const Flavours &in, double kappa, bool dagger) const
  {
    Flavours out = local(in, -1, dagger);
    for (int f = 0; f < flavours_; f++) {
      const Spinors hop = wilson_.hop(in[f], dagger);
      for (std::size_t i = 0; i < hop.size(); i++) out[f][i] -= kappa * hop[i];
    }
    return out;
  }

  /// As CloverWilson has it.
  Flavours matrix_pc(int parity, bool symmetric, const Flavours &in, double kappa, bool dagger) const
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

private:
  using Matrix = Eigen::MatrixXcd;

  static Matrix of_site(const SiteMatrix &t, const Twist &twist, double rho)
  {
    const int n = twist.flavours;
    Matrix A = Matrix::Zero(12 * n, 12 * n);
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

  Wilson wilson_;
  int flavours_;
  std::vector<Matrix> A_, inverse_, shifted_;
};

} // namespace reference
