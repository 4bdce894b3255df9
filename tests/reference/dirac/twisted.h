/// Twisted-mass fermions, of one flavour or two, with a clover term or without, from dense matrices at each site:
///   A = T + i mu gamma5 tau3 - epsilon tau1, of one flavour T + i mu gamma5,   M = A - kappa D,
/// T = 1 - c sum_{mu > nu} gamma_mu gamma_nu F_{mu nu}; the adjoint is that of the matrices. DeGrand-Rossi basis. mu
/// and epsilon are 2 kappa times what hosts give.
#pragma once

#include <vector>

#include "reference/dirac/wilson.h"

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
  Twisted(const GaugeField &gauge, double c, const Twist &twist);

  Flavours hop_to(int parity, const Flavours &in, bool dagger) const;
  enum class Form { plain, shifted, inverse };
  /// parity: -1 for both.
  Flavours local(const Flavours &in, int parity, bool dagger, Form form = Form::plain) const;

  Flavours matrix(const Flavours &in, double kappa, bool dagger) const;

  /// As CloverWilson has it.
  Flavours matrix_pc(int parity, bool symmetric, const Flavours &in, double kappa, bool dagger) const;

private:
  using Matrix = Eigen::MatrixXcd;

  Wilson wilson_;
  int flavours_;
  std::vector<Matrix> A_, inverse_, shifted_;
};

} // namespace reference
