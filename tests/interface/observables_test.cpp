/// Observables through the C interface, against the plain reference.

#include "session.h"

#include "reference/gauge/field_strength.h"
#include "reference/gauge/polyakov.h"
#include "reference/gauge/project.h"

#include <gtest/gtest.h>

namespace
{

using test::Handler;
using test::HostLinks;
using test::Session;
using test::Storage;

void load(const reference::GaugeField &gauge, const Storage &storage, QudaLinkType type = QUDA_WILSON_LINKS)
{
  HostLinks<double> host(gauge, reference::Part(gauge.lattice), storage.order);
  QudaGaugeParam param = test::gauge_param(gauge.lattice.X, storage);
  param.type = type;
  loadGaugeQuda(host.pointer(), &param);
}

using Plaquette = test::Begun;

TEST_F(Plaquette, OfUnitLinksIsOne)
{
  for (const reference::Coords &X : {reference::Coords {2, 4, 6, 8}, reference::Coords {6, 6, 6, 6}})
    for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12})
      for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION}) {
        Storage storage;
        storage.reconstruct = reconstruct;
        storage.precision = precision;
        load(reference::GaugeField(reference::Lattice(X)), storage);
        double plaq[3] = {0, 0, 0};
        plaqQuda(plaq);
        for (const double p : plaq) EXPECT_EQ(p, 1);
      }
}

TEST_F(Plaquette, AsTheReference)
{
  for (const reference::Coords &X : {reference::Coords {2, 4, 6, 8}, reference::Coords {4, 4, 4, 10}})
    for (const double anisotropy : {1., 2.464})
      for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12}) {
        Storage storage;
        storage.reconstruct = reconstruct;
        storage.anisotropy = anisotropy;
        storage.t_boundary = -1;
        reference::GaugeField gauge = reference::random_gauge(reference::Lattice(X), 7, reference::Kind::weak);
        reference::set_up_links(gauge, anisotropy, -1);
        load(gauge, storage);
        double plaq[3] = {0, 0, 0};
        plaqQuda(plaq);
        const auto expected = reference::plaquette(gauge);
        for (int i = 0; i < 3; i++) EXPECT_NEAR(plaq[i], expected[i], 1e-13) << i;
        EXPECT_NE(plaq[1], plaq[2]);
      }
}

using Observables = test::Begun;

TEST_F(Observables, PlaquetteOfTheSmearedLinksWhereThereAreAny)
{
  const reference::Lattice lattice({4, 4, 4, 4});
  const reference::GaugeField wilson = reference::random_gauge(lattice, 1, reference::Kind::weak);
  const reference::GaugeField smeared = reference::random_gauge(lattice, 2, reference::Kind::weak);
  QudaGaugeObservableParam param = newQudaGaugeObservableParam();
  param.compute_plaquette = QUDA_BOOLEAN_TRUE;
  load(smeared, {}, QUDA_SMEARED_LINKS);
  gaugeObservablesQuda(&param);
  EXPECT_TRUE(handler.says("no gauge field is resident")) << handler.text(); // Wilson links are needed all the same
  handler.forget();
  load(wilson, {});
  gaugeObservablesQuda(&param);
  EXPECT_NEAR(param.plaquette[0], reference::plaquette(smeared)[0], 1e-13);
  double plaq[3];
  plaqQuda(plaq);
  EXPECT_NEAR(plaq[0], reference::plaquette(wilson)[0], 1e-13);
  freeGaugeSmearedQuda();
  gaugeObservablesQuda(&param);
  for (int i = 0; i < 3; i++) EXPECT_EQ(param.plaquette[i], plaq[i]);

  param.compute_plaquette = QUDA_BOOLEAN_FALSE;
  param.plaquette[0] = -3;
  gaugeObservablesQuda(&param);
  EXPECT_EQ(param.plaquette[0], -3);
}

TEST_F(Observables, AsTheReference)
{
  const reference::Lattice lattice({2, 4, 6, 8});
  reference::GaugeField gauge = reference::random_gauge(lattice, 5, reference::Kind::weak);
  reference::set_up_links(gauge, 1, -1);
  Storage storage;
  storage.t_boundary = -1;
  load(gauge, storage);
  QudaGaugeObservableParam param = newQudaGaugeObservableParam();
  param.compute_plaquette = param.compute_polyakov_loop = QUDA_BOOLEAN_TRUE;
  param.compute_qcharge = param.compute_qcharge_density = QUDA_BOOLEAN_TRUE;
  std::vector<double> density(lattice.volume());
  param.qcharge_density = density.data();
  gaugeObservablesQuda(&param);

  const reference::Charge charge = reference::charge(gauge);
  const auto loop = reference::polyakov_loop(gauge);
  EXPECT_NEAR(param.plaquette[0], reference::plaquette(gauge)[0], 1e-13);
  EXPECT_NEAR(param.ploop[0], loop.real(), 1e-13);
  EXPECT_NEAR(param.ploop[1], loop.imag(), 1e-13);
  EXPECT_NEAR(param.qcharge, charge.charge, 1e-13);
  EXPECT_NEAR(param.energy[1], charge.spatial_energy, 1e-13);
  EXPECT_NEAR(param.energy[2], charge.temporal_energy, 1e-13);
  EXPECT_EQ(param.energy[0], param.energy[1] + param.energy[2]);
  EXPECT_LT(test::largest_difference(density, charge.density), 1e-14);
  double ploop[2];
  polyakovLoopQuda(ploop, 3);
  EXPECT_EQ(ploop[0], param.ploop[0]);
  EXPECT_EQ(ploop[1], param.ploop[1]);
}

/// The density has the precision of the links, not the host's.
TEST_F(Observables, DensityInTheLinksPrecision)
{
  const reference::Lattice lattice({4, 4, 4, 4});
  const reference::GaugeField gauge = reference::random_gauge(lattice, 5, reference::Kind::weak);
  Storage storage;
  storage.precision = QUDA_SINGLE_PRECISION;
  load(gauge, storage);
  QudaGaugeObservableParam param = newQudaGaugeObservableParam();
  param.compute_qcharge_density = QUDA_BOOLEAN_TRUE;
  std::vector<float> density(lattice.volume() + 1, -7);
  param.qcharge_density = density.data();
  gaugeObservablesQuda(&param);
  EXPECT_EQ(density.back(), -7);
  density.pop_back();
  EXPECT_LT(test::largest_difference(density, reference::charge(gauge).density), 1e-7);
  EXPECT_NEAR(param.qcharge, reference::charge(gauge).charge, 1e-6);
}

/// su_project replaces smeared links, but never the gauge field.
TEST_F(Observables, ProjectTheMeasuredLinks)
{
  const reference::Lattice lattice({4, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(lattice, 6);
  const reference::GaugeField noise = reference::random_gauge(lattice, 7, reference::Kind::general);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) gauge.U[mu][slot] += 0.02 * noise.U[mu][slot];
  const double before = reference::plaquette(gauge)[0], after = reference::plaquette(reference::projected(gauge))[0];
  QudaGaugeObservableParam param = newQudaGaugeObservableParam();
  param.compute_plaquette = param.su_project = QUDA_BOOLEAN_TRUE;
  load(gauge, {});
  gaugeObservablesQuda(&param);
  EXPECT_NEAR(param.plaquette[0], after, 1e-13);
  param.su_project = QUDA_BOOLEAN_FALSE;
  gaugeObservablesQuda(&param);
  EXPECT_NEAR(param.plaquette[0], before, 1e-13);

  load(gauge, {}, QUDA_SMEARED_LINKS);
  param.su_project = QUDA_BOOLEAN_TRUE;
  gaugeObservablesQuda(&param);
  param.su_project = QUDA_BOOLEAN_FALSE;
  gaugeObservablesQuda(&param);
  EXPECT_NEAR(param.plaquette[0], after, 1e-13);
  EXPECT_EQ(handler.calls(), 0) << handler.text();

  gauge.U[0][0].setZero();
  load(gauge, {}, QUDA_SMEARED_LINKS);
  param.su_project = QUDA_BOOLEAN_TRUE;
  gaugeObservablesQuda(&param);
  EXPECT_TRUE(handler.says("gaugeObservablesQuda: su_project: 1 links")) << handler.text();
  handler.forget();
  param.su_project = QUDA_BOOLEAN_FALSE;
  gaugeObservablesQuda(&param); // of links that stayed as they were
  EXPECT_NEAR(param.plaquette[0], reference::plaquette(gauge)[0], 1e-13);
}

TEST_F(Observables, WhatIsMissingIsRefusedByName)
{
  double ploop[2];
  polyakovLoopQuda(ploop, 3);
  EXPECT_TRUE(handler.says("polyakovLoopQuda: no gauge field is resident")) << handler.text();
  load(reference::GaugeField(reference::Lattice({4, 4, 4, 4})), {});
  polyakovLoopQuda(ploop, 2);
  EXPECT_TRUE(handler.says("polyakovLoopQuda: dir = 2; allowed: 3 to 3")) << handler.text();
  polyakovLoopQuda(nullptr, 3);
  EXPECT_TRUE(handler.says("ploop = null")) << handler.text();
  handler.forget();
  using P = QudaGaugeObservableParam;
  const struct {
    QudaBoolean P::*wanted;
    const char *name;
    QudaErrorKind kind;
  } refused[] = {{&P::compute_rectangle, "compute_rectangle", QUDA_ERROR_KIND_UNSUPPORTED},
                 {&P::remove_staggered_phase, "remove_staggered_phase", QUDA_ERROR_KIND_BAD_ARGUMENT}};
  for (const auto &one : refused) {
    P param = newQudaGaugeObservableParam();
    param.*one.wanted = QUDA_BOOLEAN_TRUE;
    gaugeObservablesQuda(&param);
    EXPECT_EQ(handler.kind(), one.kind) << one.name;
    EXPECT_TRUE(handler.says(one.name) && handler.says("gaugeObservablesQuda")) << handler.text();
    handler.forget();
  }
  P param = newQudaGaugeObservableParam();
  param.compute_qcharge_density = QUDA_BOOLEAN_TRUE;
  gaugeObservablesQuda(&param);
  EXPECT_TRUE(handler.says("qcharge_density")) << handler.text();
}

} // namespace
