/// Random fields and heat bath through the C interface.

#include "session.h"

#include "interface/resident.h"
#include "reference/algebra.h"
#include "reference/heatbath/heatbath.h"
#include "reference/random/gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace
{

using test::Handler;
using test::HostLinks;
using test::Session;
using test::Storage;

const reference::Lattice lattice({4, 4, 6, 4});
const reference::Part whole(lattice);

QudaGaugeParam load(const reference::GaugeField &gauge, const Storage &storage = {})
{
  HostLinks<double> host(gauge, whole, storage.order);
  QudaGaugeParam param = test::gauge_param(lattice.X, storage);
  loadGaugeQuda(host.pointer(), &param);
  return param;
}

reference::GaugeField saved(QudaGaugeParam param)
{
  reference::QdpLinks<double> host;
  void *pointers[4];
  for (int mu = 0; mu < 4; mu++) {
    host[mu].resize(18 * lattice.volume());
    pointers[mu] = host[mu].data();
  }
  saveGaugeQuda(pointers, &param);
  return reference::from_qdp(lattice, host);
}

double mean_plaquette()
{
  double plaq[3] = {0, 0, 0};
  plaqQuda(plaq);
  return plaq[0];
}

TEST(GaussGauge, AsTheReference)
{
  Session session;
  const auto gauge = reference::random_gauge(lattice, 1);
  const QudaGaugeParam param = load(gauge);
  mean_plaquette(); // what is kept of the old links must not stay
  test::Output output;
  gaussGaugeQuda(17, 0.5);
  EXPECT_TRUE(output.says("Creating Gaussian distributed Lie group field with sigma = 5.000000e-01")) << output.text();
  const auto expected = reference::random_field(lattice, 17, reference::Purpose::gauge, [](const auto &stream) {
    return reference::exponential(0.5 * reference::normal_algebra(stream));
  });
  EXPECT_LE(reference::deviation(saved(param), expected), 1e-13);
  EXPECT_NEAR(mean_plaquette(), reference::plaquette(expected)[0], 1e-13);
  gaussGaugeQuda(17, 0);
  EXPECT_EQ(mean_plaquette(), 1);
}

TEST(GaussMom, FillsTheResidentMomentum)
{
  Handler handler;
  Session session;
  gaussMomQuda(1, 1);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
  EXPECT_TRUE(handler.says("gaussMomQuda: no momentum is resident")) << handler.text();
  handler.forget();
  quda::GaugeFieldParam param;
  param.lattice = quda::guarded::session().lattice(lattice.X.data());
  param.link_type = quda::LinkType::momentum;
  param.reconstruct = quda::Reconstruct::r10;
  quda::guarded::session().momentum = std::make_unique<quda::GaugeField>(param);
  const auto tag = quda::guarded::session().momentum->tag();
  gaussMomQuda(23, 2);
  EXPECT_NE(quda::guarded::session().momentum->tag(), tag);
  std::vector<double> host(4 * 10 * lattice.volume());
  param.order = quda::GaugeOrder::milc;
  param.location = quda::Location::host;
  param.create = quda::Create::reference;
  param.data[0] = host.data();
  quda::GaugeField foreign(param);
  foreign = *quda::guarded::session().momentum;
  const auto expected = reference::random_field(lattice, 23, reference::Purpose::momentum, [](const auto &stream) {
    return reference::Link(2 * reference::normal_algebra(stream));
  });
  double worst = 0;
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++) {
      const double *a = &host[(4 * slot + mu) * 10];
      const reference::Link &right = expected.U[mu][slot];
      worst = std::max(worst, std::abs(reference::Complex(a[2], a[3]) - right(0, 2)));
      worst = std::max(worst, std::abs(a[8] - right(2, 2).imag()));
    }
  EXPECT_LE(worst, 1e-13);
}

using Heatbath = test::Begun;

TEST_F(Heatbath, SweepsOfTheResidentLinks)
{
  for (const int t_boundary : {1, -1})
    for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12}) {
      Storage storage;
      storage.reconstruct = reconstruct;
      storage.t_boundary = t_boundary;
      auto gauge = reference::random_gauge(lattice, 3);
      auto expected = gauge;
      reference::set_up_links(gauge, 1, t_boundary);
      const QudaGaugeParam param = load(gauge, storage);
      QudaHeatbathParam sweeps = newQudaHeatbathParam();
      sweeps.beta = 5.5;
      sweeps.n_overrelax = 1;
      sweeps.n_sweeps = 2;
      sweeps.seed = 77;
      sweeps.first_sweep = 6;
      if (t_boundary < 0) {
        sweeps.rectangle = -1.0 / 12;
        sweeps.anisotropy = 1.5;
      }
      heatbathQuda(&sweeps);
      const reference::GaugeAction action = {5.5, sweeps.rectangle, sweeps.anisotropy};
      for (unsigned n : {6u, 7u}) reference::sweep(expected, action, 1, 1, 77, n);
      EXPECT_NEAR(mean_plaquette(), reference::plaquette(expected)[0], 1e-12);
      reference::set_up_links(expected, 1, t_boundary);
      EXPECT_LE(reference::deviation(saved(param), expected), 1e-11);

      sweeps.n_sweeps = 0;
      sweeps.start = QUDA_HEATBATH_START_COLD;
      heatbathQuda(&sweeps);
      reference::GaugeField unit(lattice);
      reference::set_up_links(unit, 1, t_boundary);
      EXPECT_EQ(reference::deviation(saved(param), unit), 0);
      sweeps.start = QUDA_HEATBATH_START_HOT;
      heatbathQuda(&sweeps);
      EXPECT_NEAR(mean_plaquette(), 0, 0.05);
    }
}

TEST_F(Heatbath, BadCalls)
{
  QudaHeatbathParam good = newQudaHeatbathParam();
  good.beta = 6;
  const auto refused = [&](const QudaHeatbathParam *param, QudaErrorKind kind, const char *words) {
    handler.forget();
    heatbathQuda(param);
    EXPECT_EQ(handler.calls(), 1) << words;
    EXPECT_EQ(handler.kind(), kind) << handler.text();
    EXPECT_TRUE(handler.says("heatbathQuda") && handler.says(words)) << handler.text();
  };
  const auto bad = [&](auto &&spoil, const char *words) {
    QudaHeatbathParam param = good;
    spoil(param);
    refused(&param, QUDA_ERROR_KIND_BAD_ARGUMENT, words);
  };
  refused(&good, QUDA_ERROR_KIND_BAD_ARGUMENT, "no gauge field is resident");
  handler.forget();
  gaussGaugeQuda(1, 1);
  EXPECT_TRUE(handler.says("gaussGaugeQuda: no gauge field is resident")) << handler.text();
  handler.forget();

  const QudaGaugeParam loaded = load(reference::random_gauge(lattice, 3));
  const double before = mean_plaquette();
  refused(nullptr, QUDA_ERROR_KIND_BAD_ARGUMENT, "param = null");
  bad([](auto &p) { p.struct_size = 8; }, "struct_size = 8");
  bad([](auto &p) { p.beta = newQudaHeatbathParam().beta; }, "beta = -1");
  bad([](auto &p) { p.beta = std::numeric_limits<double>::infinity(); }, "beta = inf");
  bad([](auto &p) { p.beta = NAN; }, "beta = ");
  bad([](auto &p) { p.n_heatbath = 257; }, "n_heatbath = 257");
  bad([](auto &p) { p.n_overrelax = -1; }, "n_overrelax = -1");
  bad([](auto &p) { p.n_sweeps = -3; }, "n_sweeps = -3");
  bad(
      [](auto &p) {
        p.first_sweep = 4294967295u;
        p.n_sweeps = 2;
      },
      "first_sweep = 4294967295");
  bad([](auto &p) { p.start = static_cast<QudaHeatbathStart>(9); }, "start = 9");
  bad([](auto &p) { p.rectangle = NAN; }, "QudaHeatbathParam.rectangle = ");
  bad([](auto &p) { p.anisotropy = 0; }, "QudaHeatbathParam.anisotropy = 0");
  bad([](auto &p) { p.anisotropy = std::numeric_limits<double>::infinity(); }, "anisotropy = inf");
  handler.forget();
  gaussGaugeQuda(1, NAN);
  EXPECT_TRUE(handler.says("gaussGaugeQuda: sigma = ")) << handler.text();
  handler.forget();
  EXPECT_EQ(mean_plaquette(), before);
  EXPECT_LE(reference::deviation(saved(loaded), reference::random_gauge(lattice, 3)), 0);

  Storage storage;
  storage.anisotropy = 2.5;
  load(reference::random_gauge(lattice, 3), storage);
  refused(&good, QUDA_ERROR_KIND_UNSUPPORTED, "anisotropy = 2.5");

  const reference::Lattice thin({4, 4, 2, 4});
  HostLinks<double> host(reference::random_gauge(thin, 3), reference::Part(thin), QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(thin.X);
  loadGaugeQuda(host.pointer(), &param);
  bad([](auto &p) { p.rectangle = -0.331; }, "QudaHeatbathParam.rectangle = -0.331 on a lattice of extent 2");
}

} // namespace
