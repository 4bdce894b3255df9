/// The exact one-flavour action from dense matrices on a lattice of sixteen sites: its determinants, and inverses of it
/// with a pole.

#include "reference/dirac/one_flavour.h"
#include "reference/dirac/domain_wall.h"
#include "reference/random.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace
{

using namespace reference;
using Dense = Eigen::MatrixXcd;

constexpr int Ls = 2;
constexpr double m5 = -1.5, b = 1.4, c = 0.4, m_1 = 0.1, m_2 = 0.9;

/// The operator as a matrix, row ((s, slot), spin, color), and what stands around its inverse.
struct Matrices {
  std::size_t volume;
  DomainWall of;
  Eigen::PartialPivLU<Dense> lu;

  Matrices(const GaugeField &links, double mass, const std::optional<OneFlavour> &term = {})
      : volume(links.lattice.volume())
      , of(links, mass, m5, std::vector<Complex>(Ls, b), std::vector<Complex>(Ls, c), term)
  {
    const auto size = static_cast<Eigen::Index>(12 * Ls * volume);
    Dense M(size, size);
    for (Eigen::Index k = 0; k < size; k++) {
      Eigen::VectorXcd unit = Eigen::VectorXcd::Zero(size);
      unit[k] = 1;
      M.col(k) = vector(of.matrix(slices(unit), false));
    }
    lu.compute(M);
  }

  Slices slices(const Eigen::VectorXcd &v) const
  {
    Slices psi(Ls, Spinors(volume));
    for (std::size_t s = 0; s < Ls; s++)
      for (std::size_t slot = 0; slot < volume; slot++)
        psi[s][slot] = Eigen::Map<const Spinor>(v.data() + 12 * (s * volume + slot));
    return psi;
  }
  Eigen::VectorXcd vector(const Slices &psi) const
  {
    Eigen::VectorXcd v(12 * Ls * volume);
    for (std::size_t s = 0; s < Ls; s++)
      for (std::size_t slot = 0; slot < volume; slot++)
        Eigen::Map<Spinor>(v.data() + 12 * (s * volume + slot)) = psi[s][slot];
    return v;
  }

  static double log_of(const Eigen::PartialPivLU<Dense> &lu)
  {
    return lu.matrixLU().diagonal().array().abs().log().sum();
  }
  /// ln |det D|, D = M (b + c T)^-1 / (2 kappa_b), but for a constant.
  double log_determinant() const
  {
    return log_of(lu) - 3 * static_cast<double>(volume) * log_of(Eigen::PartialPivLU<Dense>(of.before_hop()));
  }

  /// w^T H^-1 w, or v^T H^-1 v, on the spinors of a chirality.
  Dense between(const OneFlavourAction &action, bool plus) const
  {
    const auto size = static_cast<Eigen::Index>(6 * volume);
    Dense all(size, size);
    const Eigen::Index first = plus ? 0 : 2;
    const auto number = [&](std::size_t slot, Eigen::Index spin, Eigen::Index color) {
      return static_cast<Eigen::Index>(6 * slot) + 3 * (spin - first) + color;
    };
    for (std::size_t slot = 0; slot < volume; slot++)
      for (Eigen::Index spin = first; spin < first + 2; spin++)
        for (Eigen::Index color = 0; color < 3; color++) {
          Slices source(Ls, Spinors(volume, Spinor::Zero()));
          for (int s = 0; s < Ls; s++) // gamma5 R5
            source[s][slot](spin, color) = (plus ? 1 : -1) * action.of_slice(plus, Ls - 1 - s);
          const Slices chi = times(of.before_hop(), slices(lu.solve(vector(source))));
          for (std::size_t to = 0; to < volume; to++)
            for (Eigen::Index i = first; i < first + 2; i++)
              for (Eigen::Index j = 0; j < 3; j++) {
                Complex sum = 0;
                for (int s = 0; s < Ls; s++) sum += action.of_slice(plus, s) * chi[s][to](i, j);
                all(number(to, i, j), number(slot, spin, color)) = sum / (b * (4 + m5) + 1);
              }
        }
    return all;
  }
};

} // namespace

TEST(OneFlavourAction, IsTheRatioOfDeterminants)
{
  const Lattice lattice({2, 2, 2, 2});
  const GaugeField links = random_gauge(lattice, 61, Kind::su3);
  const OneFlavourAction action(Ls, b, c, m_1, m_2);
  const Matrices light(links, m_1), heavy(links, m_2);
  double log_of_action = 0;
  for (const bool plus : {false, true}) {
    const double mass = action.mass(plus);
    const auto with_shift = [&](double shift) {
      return Matrices(links, mass, OneFlavour {plus, shift, mass, m_1, m_2});
    };
    const double k = (plus ? 1 : -1) * action.weight();
    const Dense inside = with_shift(action.shift(plus)).between(action, plus);
    const Dense one = Dense::Identity(inside.rows(), inside.cols()), A = one + k * inside;
    EXPECT_LT((A - A.adjoint()).norm(), 1e-11 * A.norm());
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Dense>(A).eigenvalues();
    EXPECT_GT(values.minCoeff(), 0);
    log_of_action += values.array().log().sum();

    const double p = 0.7;
    const Dense inverse =
        (one - k / (1 + p) * with_shift(action.shift_of_inverse(plus, p)).between(action, plus)) / (1 + p);
    EXPECT_LT(((A + p * one) * inverse - one).norm(), 1e-10 * one.norm());
  }
  EXPECT_NEAR(light.log_determinant() - heavy.log_determinant(), -log_of_action, 1e-9);
}
