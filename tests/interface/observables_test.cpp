/// Observables through the C interface, against the plain reference.

#include "session.h"

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

TEST(Plaquette, OfUnitLinksIsOne)
{
  Handler handler;
  Session session;
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
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

TEST(Plaquette, AsTheReference)
{
  Handler handler;
  Session session;
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
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

TEST(Observables, PlaquetteOfTheSmearedLinksWhereThereAreAny)
{
  Handler handler;
  Session session;
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
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

TEST(Observables, WhatIsMissingIsRefusedByName)
{
  Handler handler;
  Session session;
  load(reference::GaugeField(reference::Lattice({4, 4, 4, 4})), {});
  using P = QudaGaugeObservableParam;
  const struct {
    QudaBoolean P::*wanted;
    const char *name;
  } refused[] = {{&P::su_project, "su_project"},
                 {&P::compute_rectangle, "compute_rectangle"},
                 {&P::compute_polyakov_loop, "compute_polyakov_loop"},
                 {&P::compute_gauge_loop_trace, "compute_gauge_loop_trace"},
                 {&P::compute_qcharge, "compute_qcharge"},
                 {&P::compute_qcharge_density, "compute_qcharge_density"},
                 {&P::remove_staggered_phase, "remove_staggered_phase"}};
  for (const auto &one : refused) {
    P param = newQudaGaugeObservableParam();
    param.*one.wanted = QUDA_BOOLEAN_TRUE;
    gaugeObservablesQuda(&param);
    EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_UNSUPPORTED) << one.name;
    EXPECT_TRUE(handler.says(one.name) && handler.says("gaugeObservablesQuda")) << handler.text();
    handler.forget();
  }
}

} // namespace
