/// Smearing and projection through the C interface, against the plain reference.

#include "session.h"

#include "reference/gauge/field_strength.h"
#include "reference/gauge/project.h"
#include "reference/smear/flow.h"
#include "reference/smear/projected.h"
#include "reference/smear/stout.h"

#include <gtest/gtest.h>

namespace
{

using test::Handler;
using test::HostLinks;
using test::Output;
using test::Session;
using test::Storage;

const reference::Lattice lattice({2, 4, 6, 4});
const reference::Part whole(lattice);
const std::array<bool, 4> all {true, true, true, true}, space {true, true, true, false};

reference::GaugeField saved(QudaLinkType type)
{
  HostLinks<double> host(reference::GaugeField(lattice), whole, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(lattice.X);
  param.type = type;
  saveGaugeQuda(host.pointer(), &param);
  reference::GaugeField gauge(lattice);
  const double *const links[4] = {host.direction(0), host.direction(1), host.direction(2), host.direction(3)};
  reference::from_qdp(gauge, whole, links);
  return gauge;
}

QudaGaugeSmearParam smear_param(QudaGaugeSmearType type, unsigned steps)
{
  QudaGaugeSmearParam param = newQudaGaugeSmearParam();
  param.smear_type = type;
  param.n_steps = steps;
  param.meas_interval = 2;
  param.rho = 0.1;
  param.epsilon = -0.25;
  return param;
}

using GaugeSmear = test::Begun;

TEST_F(GaugeSmear, StoutAsTheReferenceWithMeasurements)
{
  const reference::GaugeField gauge = reference::random_gauge(lattice, 1, reference::Kind::weak);
  test::load_links(gauge);
  QudaGaugeObservableParam obs[3];
  for (auto &one : obs) {
    one = newQudaGaugeObservableParam();
    one.compute_plaquette = one.compute_qcharge = QUDA_BOOLEAN_TRUE;
  }
  const struct {
    QudaGaugeSmearType type;
    int dir_ignore;
    std::array<bool, 4> smeared;
    reference::StoutWeights weights;
  } cases[] = {
      {QUDA_GAUGE_SMEAR_STOUT, -1, space, reference::stout_weights(0.1)},
      {QUDA_GAUGE_SMEAR_STOUT, 4, all, reference::stout_weights(0.1)},
      {QUDA_GAUGE_SMEAR_STOUT, 0, {false, true, true, true}, reference::stout_weights(0.1)},
      {QUDA_GAUGE_SMEAR_OVRIMP_STOUT, -1, all, reference::over_improved_weights(0.1, -0.25)},
      {QUDA_GAUGE_SMEAR_OVRIMP_STOUT, 3, space, reference::over_improved_weights(0.1, -0.25)},
  };
  for (const auto &one : cases) {
    QudaGaugeSmearParam param = smear_param(one.type, 5);
    param.dir_ignore = one.dir_ignore;
    const Output output;
    performGaugeSmearQuda(&param, obs);
    reference::GaugeField expected = gauge;
    for (int step = 0; step <= 5; step++) {
      if (step > 0) expected = reference::stout(expected, one.weights, one.smeared);
      if (step % 2 != 0) continue;
      EXPECT_NEAR(obs[step / 2].plaquette[0], reference::plaquette(expected)[0], 1e-13);
      EXPECT_NEAR(obs[step / 2].qcharge, reference::charge(expected).charge, 1e-12);
      char line[80];
      std::snprintf(line, sizeof line, "performGaugeSmearQuda: Q charge at step %03d = %+.16e\n", step,
                    obs[step / 2].qcharge);
      EXPECT_TRUE(output.says(line)) << output.text();
    }
    EXPECT_LT(reference::deviation(saved(QUDA_SMEARED_LINKS), expected), 1e-12);
    EXPECT_EQ(reference::deviation(saved(QUDA_WILSON_LINKS), gauge), 0); // each smearing starts from these
    // what is measured from here on are the smeared links
    gaugeObservablesQuda(obs);
    EXPECT_NEAR(obs[0].plaquette[0], reference::plaquette(expected)[0], 1e-13);
  }
}

TEST_F(GaugeSmear, ApeAndHypAsTheReference)
{
  const reference::GaugeField gauge = reference::random_gauge(lattice, 7, reference::Kind::weak);
  test::load_links(gauge);
  QudaGaugeObservableParam obs[2] = {newQudaGaugeObservableParam(), newQudaGaugeObservableParam()};
  for (auto &one : obs) one.compute_plaquette = QUDA_BOOLEAN_TRUE;
  const std::array<bool, 4> not_y {true, false, true, true};
  const struct {
    QudaGaugeSmearType type;
    int dir_ignore;
    double anisotropy;
    std::array<bool, 4> smeared;
  } cases[] = {
      {QUDA_GAUGE_SMEAR_APE, -1, 0, space}, {QUDA_GAUGE_SMEAR_APE, 4, 1.2, all}, {QUDA_GAUGE_SMEAR_APE, 1, 1, not_y},
      {QUDA_GAUGE_SMEAR_HYP, -1, 0, all},   {QUDA_GAUGE_SMEAR_HYP, 3, 0, space}, {QUDA_GAUGE_SMEAR_HYP, 1, 0, not_y},
  };
  for (const auto &one : cases) {
    QudaGaugeSmearParam param = smear_param(one.type, 3);
    param.meas_interval = 3;
    param.dir_ignore = one.dir_ignore;
    param.smear_anisotropy = one.anisotropy;
    param.alpha = 0.5;
    param.alpha1 = 0.7;
    param.alpha2 = 0.6;
    param.alpha3 = 0.3;
    performGaugeSmearQuda(&param, obs);
    reference::GaugeField expected = gauge;
    EXPECT_NEAR(obs[0].plaquette[0], reference::plaquette(expected)[0], 1e-13);
    for (int step = 0; step < 3; step++)
      expected = one.type == QUDA_GAUGE_SMEAR_HYP
                     ? reference::hyp(expected, {0.7, 0.6, 0.3}, one.smeared)
                     : reference::ape(expected, 0.5, one.smeared, one.anisotropy == 0 ? 1 : one.anisotropy);
    EXPECT_NEAR(obs[1].plaquette[0], reference::plaquette(expected)[0], 1e-13);
    EXPECT_LT(reference::deviation(saved(QUDA_SMEARED_LINKS), expected), 1e-12) << one.type << " " << one.dir_ignore;
  }
}

using GaugeFlow = test::Begun;

TEST_F(GaugeFlow, AsTheReferenceAndGoesOn)
{
  const reference::GaugeField gauge = reference::random_gauge(lattice, 8, reference::Kind::weak);
  test::load_links(gauge);
  QudaGaugeObservableParam obs[3];
  for (auto &one : obs) {
    one = newQudaGaugeObservableParam();
    one.compute_plaquette = one.compute_qcharge = QUDA_BOOLEAN_TRUE;
  }
  for (const bool symanzik : {false, true})
    for (const unsigned order : {0u, 3u, 4u}) {
      const bool anisotropic = order == (symanzik ? 4 : 3);
      QudaGaugeSmearParam param = newQudaGaugeSmearParam();
      param.smear_type = symanzik ? QUDA_GAUGE_SMEAR_SYMANZIK_FLOW : QUDA_GAUGE_SMEAR_WILSON_FLOW;
      param.n_steps = 4;
      param.meas_interval = 2;
      param.epsilon = 0.05;
      param.rk_order = order;
      param.smear_anisotropy = anisotropic ? 1.3 : 0;
      param.t0 = 0.5;
      const Output output;
      performWFlowQuda(&param, obs);
      reference::GaugeField expected = gauge;
      const reference::Flow flow {symanzik, anisotropic ? 1.3 : 1};
      for (int step = 0; step <= 4; step++) {
        if (step > 0) expected = reference::flow_step(expected, 0.05, flow, order == 4 ? 4 : 3);
        if (step % 2 != 0) continue;
        const QudaGaugeObservableParam &now = obs[step / 2];
        EXPECT_NEAR(now.plaquette[0], reference::plaquette(expected)[0], 1e-13);
        const reference::Charge right = reference::charge(expected);
        EXPECT_NEAR(now.energy[0], right.spatial_energy + right.temporal_energy, 1e-12);
        char line[200];
        std::snprintf(line, sizeof line, "%le %.16e %+.16e %+.16e %+.16e %+.16e\n", 0.5 + 0.05 * step, now.plaquette[0],
                      now.energy[0], now.energy[1], now.energy[2], now.qcharge);
        EXPECT_TRUE(output.says(line)) << output.text();
      }
      EXPECT_LT(reference::deviation(saved(QUDA_SMEARED_LINKS), expected), 1e-12);
      // on from there, and from the start again
      param.restart = QUDA_BOOLEAN_TRUE;
      param.n_steps = 1;
      param.meas_interval = 2;
      performWFlowQuda(&param, obs);
      EXPECT_NEAR(obs[0].plaquette[0], reference::plaquette(expected)[0], 1e-13);
      expected = reference::flow_step(expected, 0.05, flow, order == 4 ? 4 : 3);
      EXPECT_LT(reference::deviation(saved(QUDA_SMEARED_LINKS), expected), 1e-12);
      EXPECT_EQ(reference::deviation(saved(QUDA_WILSON_LINKS), gauge), 0);
    }
}

/// Steps of one size that fit the intervals, and steps that adapt; on from the smeared links; a tolerance that rounding
/// does not allow.
TEST_F(GaugeFlow, MeasuredAtEvenTimes)
{
  const reference::GaugeField gauge = reference::random_gauge(lattice, 9, reference::Kind::weak);
  test::load_links(gauge);
  QudaGaugeObservableParam obs[3];
  for (auto &one : obs) {
    one = newQudaGaugeObservableParam();
    one.compute_plaquette = one.compute_qcharge = QUDA_BOOLEAN_TRUE;
  }
  for (const QudaFlowAction action : {QUDA_FLOW_WILSON, QUDA_FLOW_SYMANZIK, QUDA_FLOW_ZEUTHEN})
    for (const double tolerance : {0.0, 1e-4}) {
      QudaGradientFlowParam param = newQudaGradientFlowParam();
      param.action = action;
      param.n_intervals = 2;
      param.interval = 0.1;
      param.epsilon = 0.04;
      param.tolerance = tolerance;
      param.anisotropy = action == QUDA_FLOW_SYMANZIK ? 1.2 : 1;
      const reference::Flow flow {action != QUDA_FLOW_WILSON, param.anisotropy, action == QUDA_FLOW_ZEUTHEN};
      reference::GaugeField expected = gauge;
      reference::AdaptiveFlow steps {param.epsilon, tolerance};
      const auto interval = [&] {
        if (tolerance > 0)
          expected = reference::flow_adaptively(expected, 0.1, flow, steps);
        else
          for (int i = 0; i < 3; i++) expected = reference::flow_step(expected, 0.1 / 3, flow, 3);
      };
      const auto agrees = [&](const QudaGaugeObservableParam &now) {
        const reference::Charge right = reference::charge(expected);
        EXPECT_NEAR(now.energy[0], right.spatial_energy + right.temporal_energy, 1e-11);
        EXPECT_NEAR(now.plaquette[0], reference::plaquette(expected)[0], 1e-12);
      };
      const Output output;
      gradientFlowQuda(&param, obs);
      for (int i = 0; i < 3; i++) {
        if (i > 0) interval();
        agrees(obs[i]);
        char line[200];
        std::snprintf(line, sizeof line, "%le %.16e %+.16e %+.16e %+.16e %+.16e\n", 0.1 * i, obs[i].plaquette[0],
                      obs[i].energy[0], obs[i].energy[1], obs[i].energy[2], obs[i].qcharge);
        EXPECT_TRUE(output.says(line)) << output.text();
      }
      EXPECT_EQ(param.n_steps, tolerance > 0 ? steps.taken : 6);
      EXPECT_EQ(param.n_taken_back, steps.taken_back);
      EXPECT_NEAR(param.last_epsilon, tolerance > 0 ? steps.epsilon : 0.1 / 3, 1e-11);
      EXPECT_LT(reference::deviation(saved(QUDA_SMEARED_LINKS), expected), 1e-11);
      param.restart = 1;
      param.n_intervals = 1;
      param.epsilon = steps.epsilon = tolerance > 0 ? param.last_epsilon : 0.04;
      gradientFlowQuda(&param, obs);
      agrees(obs[0]);
      interval();
      agrees(obs[1]);
      EXPECT_EQ(reference::deviation(saved(QUDA_WILSON_LINKS), gauge), 0);
    }
  EXPECT_EQ(handler.calls(), 0) << handler.text();

  const reference::GaugeField before = saved(QUDA_SMEARED_LINKS);
  QudaGradientFlowParam param = newQudaGradientFlowParam();
  param.interval = 1e9;
  param.epsilon = 1e8;
  param.tolerance = 1e-13;
  gradientFlowQuda(&param, obs);
  EXPECT_EQ(handler.calls(), 1);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
  EXPECT_TRUE(handler.says("gradientFlowQuda") && handler.says("1e-13")) << handler.text();
  EXPECT_EQ(reference::deviation(saved(QUDA_SMEARED_LINKS), before), 0);
}

TEST_F(GaugeSmear, FromCompressedLinksWithFactors)
{
  reference::GaugeField gauge = reference::random_gauge(lattice, 2, reference::Kind::weak);
  reference::set_up_links(gauge, 2.464, 1);
  Storage storage;
  storage.reconstruct = QUDA_RECONSTRUCT_12;
  storage.anisotropy = 2.464;
  test::load_links(gauge, storage);
  QudaGaugeSmearParam param = smear_param(QUDA_GAUGE_SMEAR_STOUT, 1);
  QudaGaugeObservableParam obs = newQudaGaugeObservableParam();
  performGaugeSmearQuda(&param, &obs);
  EXPECT_LT(
      reference::deviation(saved(QUDA_SMEARED_LINKS), reference::stout(gauge, reference::stout_weights(0.1), space)),
      1e-12);
}

/// Projected on the way, directions that are not smeared too.
TEST_F(GaugeSmear, FromProjectedLinks)
{
  reference::GaugeField gauge = reference::random_gauge(lattice, 5, reference::Kind::weak);
  const reference::GaugeField noise = reference::random_gauge(lattice, 6, reference::Kind::general);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) gauge.U[mu][slot] += 0.02 * noise.U[mu][slot];
  test::load_links(gauge);
  QudaGaugeSmearParam param = smear_param(QUDA_GAUGE_SMEAR_STOUT, 1);
  QudaGaugeObservableParam obs = newQudaGaugeObservableParam();
  obs.su_project = QUDA_BOOLEAN_TRUE;
  performGaugeSmearQuda(&param, &obs);
  const reference::GaugeField expected =
      reference::stout(reference::projected(gauge), reference::stout_weights(0.1), space);
  EXPECT_LT(reference::deviation(saved(QUDA_SMEARED_LINKS), expected), 1e-12);
}

TEST_F(GaugeSmear, RefusesWhatItCannotDo)
{
  QudaGaugeObservableParam obs = newQudaGaugeObservableParam();
  QudaGaugeSmearParam param = smear_param(QUDA_GAUGE_SMEAR_STOUT, 1);
  const auto refused = [&](QudaErrorKind kind, const char *words) {
    performGaugeSmearQuda(&param, &obs);
    EXPECT_EQ(handler.kind(), kind) << words;
    EXPECT_TRUE(handler.says("performGaugeSmearQuda") && handler.says(words)) << handler.text();
    handler.forget();
    param = smear_param(QUDA_GAUGE_SMEAR_STOUT, 1);
  };
  refused(QUDA_ERROR_KIND_BAD_ARGUMENT, "no gauge field is resident");
  test::load_links(reference::GaugeField(lattice));
  param.meas_interval = 0;
  refused(QUDA_ERROR_KIND_BAD_ARGUMENT, "meas_interval = 0");
  param.rho = NAN;
  refused(QUDA_ERROR_KIND_BAD_ARGUMENT, "rho");
  for (const auto type : {QUDA_GAUGE_SMEAR_WILSON_FLOW, QUDA_GAUGE_SMEAR_SYMANZIK_FLOW}) {
    param.smear_type = type;
    refused(QUDA_ERROR_KIND_BAD_ARGUMENT, "smear_type");
  }
  param = newQudaGaugeSmearParam();
  refused(QUDA_ERROR_KIND_BAD_ARGUMENT, "smear_type");
  obs.compute_rectangle = QUDA_BOOLEAN_TRUE;
  refused(QUDA_ERROR_KIND_UNSUPPORTED, "compute_rectangle");
  performGaugeSmearQuda(&param, nullptr);
  EXPECT_TRUE(handler.says("obs_param = null")) << handler.text();
  performGaugeSmearQuda(nullptr, &obs);
  EXPECT_TRUE(handler.says("null")) << handler.text();
  // nothing was smeared
  handler.forget();
  saved(QUDA_SMEARED_LINKS);
  EXPECT_EQ(handler.calls(), 1);
}

TEST_F(GaugeSmear, NoStepsNeedNoInterval)
{
  const reference::GaugeField gauge = reference::random_gauge(lattice, 3);
  test::load_links(gauge);
  QudaGaugeSmearParam param = smear_param(QUDA_GAUGE_SMEAR_STOUT, 0);
  param.meas_interval = 0;
  QudaGaugeObservableParam obs = newQudaGaugeObservableParam();
  performGaugeSmearQuda(&param, &obs);
  EXPECT_EQ(reference::deviation(saved(QUDA_SMEARED_LINKS), gauge), 0);
}

TEST(StoutOfHostLinks, AsTheReference)
{
  Handler handler;
  Session session;
  const reference::GaugeField resident = reference::random_gauge(lattice, 4);
  test::load_links(resident);
  for (const auto order : {QUDA_QDP_GAUGE_ORDER, QUDA_MILC_GAUGE_ORDER})
    for (const auto reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12})
      for (const int dir_ignore : {-1, 2}) {
        Storage storage;
        storage.order = order;
        storage.reconstruct = reconstruct;
        const reference::GaugeField gauge = reference::random_gauge(lattice, 5);
        HostLinks<double> in(gauge, whole, order), out = in;
        out.fill(NAN);
        QudaGaugeParam param = test::gauge_param(lattice.X, storage);
        const std::vector<double> before = in.all();
        stoutQuda(out.pointer(), in.pointer(), 2, 0.11, dir_ignore, &param);
        EXPECT_TRUE(test::same_bits(in.all(), before));
        reference::GaugeField expected = gauge;
        std::array<bool, 4> smeared = all;
        if (dir_ignore >= 0) smeared[dir_ignore] = false;
        for (int step = 0; step < 2; step++)
          expected = reference::stout(expected, reference::stout_weights(0.11), smeared);
        const HostLinks<double> right(expected, whole, order);
        EXPECT_LT(test::largest_difference(out.all(), right.all()), 1e-13);
        stoutQuda(in.pointer(), in.pointer(), 2, 0.11, dir_ignore, &param);
        EXPECT_TRUE(test::same_bits(in.all(), out.all()));
      }
  EXPECT_EQ(reference::deviation(saved(QUDA_WILSON_LINKS), resident), 0);
  EXPECT_EQ(handler.calls(), 0) << handler.text();

  HostLinks<double> links(resident, whole, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(lattice.X);
  stoutQuda(links.pointer(), links.pointer(), 1, NAN, -1, &param);
  EXPECT_TRUE(handler.says("stoutQuda: rho = nan")) << handler.text();
  stoutQuda(links.pointer(), links.pointer(), 1, 0.1, 4, &param);
  EXPECT_TRUE(handler.says("stoutQuda: dir_ignore = 4; allowed: -1 to 3")) << handler.text();
  stoutQuda(nullptr, links.pointer(), 1, 0.1, -1, &param);
  EXPECT_TRUE(handler.says("stoutQuda: h_out = null")) << handler.text();
  param.staggered_phase_applied = 1;
  stoutQuda(links.pointer(), links.pointer(), 1, 0.1, -1, &param);
  EXPECT_TRUE(handler.says("stoutQuda: QudaGaugeParam.staggered_phase_applied = 1")) << handler.text();
  param.staggered_phase_applied = 0;
  links.direction(2)[7] = INFINITY;
  stoutQuda(links.pointer(), links.pointer(), 1, 0.1, -1, &param);
  EXPECT_TRUE(handler.says("stoutQuda: h_in holds a number that is NaN or infinite")) << handler.text();
}

class Projection : public testing::Test
{
protected:
  Projection()
      : gauge(reference::random_gauge(lattice, 8))
  {
    const reference::GaugeField noise = reference::random_gauge(lattice, 9, reference::Kind::general);
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot++) gauge.U[mu][slot] += 0.02 * noise.U[mu][slot];
  }
  double from_right(HostLinks<double> &links) const
  {
    const HostLinks<double> right(reference::projected(gauge), whole, QUDA_QDP_GAUGE_ORDER);
    return test::largest_difference(links.all(), right.all());
  }

  reference::GaugeField gauge;
};

TEST_F(Projection, OfHostLinks)
{
  Handler handler;
  Session session;
  HostLinks<double> links(gauge, whole, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(lattice.X);
  projectSU3Quda(links.pointer(), 1e-14, &param);
  EXPECT_LT(from_right(links), 1e-13);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  double plaq[3];
  plaqQuda(plaq);
  EXPECT_TRUE(handler.says("no gauge field is resident")) << handler.text();
}

TEST_F(Projection, ResidentFlags)
{
  Handler handler;
  Session session;
  QudaGaugeParam param = test::gauge_param(lattice.X);
  param.use_resident_gauge = 1;
  param.return_result_gauge = 0;
  projectSU3Quda(nullptr, 1e-14, &param);
  EXPECT_TRUE(handler.says("no gauge field is resident")) << handler.text();
  handler.forget();

  const auto deviations = [&] {
    const reference::GaugeField resident = saved(QUDA_WILSON_LINKS);
    return std::array<double, 2> {reference::deviation(resident, gauge),
                                  reference::deviation(resident, reference::projected(gauge))};
  };
  test::load_links(gauge);
  projectSU3Quda(nullptr, 1e-14, &param);
  EXPECT_EQ(deviations()[0], 0); // neither kept nor returned
  HostLinks<double> links(reference::GaugeField(lattice), whole, QUDA_QDP_GAUGE_ORDER);
  param.return_result_gauge = 1;
  projectSU3Quda(links.pointer(), 1e-14, &param);
  EXPECT_EQ(deviations()[0], 0);
  EXPECT_LT(from_right(links), 1e-13);
  param.return_result_gauge = 0;
  param.make_resident_gauge = 1;
  projectSU3Quda(nullptr, 1e-14, &param);
  EXPECT_LT(deviations()[1], 1e-13);
  double plaq[3]; // of the new links, not of a copy made before
  plaqQuda(plaq);
  EXPECT_NEAR(plaq[0], reference::plaquette(reference::projected(gauge))[0], 1e-13);

  freeGaugeQuda();
  param.use_resident_gauge = 0;
  HostLinks<double> host(gauge, whole, QUDA_QDP_GAUGE_ORDER);
  const std::vector<double> before = host.all();
  projectSU3Quda(host.pointer(), 1e-14, &param);
  EXPECT_TRUE(test::same_bits(host.all(), before));
  EXPECT_LT(deviations()[1], 1e-13);
}

TEST_F(Projection, KeepsBoundarySigns)
{
  Session session;
  reference::GaugeField right = reference::projected(gauge);
  reference::set_up_links(right, 1, -1);
  reference::set_up_links(gauge, 1, -1);
  Storage storage;
  storage.t_boundary = -1;
  HostLinks<double> links(gauge, whole, QUDA_QDP_GAUGE_ORDER), expected(right, whole, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(lattice.X, storage);
  projectSU3Quda(links.pointer(), 1e-14, &param);
  EXPECT_LT(test::largest_difference(links.all(), expected.all()), 1e-13);
}

TEST_F(Projection, RefusesWhatItCannotDo)
{
  Handler handler;
  Session session;
  gauge.U[1][5].setZero();
  HostLinks<double> links(gauge, whole, QUDA_QDP_GAUGE_ORDER);
  const std::vector<double> before = links.all();
  QudaGaugeParam param = test::gauge_param(lattice.X);
  projectSU3Quda(links.pointer(), 1e-14, &param);
  EXPECT_TRUE(handler.says("projectSU3Quda: 1 links cannot be projected onto SU(3)")) << handler.text();
  EXPECT_TRUE(test::same_bits(links.all(), before));
  projectSU3Quda(links.pointer(), 0, &param);
  EXPECT_TRUE(handler.says("projectSU3Quda: tol = 0")) << handler.text();
  projectSU3Quda(nullptr, 1e-14, &param);
  EXPECT_TRUE(handler.says("projectSU3Quda: gauge_h = null")) << handler.text();
  param.staggered_phase_applied = 1;
  projectSU3Quda(links.pointer(), 1e-14, &param);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
  EXPECT_TRUE(handler.says("staggered_phase_type = 0")) << handler.text();
}

} // namespace
