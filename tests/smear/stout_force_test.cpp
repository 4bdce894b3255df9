/// Forces of stout-smeared links against the plain reference: levels, directions, anisotropy, degenerate eigenvalues.

#include <gtest/gtest.h>

#include "reference/algebra.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"
#include "smear/stout_cases.h"
#include "support/host_links.h"

using namespace quda;
using namespace stout_test;

namespace
{

reference::GaugeField expected_force(const reference::GaugeField &thin, const reference::GaugeField &of_smeared,
                                     const reference::StoutStep &step, int steps,
                                     const reference::GaugeField *old = nullptr)
{
  std::vector<reference::GaugeField> levels {thin};
  for (int i = 1; i < steps; i++) levels.push_back(reference::stout(levels.back(), step));
  reference::GaugeField force = of_smeared;
  for (int i = steps; i-- > 0;) force = reference::stout_force(levels[static_cast<std::size_t>(i)], force, step);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < thin.lattice.volume(); i++) {
      force.U[mu][i] *= 0.7;
      if (old) force.U[mu][i] += old->U[mu][i];
    }
  return force;
}

} // namespace

TEST(StoutForce, AgreesWithTheReference)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 2});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField thin = reference::random_gauge(lattice, 61),
                                old = reference::random_momentum(lattice, 62),
                                of_smeared = reference::random_momentum(lattice, 63);
    for (const Case &one : cases()) {
      SCOPED_TRACE(one.name);
      const auto expected = expected_force(thin, of_smeared, one.step, 1);
      EXPECT_LT(force_test::deviation(place, native_force(place, thin, of_smeared, one, 1, {}), expected), 1e-12);
      const auto added = expected_force(thin, of_smeared, one.step, 1, &old);
      EXPECT_LT(force_test::deviation(place, native_force(place, thin, of_smeared, one, 1, {}, &old), added), 1e-12);
    }
  });
}

TEST(StoutForce, GoesBackThroughLevels)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 2, 2, 6});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField thin = reference::random_gauge(lattice, 64),
                                of_smeared = reference::random_momentum(lattice, 65),
                                rounded = reference::rounded_to_single(thin);
    for (const Case &one : cases()) {
      SCOPED_TRACE(one.name);
      const auto expected = expected_force(thin, of_smeared, one.step, 3);
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
        EXPECT_LT(force_test::deviation(
                      place, native_force(place, thin, of_smeared, one, 3, {Precision::double_, reconstruct, 1, 1}),
                      expected),
                  1e-11);
      const auto coarse = expected_force(rounded, of_smeared, one.step, 3);
      EXPECT_LT(force_test::deviation(
                    place,
                    native_force(place, rounded, of_smeared, one, 3, {Precision::single, Reconstruct::none, 1, 1}),
                    coarse),
                one.step.rho > 0.5 ? 2e-3 : 1e-4);
    }
  });
}

/// Links whose generators have two equal eigenvalues, or nearly so, or none but zero: no difference of two is divided
/// by.
TEST(StoutForce, OfDegenerateEigenvalues)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 2, 2});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField of_smeared = reference::random_momentum(lattice, 66),
                                noise = reference::random_momentum(lattice, 67),
                                angles = reference::random_momentum(lattice, 68);
    reference::Link generator = reference::Link::Zero();
    generator(0, 0) = generator(1, 1) = {0, 1};
    generator(2, 2) = {0, -2};
    for (const double away : {0.0, 1e-15, 1e-11, 1e-7, 1e-4})
      for (const double size : {0.0, 1.0}) {
        SCOPED_TRACE(testing::Message() << "away by " << away << ", size " << size);
        reference::GaugeField thin(lattice);
        for (int mu = 0; mu < 4; mu++)
          for (std::size_t i = 0; i < lattice.volume(); i++)
            thin.U[mu][i] = reference::exponential(away * noise.U[mu][i]) *
                            reference::exponential(size * angles.U[mu][i](0, 0).imag() * generator);
        const Case one = cases()[0];
        EXPECT_LT(force_test::deviation(place, native_force(place, thin, of_smeared, one, 2, {}),
                                        expected_force(thin, of_smeared, one.step, 2)),
                  1e-12);
      }
  });
}

/// The slope of a function of smeared links, from differences: sum Re tr(B U') of fixed matrices B.
TEST(StoutForce, IsTheDerivative)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 2, 6});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField thin = reference::random_gauge(lattice, 71, reference::Kind::weak),
                                along = reference::random_momentum(lattice, 72),
                                b = reference::random_gauge(lattice, 73);
    for (const Case &one : cases()) {
      SCOPED_TRACE(one.name);
      const auto smeared = [&](double t) {
        const StoutLevels levels(support::native_links(place, reference::updated(thin, along, t), {}), one.smearing, 2);
        return support::reference_links(levels.smeared());
      };
      const auto action = [&](double t) {
        const reference::GaugeField links = smeared(t);
        long double sum = 0;
        for (int mu = 0; mu < 4; mu++)
          for (std::size_t i = 0; i < lattice.volume(); i++) sum += (b.U[mu][i] * links.U[mu][i]).trace().real();
        return sum;
      };
      const double h = one.step.rho > 0.5 ? 4e-4 : 2e-3;
      const long double difference = (8 * (action(h) - action(-h)) - (action(2 * h) - action(-2 * h))) / (12 * h);
      const reference::GaugeField now = smeared(0);
      reference::GaugeField of_smeared(lattice);
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t i = 0; i < lattice.volume(); i++)
          of_smeared.U[mu][i] = reference::traceless_anti_hermitian(now.U[mu][i] * b.U[mu][i]);
      const auto force = force_test::numbers(place, native_force(place, thin, of_smeared, one, 2, {}));
      long double product = 0, size = 0;
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t i = 0; i < lattice.volume(); i++) {
          const reference::Link f = reference::from_ten(&force[mu][10 * i]) / 0.7;
          product += (f * along.U[mu][i]).trace().real();
          size += f.squaredNorm();
        }
      EXPECT_NEAR(static_cast<double>(difference - product), 0, 1e-8 * std::sqrt(static_cast<double>(size)));
    }
  });
}

TEST(StoutForce, IsGaugeCovariant)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 2, 4, 2});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField thin = reference::random_gauge(lattice, 74),
                                of_smeared = reference::random_momentum(lattice, 75);
    const reference::Rotation g = reference::random_rotation(lattice, 76);
    const auto turned = [&](const reference::GaugeField &f) {
      reference::GaugeField out = f;
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t i = 0; i < lattice.volume(); i++) out.U[mu][i] = g[i] * f.U[mu][i] * g[i].adjoint();
      return out;
    };
    for (const Case &one : cases()) {
      const auto plain = expected_force(thin, of_smeared, one.step, 2);
      EXPECT_LT(force_test::deviation(
                    place, native_force(place, reference::transformed(thin, g), turned(of_smeared), one, 2, {}),
                    turned(plain)),
                1e-11)
          << one.name;
    }
  });
}

/// Unit links move nothing but what was there.
TEST(StoutForce, OfUnitLinksIsASumOfForces)
{
  const reference::Lattice lattice({4, 4, 4, 4});
  const support::Place place(lattice, make_single_communicator());
  reference::GaugeField constant(lattice);
  const reference::Link a = reference::random_momentum(lattice, 77).U[0][0];
  for (auto &of_mu : constant.U)
    for (reference::Link &f : of_mu) f = a;
  reference::GaugeField expected = constant;
  for (auto &of_mu : expected.U)
    for (reference::Link &f : of_mu) f *= 0.7;
  for (const Case &one : cases())
    EXPECT_LT(force_test::deviation(place, native_force(place, reference::GaugeField(lattice), constant, one, 2, {}),
                                    expected),
              1e-13)
        << one.name;
}
