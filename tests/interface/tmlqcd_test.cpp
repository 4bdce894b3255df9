/// What tmLQCD's HMC asks for, against the plain reference's matrices, whole: ends of spectra against all eigenvalues,
/// forces against differences of actions.

#include "c_tmlqcd.h"
#include "session.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "core/environment_support.h"
#include "force/quark_actions.h"
#include "reference/dirac/twisted.h"

namespace
{

constexpr double kappa = 0.13, c_sw = 1.7;

using Eigen::MatrixXcd;
using Eigen::VectorXcd;

/// The matrix of what takes a field of some flavours on the sites of one parity to another.
template <class Map> MatrixXcd whole_matrix(const reference::Lattice &lattice, int flavours, const Map &map)
{
  const std::size_t half = lattice.half(), of_flavour = 12 * half;
  const auto numbers = static_cast<Eigen::Index>(of_flavour * static_cast<std::size_t>(flavours));
  MatrixXcd M(numbers, numbers);
  for (Eigen::Index column = 0; column < numbers; column++) {
    reference::Flavours psi(static_cast<std::size_t>(flavours), reference::Spinors(half, reference::Spinor::Zero()));
    const auto at = static_cast<std::size_t>(column);
    psi[at / of_flavour][at % of_flavour / 12].data()[at % 12] = 1;
    Eigen::Index row = 0;
    for (const reference::Spinors &flavour : map(psi))
      for (const reference::Spinor &site : flavour)
        for (int i = 0; i < 12; i++) M(row++, column) = site.data()[i];
  }
  return M;
}

reference::Twisted operator_of(const reference::GaugeField &links, const tmlqcd_monomial &monomial, double mu,
                               double rho = 0)
{
  return {links,
          monomial.c_sw * monomial.kappa,
          {mu, monomial.flavours == 2 ? monomial.epsilon : 0, rho, monomial.flavours}};
}

/// M_pc of odd sites.
MatrixXcd matrix_pc(const reference::GaugeField &links, const tmlqcd_monomial &monomial, double mu, double rho = 0)
{
  const reference::Twisted matrix = operator_of(links, monomial, mu, rho);
  return whole_matrix(links.lattice, monomial.flavours, [&](const reference::Flavours &psi) {
    return matrix.matrix_pc(1, false, psi, monomial.kappa, false);
  });
}

/// All eigenvalues of M_pc^dag M_pc of odd sites, ascending.
Eigen::VectorXd spectrum(const reference::GaugeField &links, const tmlqcd_monomial &monomial)
{
  const MatrixXcd M = matrix_pc(links, monomial, -monomial.mu);
  const MatrixXcd square = M.adjoint() * M;
  return Eigen::SelfAdjointEigenSolver<MatrixXcd>(square, Eigen::EigenvaluesOnly).eigenvalues();
}

/// A monomial's action for a pseudofermion that stays: phi^dag (Q_+ Q_-)^-1 phi, Q_+- = gamma5 M(+-mu) with its own
/// gamma5, |Q_+^-1 W_+ phi|^2, or the sum over a rational function's terms; and the determinant of even sites.
struct Action {
  tmlqcd_monomial monomial;
  tmlqcd_force force;
  double denominator; // rho2 of a ratio
  VectorXcd phi;

  bool doublet() const { return monomial.flavours == 2; }

  /// Solutions, in their order.
  std::vector<VectorXcd> solutions(const reference::GaugeField &links) const
  {
    const MatrixXcd M = matrix_pc(links, monomial, monomial.mu, force.rho);
    MatrixXcd square = M.adjoint() * M;
    if (!doublet()) return {square.ldlt().solve(source(links))};
    std::vector<VectorXcd> all;
    square *= force.inverse_max * force.inverse_max;
    for (int i = 0; i < force.fields; i++) {
      const double shift = force.mu[i] * force.mu[i];
      all.push_back((square + shift * MatrixXcd::Identity(square.rows(), square.cols())).ldlt().solve(phi));
    }
    return all;
  }
  VectorXcd source(const reference::GaugeField &links) const
  {
    if (doublet() || !force.detratio) return phi;
    return matrix_pc(links, monomial, monomial.mu, denominator).adjoint() * phi;
  }
  double determinant(const reference::GaugeField &links) const
  {
    const reference::Twisted matrix = operator_of(links, monomial, monomial.mu);
    const MatrixXcd A = whole_matrix(links.lattice, monomial.flavours,
                                     [&](const reference::Flavours &psi) { return matrix.local(psi, 0, false); });
    double logarithm = 0;
    const Eigen::PartialPivLU<MatrixXcd> factors(A);
    for (Eigen::Index i = 0; i < A.rows(); i++) logarithm += std::log(std::abs(factors.matrixLU()(i, i)));
    return doublet() ? logarithm : 2 * logarithm;
  }
  double operator()(const reference::GaugeField &links) const
  {
    const std::vector<VectorXcd> x = solutions(links);
    const VectorXcd b = source(links);
    double sum = force.detratio ? 0 : -determinant(links);
    for (std::size_t i = 0; i < x.size(); i++) sum += (doublet() ? force.rmu[i] : 1) * b.dot(x[i]).real();
    return sum;
  }
};

} // namespace

TEST(TmLQCD, EndsOfSpectra)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const reference::GaugeField links =
      reference::random_gauge(reference::Lattice({2, 2, 2, 2}), 43, reference::Kind::weak);
  test::HostLinks<double> host(links, reference::Part(links.lattice), QUDA_QDP_GAUGE_ORDER);
  // its own default window, in which all of the spectrum lies, and windows that fit
  const tmlqcd_monomial monomials[] = {
      {{2, 2, 2, 2}, 2, kappa, 0, 0.1, 0.08, 1e-5, 128, 96, 0.001, 4},
      {{2, 2, 2, 2}, 2, kappa, c_sw, 0.1, 0.08, 1e-10, 20, 96, 0.2, 6},
      {{2, 2, 2, 2}, 1, kappa, 0, 0.1, 0, 1e-10, 0, 48, 0, 0},
      {{2, 2, 2, 2}, 1, kappa, 0, 0, 0, 1e-10, 20, 48, 0.2, 6},
      {{2, 2, 2, 2}, 1, kappa, c_sw, 0.1, 0, 1e-10, 20, 48, 0.2, 6},
      {{2, 2, 2, 2}, 1, kappa, c_sw, 0, 0, 1e-10, 20, 48, 0.2, 6},
  };
  for (const tmlqcd_monomial &monomial : monomials) {
    SCOPED_TRACE(testing::Message() << monomial.flavours << " flavours, c_sw " << monomial.c_sw << ", mu "
                                    << monomial.mu);
    const test::Handler handler;
    double *pointers[4] = {host.direction(0), host.direction(1), host.direction(2), host.direction(3)};
    double ends[2] = {NAN, NAN};
    c_tmlqcd_spectrum(&monomial, pointers, ends);
    const Eigen::VectorXd all = spectrum(links, monomial);
    // the error of a value is of the second order in its residual, where no other is as near as that
    EXPECT_NEAR(ends[0], all[0], 1e-8);
    EXPECT_NEAR(ends[1], all[all.size() - 1], 1e-8);
  }
}

/// For its derivatives it takes what is -2 times the force of the action; phi of a ratio is that of gamma5 M, with its
/// own gamma5.
TEST(TmLQCD, Forces)
{
  const Variable untuned("QUDA_ENABLE_TUNING", "0");
  const reference::GaugeField links =
      reference::random_gauge(reference::Lattice({2, 2, 2, 2}), 44, reference::Kind::weak);
  test::HostLinks<double> host(links, reference::Part(links.lattice), QUDA_QDP_GAUGE_ORDER);
  constexpr double heavier = 0.11; // differences of actions are as good as the smallest eigenvalue
  const tmlqcd_monomial clover {{2, 2, 2, 2}, 1, heavier, c_sw, 0, 0, 0, 0, 0, 0, 0},
      light {{2, 2, 2, 2}, 1, heavier, c_sw, 0.1, 0, 0, 0, 0, 0, 0},
      other {{2, 2, 2, 2}, 1, heavier, c_sw, -0.1, 0, 0, 0, 0, 0, 0},
      heavy {{2, 2, 2, 2}, 2, heavier, c_sw, 0.1, 0.08, 0, 0, 0, 0, 0};
  const double mu[] = {0.1, 0.3}, rmu[] = {0.4, 0.7};
  const Action actions[] = {
      {clover, {0, 1, nullptr, nullptr, 0, 0}, 0, {}},
      {clover, {0.2, 1, nullptr, nullptr, 0, 0}, 0, {}},
      {light, {0.2, 1, nullptr, nullptr, 0, 0}, 0, {}},
      {other, {-0.2, 1, nullptr, nullptr, 0, 0}, 0, {}},
      {light, {0, 1, nullptr, nullptr, 0, 1}, 0.2, {}},
      {light, {0.1, 1, nullptr, nullptr, 0, 1}, 0.3, {}},
      {other, {0.1, 1, nullptr, nullptr, 0, 1}, 0.3, {}},
      {heavy, {0, 2, mu, rmu, 0.6, 0}, 0, {}},
      {heavy, {0, 2, mu, rmu, 0.6, 1}, 0, {}},
  };
  for (Action action : actions) {
    SCOPED_TRACE(testing::Message() << action.monomial.flavours << " flavours, mu " << action.monomial.mu << ", rho "
                                    << action.force.rho << ", detratio " << action.force.detratio);
    const test::Handler handler;
    const auto half = static_cast<Eigen::Index>(12 * links.lattice.half());
    action.phi.resize(half * action.monomial.flavours);
    for (int flavour = 0; flavour < action.monomial.flavours; flavour++) {
      const auto numbers =
          reference::to_host<double>(reference::random_spinors(links.lattice, 45 + static_cast<std::uint64_t>(flavour)),
                                     links.lattice, reference::Part(links.lattice), 1);
      for (Eigen::Index i = 0; i < half; i++)
        action.phi[half * flavour + i] = {numbers[2 * static_cast<std::size_t>(i)],
                                          numbers[2 * static_cast<std::size_t>(i) + 1]};
    }
    std::vector<VectorXcd> x = action.solutions(links);
    std::vector<void *> given;
    for (VectorXcd &one : x) given.push_back(one.data());
    VectorXcd its_phi = -action.phi; // times gamma5 = diag(1, 1, -1, -1)
    for (Eigen::Index i = 0; i < its_phi.size(); i++)
      if (i % 12 >= 6) its_phi[i] = -its_phi[i];
    force_test::HostMomenta<double> derivative(reference::GaugeField(links.lattice), reference::Part(links.lattice),
                                               QUDA_QDP_GAUGE_ORDER);
    derivative.fill(7);
    double *pointers[4] = {host.direction(0), host.direction(1), host.direction(2), host.direction(3)};
    c_tmlqcd_force(&action.monomial, &action.force, pointers, given.data(), action.doublet() ? nullptr : its_phi.data(),
                   static_cast<void **>(derivative.pointer()));
    force_test::expect_derivative(derivative, links, action, -2);
  }
}
