/// Gauge fields through the C interface: round trips, what the parameters mean, and that nothing is ever stale.

#include "session.h"

#include "interface/guard.h"
#include "interface/resident.h"
#include "reference/dirac/staggered.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <new>

namespace
{

using test::Handler;
using test::HostLinks;
using test::Session;
using test::Storage;

const reference::Lattice shape({2, 4, 6, 8});
const reference::Part whole(shape);

/// Links as a host code with these parameters has them.
reference::GaugeField prepared(const Storage &storage, std::uint64_t seed = 11)
{
  reference::GaugeField gauge = reference::random_gauge(shape, seed);
  reference::set_up_links(gauge, storage.anisotropy, storage.t_boundary);
  return gauge;
}

template <class real> void round_trip(const Storage &storage)
{
  const reference::GaugeField gauge = prepared(storage);
  HostLinks<real> host(gauge, whole, storage.order);
  const auto given = host.all();
  QudaGaugeParam param = test::gauge_param(shape.X, storage);
  loadGaugeQuda(host.pointer(), &param);
  host.fill(NAN);
  saveGaugeQuda(host.pointer(), &param);
  const bool exact = storage.reconstruct == QUDA_RECONSTRUCT_NO && storage.precision >= storage.host;
  const double allowed =
      storage.precision == QUDA_SINGLE_PRECISION || storage.host == QUDA_SINGLE_PRECISION ? 2e-6 : 1e-14;
  EXPECT_LE(test::largest_difference(host.all(), given), exact ? 0 : allowed)
      << "host " << storage.host << " precision " << storage.precision << " recon " << storage.reconstruct << " order "
      << storage.order << " xi " << storage.anisotropy << " boundary " << storage.t_boundary;
}

TEST(Gauge, RoundTrips)
{
  Session session;
  for (const QudaGaugeFieldOrder order : {QUDA_QDP_GAUGE_ORDER, QUDA_MILC_GAUGE_ORDER})
    for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12})
      for (const QudaPrecision precision : {QUDA_DOUBLE_PRECISION, QUDA_SINGLE_PRECISION})
        for (const double anisotropy : {1., 2.464})
          for (const int t_boundary : {1, -1}) {
            Storage storage {QUDA_DOUBLE_PRECISION, precision, reconstruct, order, anisotropy, t_boundary};
            round_trip<double>(storage);
            storage.host = QUDA_SINGLE_PRECISION;
            round_trip<float>(storage);
          }
}

TEST(Gauge, OneOrderInAnotherOut)
{
  Session session;
  const reference::GaugeField gauge = prepared({});
  HostLinks<double> qdp(gauge, whole, QUDA_QDP_GAUGE_ORDER), milc(gauge, whole, QUDA_MILC_GAUGE_ORDER);
  const auto expected = milc.all();
  QudaGaugeParam in = test::gauge_param(shape.X), out = in;
  out.gauge_order = QUDA_MILC_GAUGE_ORDER;
  loadGaugeQuda(qdp.pointer(), &in);
  milc.fill(0);
  saveGaugeQuda(milc.pointer(), &out);
  EXPECT_TRUE(test::same_bits(milc.all(), expected));
}

TEST(Gauge, ArbitraryMatricesOfEverySet)
{
  Handler handler;
  Session session;
  const QudaLinkType types[] = {QUDA_WILSON_LINKS, QUDA_ASQTAD_FAT_LINKS, QUDA_ASQTAD_LONG_LINKS, QUDA_SMEARED_LINKS};
  for (const QudaLinkType type : types) {
    HostLinks<double> host(reference::random_gauge(shape, 20 + type, reference::Kind::general), whole,
                           QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param = test::gauge_param(shape.X);
    param.type = type;
    loadGaugeQuda(host.pointer(), &param);
  }
  for (const QudaLinkType type : types) {
    HostLinks<double> host(reference::random_gauge(shape, 20 + type, reference::Kind::general), whole,
                           QUDA_QDP_GAUGE_ORDER);
    const auto given = host.all();
    host.fill(NAN);
    QudaGaugeParam param = test::gauge_param(shape.X);
    param.type = type;
    saveGaugeQuda(host.pointer(), &param);
    EXPECT_TRUE(test::same_bits(host.all(), given)) << type;
    freeUniqueGaugeQuda(type);
    EXPECT_EQ(handler.calls(), 0) << handler.text();
    saveGaugeQuda(host.pointer(), &param);
    EXPECT_TRUE(handler.says("no gauge field is resident")) << type << handler.text();
    handler.forget();
  }
  freeUniqueGaugeQuda(QUDA_TWOLINK_LINKS);
  freeGaugeTwoLinkQuda();
  freeGaugeSmearedQuda();
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  freeUniqueGaugeQuda(QUDA_MOMENTUM_LINKS);
  EXPECT_TRUE(handler.says("QUDA_MOMENTUM_LINKS") || handler.says("QUDA_ASQTAD_MOM_LINKS")) << handler.text();
}

TEST(Gauge, CompressedOnlyInSU3)
{
  Handler handler;
  Session session;
  HostLinks<double> host(prepared({}), whole, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(shape.X);
  param.type = QUDA_ASQTAD_FAT_LINKS;
  param.reconstruct = QUDA_RECONSTRUCT_12;
  loadGaugeQuda(host.pointer(), &param);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT) << handler.text();
  EXPECT_TRUE(handler.says("reconstruct = 12")) << handler.text();
}

const quda::GaugeField &resident_copy(quda::LinkCopy which)
{
  const quda::ResidentLinks &links = quda::guarded::session().wilson;
  return links.set("test").copy(links.storage(which));
}

TEST(Gauge, UnsetCopiesAreFilledIn)
{
  Session session;
  HostLinks<double> host(prepared({}), whole, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(shape.X);
  param.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
  param.reconstruct_sloppy = QUDA_RECONSTRUCT_12;
  loadGaugeQuda(host.pointer(), &param);
  EXPECT_EQ(param.cuda_prec_precondition, QUDA_SINGLE_PRECISION);
  EXPECT_EQ(param.cuda_prec_eigensolver, QUDA_DOUBLE_PRECISION);
  EXPECT_EQ(param.reconstruct_eigensolver, QUDA_RECONSTRUCT_12);

  const quda::GaugeField &sloppy = resident_copy(quda::LinkCopy::sloppy);
  EXPECT_EQ(sloppy.precision(), quda::Precision::single);
  EXPECT_EQ(sloppy.reconstruct(), quda::Reconstruct::r12);
  const auto tag = sloppy.tag();
  EXPECT_EQ(resident_copy(quda::LinkCopy::sloppy).tag(), tag); // made once
  loadGaugeQuda(host.pointer(), &param);
  EXPECT_NE(resident_copy(quda::LinkCopy::sloppy).tag(), tag); // and again for other links
}

TEST(Gauge, CopiesThatWereNotBuiltFailWhenUsed)
{
  Session session;
  HostLinks<double> host(prepared({}), whole, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(shape.X);
  param.cuda_prec_sloppy = QUDA_HALF_PRECISION;
  param.reconstruct_sloppy = QUDA_RECONSTRUCT_8;
  param.cuda_prec_precondition = QUDA_QUARTER_PRECISION;
  loadGaugeQuda(host.pointer(), &param);
  const quda::GaugeField &half = resident_copy(quda::LinkCopy::sloppy);
  EXPECT_EQ(half.precision(), quda::Precision::half);
  EXPECT_EQ(half.reconstruct(), quda::Reconstruct::r12); // in the place of eight
  EXPECT_THROW(resident_copy(quda::LinkCopy::precondition), quda::Error);
}

/// What the host hears of links in half is the next better precision's; operators have copies in half.
TEST(Gauge, HalfIsKeptInSingle)
{
  Handler handler;
  Session session;
  const reference::GaugeField links = prepared({});
  HostLinks<double> host(links, whole, QUDA_QDP_GAUGE_ORDER);
  const HostLinks<double> in_single(reference::rounded_to_single(links), whole, QUDA_QDP_GAUGE_ORDER);
  Storage storage;
  storage.precision = QUDA_HALF_PRECISION;
  QudaGaugeParam param = test::gauge_param(shape.X, storage);
  loadGaugeQuda(host.pointer(), &param);
  EXPECT_EQ(resident_copy(quda::LinkCopy::sloppy).precision(), quda::Precision::half);
  double plaquette[3];
  plaqQuda(plaquette);
  EXPECT_NEAR(plaquette[0], reference::plaquette(links)[0], 1e-6);
  host.fill(0);
  saveGaugeQuda(host.pointer(), &param);
  EXPECT_TRUE(test::same_bits(host.all(), in_single.all()));
  EXPECT_EQ(handler.calls(), 0) << handler.text();
}

/// Of precise links, too, what computes takes twelve numbers in the place of eight.
TEST(Gauge, PreciseLinksOfEightRealsAreKeptByTwelve)
{
  Session session;
  HostLinks<double> host(prepared({}), whole, QUDA_QDP_GAUGE_ORDER);
  const auto given = host.all();
  QudaGaugeParam param = test::gauge_param(shape.X);
  for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_12, QUDA_RECONSTRUCT_8}) {
    param.reconstruct = reconstruct;
    loadGaugeQuda(host.pointer(), &param);
    EXPECT_EQ(quda::guarded::session().wilson.precise("test").reconstruct(), quda::Reconstruct::r12);
    host.fill(0);
    saveGaugeQuda(host.pointer(), &param);
  }
  EXPECT_LT(test::largest_difference(host.all(), given), 1e-15);
}

TEST(Gauge, MetadataMustAgreeToSave)
{
  Handler handler;
  Session session;
  const Storage storage {
      QUDA_DOUBLE_PRECISION, QUDA_DOUBLE_PRECISION, QUDA_RECONSTRUCT_12, QUDA_QDP_GAUGE_ORDER, 2, -1};
  HostLinks<double> host(prepared(storage), whole, QUDA_QDP_GAUGE_ORDER);
  const auto given = host.all();
  const QudaGaugeParam good = test::gauge_param(shape.X, storage);
  QudaGaugeParam param = good;
  loadGaugeQuda(host.pointer(), &param);
  const auto refused = [&](const char *words) {
    saveGaugeQuda(host.pointer(), &param);
    EXPECT_EQ(handler.calls(), 1) << words;
    EXPECT_TRUE(handler.says(words)) << words << ": " << handler.text();
    EXPECT_TRUE(test::same_bits(host.all(), given)) << words;
    handler.forget();
    param = good;
  };
  param.anisotropy = 3;
  refused("anisotropy");
  param.t_boundary = QUDA_PERIODIC_T;
  refused("t_boundary");
  param.tadpole_coeff = 0.9;
  refused("tadpole");
  param.X[3] = 4;
  refused("X[3]");
  param.location = QUDA_CUDA_FIELD_LOCATION;
  refused("QudaGaugeParam.location");
}

TEST(Gauge, AFailedLoadChangesNothing)
{
  Handler handler;
  Session session;
  HostLinks<double> host(prepared({}), whole, QUDA_QDP_GAUGE_ORDER);
  const auto given = host.all();
  const QudaGaugeParam good = test::gauge_param(shape.X);
  QudaGaugeParam param = good;
  loadGaugeQuda(host.pointer(), &param);

  HostLinks<double> bad(prepared({}, 12), whole, QUDA_QDP_GAUGE_ORDER);
  const std::size_t slot = shape.slot({1, 2, 3, 4});
  bad.direction(2)[18 * slot + 7] = std::numeric_limits<double>::quiet_NaN();
  loadGaugeQuda(bad.pointer(), &param);
  EXPECT_TRUE(handler.says("h_gauge") && handler.says("direction 2, site 1 2 3 4 of this rank, real 7"))
      << handler.text();
  bad.direction(2)[18 * slot + 7] = std::numeric_limits<double>::infinity();
  handler.forget();
  loadGaugeQuda(bad.pointer(), &param);
  EXPECT_TRUE(handler.says("site 1 2 3 4")) << handler.text();

  void *hole[4];
  std::memcpy(hole, bad.pointer(), sizeof hole);
  hole[1] = nullptr;
  loadGaugeQuda(hole, &param);
  EXPECT_TRUE(handler.says("h_gauge[1] = null")) << handler.text();

  bad.direction(2)[18 * slot + 7] = 0;
  param.cuda_prec = QUDA_QUARTER_PRECISION;
  loadGaugeQuda(bad.pointer(), &param);
  EXPECT_TRUE(handler.says("cuda_prec")) << handler.text();

  param = good;
  host.fill(0);
  handler.forget();
  saveGaugeQuda(host.pointer(), &param);
  EXPECT_TRUE(test::same_bits(host.all(), given));
}

/// A third row made of the first two would not have the sign: such links are stored whole, as long ones are that are no
/// multiples of unitary matrices.
TEST(Gauge, LinksWithStaggeredPhasesAreNotCompressed)
{
  Session session;
  HostLinks<double> host(reference::random_gauge(shape, 20, reference::Kind::general), whole, QUDA_QDP_GAUGE_ORDER);
  const auto given = host.all();
  for (const QudaLinkType type : {QUDA_WILSON_LINKS, QUDA_ASQTAD_LONG_LINKS})
    for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_13, QUDA_RECONSTRUCT_9, QUDA_RECONSTRUCT_12}) {
      if (type == QUDA_ASQTAD_LONG_LINKS && reconstruct == QUDA_RECONSTRUCT_12) continue;
      QudaGaugeParam param = test::gauge_param(shape.X);
      param.type = type;
      param.scale = -1.0 / 24;
      // 13 and 9 of Wilson links say so themselves
      param.staggered_phase_applied = type == QUDA_ASQTAD_LONG_LINKS || reconstruct == QUDA_RECONSTRUCT_12;
      param.reconstruct = reconstruct;
      param.reconstruct_sloppy = QUDA_RECONSTRUCT_9;
      loadGaugeQuda(host.pointer(), &param);
      host.fill(0);
      saveGaugeQuda(host.pointer(), &param);
      EXPECT_TRUE(test::same_bits(host.all(), given));
      const quda::ResidentLinks &links = *quda::guarded::session().links(static_cast<quda::LinkType>(type));
      EXPECT_EQ(links.storage(quda::LinkCopy::sloppy).reconstruct, quda::Reconstruct::none);
    }
}

/// Long links of one number times unitary matrices are stored as asked, whatever QudaGaugeParam.scale says.
TEST(Gauge, LongLinksAreCompressed)
{
  Session session;
  const reference::GaugeField long_links = reference::random_unitary_long_links(shape, 20);
  for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_13, QUDA_RECONSTRUCT_9}) {
    HostLinks<double> host(long_links, whole, QUDA_QDP_GAUGE_ORDER);
    const auto given = host.all();
    QudaGaugeParam param = test::gauge_param(shape.X);
    param.type = QUDA_ASQTAD_LONG_LINKS;
    param.scale = 1;
    param.staggered_phase_applied = 1;
    param.reconstruct = reconstruct;
    param.cuda_prec_sloppy = QUDA_SINGLE_PRECISION;
    param.reconstruct_sloppy = QUDA_RECONSTRUCT_13;
    loadGaugeQuda(host.pointer(), &param);
    host.fill(0);
    saveGaugeQuda(host.pointer(), &param);
    const auto got = host.all();
    double worst = 0;
    for (std::size_t i = 0; i < given.size(); i++) worst = std::max(worst, std::abs(got[i] - given[i]));
    EXPECT_LE(worst, reconstruct == QUDA_RECONSTRUCT_9 ? 1e-12 : 1e-16) << reconstruct;
    const quda::ResidentLinks &links = quda::guarded::session().three;
    EXPECT_EQ(links.precise("test").reconstruct(), static_cast<quda::Reconstruct>(reconstruct));
    const quda::LinkStorage sloppy = links.storage(quda::LinkCopy::sloppy);
    EXPECT_EQ(links.set("test").copy(sloppy).reconstruct(), quda::Reconstruct::r13);
    EXPECT_TRUE(links.precise("test").phases().applied);
  }
}

/// Work that writes the resident links and fails: they are as before, or gone with a word about it.
TEST(Gauge, WhatFailsHalfWayLeavesNoMixture)
{
  Handler handler;
  Session session;
  HostLinks<double> host(prepared({}), whole, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(shape.X);
  loadGaugeQuda(host.pointer(), &param);
  quda::ResidentLinks &links = quda::guarded::session().wilson;
  quda::GaugeField &field = links.precise("test");
  const auto run = [&](bool writes) {
    const auto work = [&] {
      if (writes) field.mark_written();
      throw std::bad_alloc();
    };
    quda::guard("test", [&] { quda::write_or_free(field, "test", work, [&] { links.free(); }); });
  };
  run(false);
  EXPECT_EQ(handler.text(), "test: out of host memory");
  EXPECT_TRUE(links.loaded());
  run(true);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_OUT_OF_MEMORY);
  EXPECT_TRUE(handler.says("test: out of host memory") && handler.says("has been freed")) << handler.text();
  EXPECT_FALSE(links.loaded());
}

TEST(Gauge, ResidentLinksAsInput)
{
  Handler handler;
  Session session;
  const reference::GaugeField gauge = prepared({});
  HostLinks<double> host(gauge, whole, QUDA_QDP_GAUGE_ORDER);
  const auto given = host.all();
  QudaGaugeParam param = test::gauge_param(shape.X);
  param.use_resident_gauge = 1;
  loadGaugeQuda(nullptr, &param);
  EXPECT_TRUE(handler.says("no gauge field is resident")) << handler.text();
  handler.forget();

  QudaGaugeParam first = test::gauge_param(shape.X);
  loadGaugeQuda(host.pointer(), &first);
  param.cuda_prec = QUDA_SINGLE_PRECISION;
  param.reconstruct = QUDA_RECONSTRUCT_12;
  loadGaugeQuda(nullptr, &param);
  host.fill(0);
  saveGaugeQuda(host.pointer(), &param);
  EXPECT_LE(test::largest_difference(host.all(), given), 2e-6);
  EXPECT_EQ(handler.calls(), 0) << handler.text();

  // into another set: the Wilson links move
  param = test::gauge_param(shape.X);
  param.type = QUDA_ASQTAD_FAT_LINKS;
  param.use_resident_gauge = 1;
  loadGaugeQuda(nullptr, &param);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  host.fill(0);
  saveGaugeQuda(host.pointer(), &param);
  EXPECT_LE(test::largest_difference(host.all(), given), 2e-6);
  double plaq[3];
  plaqQuda(plaq);
  EXPECT_TRUE(handler.says("no gauge field is resident")) << handler.text();
}

/// Load A, hop, load B through the same pointer, hop: the bits of a fresh session that knew B alone.
TEST(Gauge, NothingIsStale)
{
  const reference::GaugeField a = prepared({}, 31), b = prepared({}, 32);
  const auto psi = reference::to_host<double>(reference::random_spinors(shape, 5), shape, whole, 1);
  for (const QudaReconstructType reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12}) {
    Storage storage;
    storage.reconstruct = reconstruct;
    QudaGaugeParam param = test::gauge_param(shape.X, storage);
    QudaInvertParam wilson = test::wilson_param();
    std::vector<double> in = psi, mixed(psi.size()), fresh(psi.size()), of_a(psi.size());
    double plaq_mixed[3], plaq_fresh[3];
    {
      Session session;
      HostLinks<double> host(a, whole, QUDA_MILC_GAUGE_ORDER), other(b, whole, QUDA_MILC_GAUGE_ORDER);
      param.gauge_order = QUDA_MILC_GAUGE_ORDER;
      loadGaugeQuda(host.pointer(), &param);
      plaqQuda(plaq_mixed);
      dslashQuda(of_a.data(), in.data(), &wilson, QUDA_EVEN_PARITY);
      std::memcpy(host.pointer(), other.pointer(), 72 * shape.volume() * sizeof(double));
      loadGaugeQuda(host.pointer(), &param);
      dslashQuda(mixed.data(), in.data(), &wilson, QUDA_EVEN_PARITY);
      plaqQuda(plaq_mixed);
    }
    {
      Session session;
      HostLinks<double> host(b, whole, QUDA_MILC_GAUGE_ORDER);
      loadGaugeQuda(host.pointer(), &param);
      dslashQuda(fresh.data(), in.data(), &wilson, QUDA_EVEN_PARITY);
      plaqQuda(plaq_fresh);
    }
    EXPECT_TRUE(test::same_bits(mixed, fresh));
    EXPECT_FALSE(test::same_bits(mixed, of_a));
    for (int i = 0; i < 3; i++) EXPECT_EQ(plaq_mixed[i], plaq_fresh[i]);
  }
}

} // namespace
