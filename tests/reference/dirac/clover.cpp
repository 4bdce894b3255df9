#include "reference/dirac/clover.h"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "reference/gauge/field_strength.h"

namespace reference
{

SiteMatrix clover_term_at(const GaugeField &gauge, const Coords &x, double c, Basis basis)
{
  SiteMatrix A = SiteMatrix::Identity();
  for (int mu = 0; mu < 4; mu++)
    for (int nu = 0; nu < mu; nu++) {
      const SpinMatrix g = gamma(basis, mu) * gamma(basis, nu);
      const Link F = field_strength(gauge, x, mu, nu);
      for (int s = 0; s < 4; s++)
        for (int t = 0; t < 4; t++) A.block<3, 3>(3 * s, 3 * t) -= c * g(s, t) * F;
    }
  return A;
}

SiteMatrices clover_term(const GaugeField &gauge, double c, Basis basis)
{
  const Lattice &lattice = gauge.lattice;
  SiteMatrices A(lattice.volume());
#pragma omp parallel for
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    A[slot] = clover_term_at(gauge, lattice.coords(slot), c, basis);
  return A;
}

SiteMatrices inverse(const SiteMatrices &A)
{
  SiteMatrices inverse(A.size());
  for (std::size_t slot = 0; slot < A.size(); slot++) inverse[slot] = A[slot].inverse();
  return inverse;
}

double log_determinant(const SiteMatrices &A, int parity)
{
  double sum = 0;
  for (std::size_t i = 0; i < A.size() / 2; i++) sum += std::log(A[parity * A.size() / 2 + i].determinant().real());
  return sum;
}

long long blocks_not_positive(const SiteMatrices &A)
{
  long long count = 0;
  for (const SiteMatrix &a : A)
    for (int block = 0; block < 12; block += 6) {
      const Eigen::Matrix<Complex, 6, 6> b = a.block<6, 6>(block, block);
      count += Eigen::SelfAdjointEigenSolver<Eigen::Matrix<Complex, 6, 6>>(b).eigenvalues()(0) <= 0;
    }
  return count;
}

Spinor times(const SiteMatrix &A, const Spinor &psi)
{
  Spinor out;
  Eigen::Map<Eigen::Matrix<Complex, 12, 1>>(out.data()) =
      A * Eigen::Map<const Eigen::Matrix<Complex, 12, 1>>(psi.data());
  return out;
}

Spinors times(const SiteMatrices &A, const Spinors &psi, int parity)
{
  Spinors out(psi.size());
  const std::size_t first = parity == 1 ? psi.size() : 0;
  for (std::size_t i = 0; i < psi.size(); i++) out[i] = times(A[first + i], psi[i]);
  return out;
}

template <class real> std::vector<real> to_packed(const SiteMatrices &A, const Lattice &lattice, const Part &part)
{
  std::vector<real> out;
  for (std::size_t slot = 0; slot < part.local.volume(); slot++) {
    const SiteMatrix &a = A[lattice.slot(part.global_coords(slot))];
    for (int block = 0; block < 12; block += 6) {
      for (int i = 0; i < 6; i++) out.push_back(static_cast<real>(a(block + i, block + i).real()));
      for (int j = 0; j < 6; j++)
        for (int i = j + 1; i < 6; i++) {
          out.push_back(static_cast<real>(a(block + i, block + j).real()));
          out.push_back(static_cast<real>(a(block + i, block + j).imag()));
        }
    }
  }
  return out;
}

CloverWilson::CloverWilson(const GaugeField &gauge, double c, double shift, Basis basis)
    : wilson(gauge, basis)
    , A(clover_term(gauge, c, basis))
    , A_inverse(inverse(A))
    , shifted_(A)
{
  for (SiteMatrix &a : shifted_) a += shift * SiteMatrix::Identity();
}

Spinors CloverWilson::hop_to(int parity, const Spinors &in, bool dagger) const
{
  return times(A_inverse, wilson.hop_to(parity, in, dagger), parity);
}

Spinors CloverWilson::matrix(const Spinors &in, double kappa, bool dagger) const
{
  const Spinors hop = wilson.hop(in, dagger);
  Spinors out = times(shifted_, in);
  for (std::size_t i = 0; i < in.size(); i++) out[i] -= kappa * hop[i];
  return out;
}

Spinors CloverWilson::matrix_pc(int parity, bool symmetric, const Spinors &in, double kappa, bool dagger) const
{
  Spinors hop = symmetric && dagger ? times(A_inverse, in, parity) : in;
  hop = wilson.hop_to(parity, hop_to(1 - parity, hop, dagger), dagger);
  if (symmetric && !dagger) hop = times(A_inverse, hop, parity);
  Spinors out = symmetric ? in : times(shifted_, in, parity);
  for (std::size_t i = 0; i < in.size(); i++) out[i] -= kappa * kappa * hop[i];
  return out;
}

template std::vector<float> to_packed(const SiteMatrices &A, const Lattice &lattice, const Part &part);
template std::vector<double> to_packed(const SiteMatrices &A, const Lattice &lattice, const Part &part);

} // namespace reference
