/// Correlators of mesons from matrices between the states of a time slice, whatever these are: vectors of distillation,
/// or all sites and colours. Rows and columns are (spin, state).
#pragma once

#include <array>
#include <complex>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "reference/dirac/gamma.h"

namespace program
{

using Matrix = Eigen::MatrixXcd;

/// What is between the states of a slice: no displacement and the derivative along z, of momentum zero and of one
/// unit along z.
struct SliceMatrices {
  Matrix one, wave, derivative;
};

inline Matrix with_spin(const reference::SpinMatrix &gamma, const Matrix &states)
{
  const Eigen::Index n = states.rows();
  Matrix all = Matrix::Zero(4 * n, 4 * n);
  for (Eigen::Index s = 0; s < 4; s++)
    for (Eigen::Index r = 0; r < 4; r++)
      if (gamma(s, r) != 0.0) all.block(s * n, r * n, n, n) = gamma(s, r) * states;
  return all;
}

inline const std::array<std::string, 5> channels = {"pion", "pion, p = 2 pi / L_z", "rho, gamma_z", "rho, nabla_z",
                                                    "two pions, I = 2"};

/// Tr[F S G S'] of each channel, S = M^-1 from the source's slice to the sink's, S' = gamma5 S^dag gamma5 back, F and G
/// gamma5, gamma5 exp(-i p x), gamma_z, nabla_z; of the last one Tr[..]^2 - Tr[.. ..] of the pion. Signs of closed loops
/// are left out.
inline std::array<std::complex<double>, channels.size()>
correlators(const Matrix &propagator, const SliceMatrices &sink, const SliceMatrices &source)
{
  constexpr auto basis = reference::Basis::degrand_rossi;
  const reference::SpinMatrix g5 = reference::gamma5(basis), gz = reference::gamma(basis, 2),
                              unit = reference::SpinMatrix::Identity();
  const Eigen::Index n = sink.one.rows();
  const Matrix turn = with_spin(g5, Matrix::Identity(n, n)), back = turn * propagator.adjoint() * turn;
  const auto product = [&](const reference::SpinMatrix &gamma, const Matrix &at_sink,
                           const Matrix &at_source) -> Matrix {
    return with_spin(gamma, at_sink) * propagator * with_spin(gamma, at_source) * back;
  };
  const Matrix pion = product(g5, sink.one, source.one);
  const std::complex<double> once = pion.trace();
  return {once, product(g5, sink.wave, source.wave.adjoint()).trace(), product(gz, sink.one, source.one).trace(),
          product(unit, sink.derivative, source.derivative).trace(), once * once - (pion * pion).trace()};
}

} // namespace program
