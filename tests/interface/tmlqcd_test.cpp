/// The ends of spectra that tmLQCD asks for, against all eigenvalues of the plain reference's matrix.

#include "c_tmlqcd.h"
#include "session.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "core/environment_support.h"
#include "reference/dirac/twisted.h"

namespace
{

constexpr double kappa = 0.13, c_sw = 1.7;

/// All eigenvalues of M_pc^dag M_pc of odd sites, ascending.
Eigen::VectorXd spectrum(const reference::GaugeField &links, const tmlqcd_monomial &monomial)
{
  const bool two = monomial.flavours == 2;
  const reference::Twisted matrix(links, monomial.c_sw * monomial.kappa,
                                  {-monomial.mu, two ? monomial.epsilon : 0, 0, monomial.flavours});
  const std::size_t half = links.lattice.half(), of_flavour = 12 * half;
  const auto numbers = static_cast<Eigen::Index>(of_flavour * static_cast<std::size_t>(monomial.flavours));
  Eigen::MatrixXcd M(numbers, numbers);
  for (Eigen::Index column = 0; column < numbers; column++) {
    reference::Flavours psi(static_cast<std::size_t>(monomial.flavours),
                            reference::Spinors(half, reference::Spinor::Zero()));
    const auto at = static_cast<std::size_t>(column);
    psi[at / of_flavour][at % of_flavour / 12].data()[at % 12] = 1;
    Eigen::Index row = 0;
    for (const reference::Spinors &flavour : matrix.matrix_pc(1, false, psi, monomial.kappa, false))
      for (const reference::Spinor &site : flavour)
        for (int i = 0; i < 12; i++) M(row++, column) = site.data()[i];
  }
  const Eigen::MatrixXcd square = M.adjoint() * M;
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(square, Eigen::EigenvaluesOnly).eigenvalues();
}

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
    EXPECT_EQ(handler.calls(), 0) << handler.text();
    const Eigen::VectorXd all = spectrum(links, monomial);
    // the error of a value is of the second order in its residual, where no other is as near as that
    EXPECT_NEAR(ends[0], all[0], 1e-8);
    EXPECT_NEAR(ends[1], all[all.size() - 1], 1e-8);
  }
}
