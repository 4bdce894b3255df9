#pragma once
/// Tests of dynamics that one process and several run alike: the force is minus the derivative of the action, and
/// molecular dynamics goes back the way it came.

#include "force/force_calls.h"

#include <cmath>

#include <gtest/gtest.h>

namespace force_test
{

/// Links exp(t P) U become resident.
inline void move_links(test::HostLinks<double> &links, HostMomenta<double> &direction, const reference::Part &part,
                       double t)
{
  QudaGaugeParam param = test::gauge_param(part.local.X);
  param.make_resident_gauge = 1;
  param.return_result_gauge = 0;
  updateGaugeFieldQuda(links.pointer(), direction.pointer(), t, 0, 1, &param);
}

/// d/dt of the sum of traces along P against P times the force. sum: over all ranks.
template <class Sum> void check_derivative(const reference::Lattice &global, const reference::Part &part,
                                           const reference::Loop &loop, const Sum &sum)
{
  SCOPED_TRACE(testing::Message() << "loop of " << loop.size() << " links, global lattice " << global.X[0] << " "
                                  << global.X[1] << " " << global.X[2] << " " << global.X[3]);
  const auto loops = reference::images(loop);
  const double h = 1e-3;
  test::HostLinks<double> links(reference::random_gauge(global, 21, reference::Kind::weak), part, QUDA_QDP_GAUGE_ORDER);
  HostMomenta<double> direction(reference::random_momentum(global, 22), part, QUDA_QDP_GAUGE_ORDER), force = direction;
  double S[5];
  for (int k = -2; k <= 2; k++) {
    move_links(links, direction, part, k * h);
    S[k + 2] = sum_of_traces(loops, 1);
  }
  const double difference = (S[0] - 8 * S[1] + 8 * S[3] - S[4]) / (12 * h);

  CPaths paths(reference::force_paths(loops, 1));
  QudaGaugeParam param = test::gauge_param(part.local.X);
  param.overwrite_mom = 1;
  HostMomenta<double> answer(reference::GaugeField(global), part, QUDA_QDP_GAUGE_ORDER);
  computeGaugeForceQuda(answer.pointer(), links.pointer(), paths.steps(), paths.length(), paths.coefficient(),
                        paths.n(), paths.longest(), 1, &param);
  double along = 0, size = 0;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < part.local.volume(); slot++) {
      const reference::Link p = direction.matrix(mu, slot), f = answer.matrix(mu, slot);
      along += (p.array() * f.conjugate().array()).sum().real();
      size += f.squaredNorm();
    }
  along = sum(along);
  size = std::sqrt(sum(size));
  EXPECT_GT(size, 1);
  // of the size of a derivative along a random direction: P is a normal vector of variance 1 a component
  EXPECT_LE(std::abs(difference - along), 1e-9 * size) << difference << " " << along;
}

/// Molecular dynamics of the plaquette action, all fields resident.
class Dynamics
{
public:
  Dynamics(const reference::Part &part, double beta)
      : beta_(beta)
      , volume_(static_cast<double>(part.local.volume()))
      , paths_(reference::force_paths(reference::images(reference::plaquette_loop), 1))
      , param_(test::gauge_param(part.local.X))
  {
    param_.use_resident_gauge = param_.make_resident_gauge = 1;
    param_.use_resident_mom = param_.make_resident_mom = 1;
    param_.return_result_gauge = param_.return_result_mom = 0;
  }

  void start(test::HostLinks<double> &links, HostMomenta<double> &momenta)
  {
    QudaGaugeParam param = param_;
    param.use_resident_gauge = 0;
    loadGaugeQuda(links.pointer(), &param);
    param.make_resident_mom = 1;
    momResidentQuda(momenta.pointer(), &param);
  }

  /// Leap-frog: half a step of the momenta, steps of links and momenta in turn, half a step of the momenta.
  void run(int steps, double dt)
  {
    kick(0.5 * dt);
    for (int i = 0; i < steps; i++) {
      updateGaugeFieldQuda(nullptr, nullptr, dt, 0, 1, &param_);
      kick(i + 1 < steps ? dt : 0.5 * dt);
    }
  }

  /// sum |A|^2 / 2 + beta sum (1 - Re tr P / 3); the sixteen a site that momActionQuda takes away are put back.
  double energy(double ranks = 1)
  {
    const double sites = ranks * volume_;
    return momActionQuda(nullptr, &param_) + 16 * sites + beta_ * 6 * sites -
           beta_ / 3 * sum_of_traces(reference::images(reference::plaquette_loop), 1);
  }

private:
  void kick(double dt)
  {
    computeGaugeForceQuda(nullptr, nullptr, paths_.steps(), paths_.length(), paths_.coefficient(), paths_.n(),
                          paths_.longest(), dt * beta_ / 3, &param_);
  }

  double beta_, volume_;
  CPaths paths_;
  QudaGaugeParam param_;
};

/// Twenty steps forth and twenty back; twice as many half as long bring a quarter of the error.
inline void check_dynamics(const reference::Lattice &global, const reference::Part &part, double ranks)
{
  test::HostLinks<double> links(reference::random_gauge(global, 31), part, QUDA_QDP_GAUGE_ORDER);
  HostMomenta<double> momenta(reference::random_momentum(global, 32), part, QUDA_QDP_GAUGE_ORDER);
  const auto before = links.all();
  Dynamics dynamics(part, 5.5);
  dynamics.start(links, momenta);
  const double H = dynamics.energy(ranks);
  dynamics.run(20, 0.02);
  EXPECT_GT(std::abs(dynamics.energy(ranks) - H), 1e-10 * H); // it went somewhere
  dynamics.run(20, -0.02);
  EXPECT_LE(std::abs(dynamics.energy(ranks) - H), 1e-13 * H);
  QudaGaugeParam param = test::gauge_param(part.local.X);
  links.fill(NAN);
  saveGaugeQuda(links.pointer(), &param);
  EXPECT_LE(test::largest_difference(links.all(), before), 1e-13);

  double error[2];
  for (int k = 0; k < 2; k++) {
    test::HostLinks<double> fresh(reference::random_gauge(global, 31), part, QUDA_QDP_GAUGE_ORDER);
    dynamics.start(fresh, momenta);
    const int steps = 20 << k;
    dynamics.run(steps, 0.2 / steps);
    error[k] = std::abs(dynamics.energy(ranks) - H);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1) << error[0] << " " << error[1];
}

} // namespace force_test
