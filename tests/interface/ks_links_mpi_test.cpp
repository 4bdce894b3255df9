/// Links of improved staggered fermions through the C interface, against the plain reference, on several ranks: those
/// that are wanted, in host orders and precisions; by MILC's calls the two levels of HISQ with two Naik masses.

#include "on_grids.h"

#include "quda_milc_interface.h"

#include "reference/gauge/project.h"
#include "reference/gauge/staggered_phase.h"
#include "reference/links/fat_links.h"

#include <map>

namespace
{

using reference::Coords;
using reference::GaugeField;
using reference::PathWeights;
using test::HostLinks;

const reference::Lattice global({4, 4, 4, 8});

std::vector<Coords> grids()
{
  return std::map<int, std::vector<Coords>> {
      {1, {{1, 1, 1, 1}}}, {2, {{1, 1, 1, 2}, {2, 1, 1, 1}}}, {4, {{1, 2, 1, 2}, {1, 1, 1, 4}}}}[support::ranks()];
}

template <class real> double difference(const HostLinks<real> &found, const GaugeField &right,
                                        const reference::Part &part, QudaGaugeFieldOrder order)
{
  return test::largest_difference(found.all(), HostLinks<double>(right, part, order).all());
}

struct Right {
  GaugeField fat, straight, unitary;

  Right(const GaugeField &thin, const PathWeights &c)
      : fat(reference::fat_links(thin, c))
      , straight(reference::long_links(thin, c))
      , unitary(reference::unitary_links(fat))
  {
  }
};

const GaugeField bare = reference::random_gauge(global, 91, reference::Kind::weak);

template <class real> void as_the_reference(const reference::Part &part, QudaGaugeFieldOrder order,
                                            QudaPrecision precision, const GaugeField &thin, const PathWeights &weights,
                                            const Right &right)
{
  const bool both = sizeof(real) == 8 && precision == QUDA_DOUBLE_PRECISION;
  HostLinks<real> in(thin, part, order), fat = in, straight = in, unitary = in;
  test::Storage storage;
  storage.host = sizeof(real) == 8 ? QUDA_DOUBLE_PRECISION : QUDA_SINGLE_PRECISION;
  storage.precision = precision;
  storage.order = order;
  storage.t_boundary = -1;
  QudaGaugeParam param = test::gauge_param(part.local.X, storage);
  param.staggered_phase_type = QUDA_STAGGERED_PHASE_MILC;
  param.staggered_phase_applied = 1;
  param.use_resident_gauge = 1; // as PyQUDA leaves it
  GaugeField sevens(global);
  for (auto &links : sevens.U)
    for (reference::Link &u : links) u.fill({7, 7});
  PathWeights c = weights;
  for (int wanted = 0; wanted < 8; wanted++) {
    for (HostLinks<real> *links : {&fat, &straight, &unitary}) links->fill(7);
    computeKSLinkQuda(wanted & 1 ? fat.pointer() : nullptr, wanted & 2 ? straight.pointer() : nullptr,
                      wanted & 4 ? unitary.pointer() : nullptr, in.pointer(), c.data(), &param);
    const auto expect = [&](int bit, const HostLinks<real> &found, const GaugeField &links) {
      const double error = difference(found, wanted & bit ? links : sevens, part, order);
      EXPECT_LE(error, !(wanted & bit) ? 0 : both ? 1e-12 : 1e-5) << "wanted " << wanted << ", links " << bit;
    };
    expect(1, fat, right.fat);
    expect(2, straight, right.straight);
    expect(4, unitary, right.unitary);
  }
}

} // namespace

TEST(KSLinks, AsTheReference)
{
  const GaugeField thin = reference::staggered(bare, reference::StaggeredPhases::milc, -1);
  const PathWeights c = reference::phased(reference::asqtad_weights);
  const Right right(thin, c);
  test::on_grids(
      global,
      [&](const reference::Part &part) {
        as_the_reference<double>(part, QUDA_QDP_GAUGE_ORDER, QUDA_DOUBLE_PRECISION, thin, c, right);
        as_the_reference<double>(part, QUDA_MILC_GAUGE_ORDER, QUDA_SINGLE_PRECISION, thin, c, right);
        as_the_reference<float>(part, QUDA_MILC_GAUGE_ORDER, QUDA_DOUBLE_PRECISION, thin, c, right);
      },
      grids());
}

/// Chroma's convention: unitarised links in SU(3), their phases on.
TEST(KSLinks, AsChromaHasThem)
{
  const GaugeField thin = reference::staggered(bare, reference::StaggeredPhases::chroma, -1);
  PathWeights c = reference::phased(reference::fat7_weights);
  const GaugeField right =
      reference::staggered(reference::projected(reference::fat_links(bare, reference::fat7_weights)),
                           reference::StaggeredPhases::chroma, -1);
  test::on_grids(
      global,
      [&](const reference::Part &part) {
        HostLinks<double> in(thin, part, QUDA_QDP_GAUGE_ORDER);
        test::Storage storage;
        storage.t_boundary = -1;
        QudaGaugeParam param = test::gauge_param(part.local.X, storage);
        param.staggered_phase_type = QUDA_STAGGERED_PHASE_CHROMA;
        param.staggered_phase_applied = 1;
        computeKSLinkQuda(nullptr, nullptr, in.pointer(), in.pointer(), c.data(), &param); // in place
        EXPECT_LT(difference(in, right, part, QUDA_QDP_GAUGE_ORDER), 1e-12);
      },
      grids());
}

TEST(KSLinks, LinksWithoutUnitaryPartsAreCounted)
{
  const Coords grid = grids().front();
  test::Handler handler;
  test::Session session(grid.data());
  const reference::Part part = support::part_on(grid, global);
  HostLinks<double> in(bare, part, QUDA_QDP_GAUGE_ORDER), out = in;
  QudaGaugeParam param = test::gauge_param(part.local.X);
  PathWeights none {};
  computeKSLinkQuda(out.pointer(), nullptr, out.pointer(), in.pointer(), none.data(), &param);
  EXPECT_TRUE(handler.says("computeKSLinkQuda: 2048 fat links")) << handler.text();
  EXPECT_TRUE(test::same_bits(out.all(), in.all()));
}

/// Products of links that carry an anisotropy and the boundary's sign.
TEST(KSLinks, TwoLinkOfPreparedLinks)
{
  GaugeField thin = bare;
  reference::set_up_links(thin, 1.3, -1);
  GaugeField right = thin;
  for (std::size_t slot = 0; slot < global.volume(); slot++)
    for (int mu = 0; mu < 4; mu++)
      right.U[mu][slot] *= Eigen::Matrix3cd(thin.at(mu, global.shifted(global.coords(slot), mu, 1)));
  test::on_grids(
      global,
      [&](const reference::Part &part) {
        HostLinks<double> in(thin, part, QUDA_QDP_GAUGE_ORDER), out = in;
        test::Storage storage;
        storage.anisotropy = 1.3;
        storage.t_boundary = -1;
        QudaGaugeParam param = test::gauge_param(part.local.X, storage);
        computeTwoLinkQuda(out.pointer(), in.pointer(), &param);
        EXPECT_LT(difference(out, right, part, QUDA_QDP_GAUGE_ORDER), 1e-13);
      },
      grids());
}

TEST(KSLinks, OfHISQByMilcsCalls)
{
  constexpr double epsilon = -0.1;
  const GaugeField thin = reference::staggered(bare, reference::StaggeredPhases::milc, -1);
  const PathWeights fat7 = reference::phased(reference::fat7_weights),
                    hisq = reference::phased(reference::hisq_weights),
                    naik = reference::phased(reference::naik_weights);
  const Right first(thin, fat7), second(first.unitary, hisq), more(first.unitary, naik);
  for (const Coords &grid : grids()) {
    test::Handler handler;
    const reference::Part part = support::part_on(grid, global, true);
    setVerbosityQuda(QUDA_SILENT, "", nullptr);
    qudaInit({QUDA_SILENT, {global.X.data(), grid.data(), -1}});
    qudaHisqParamsInit({1, 0, 1e-8, 1e-8, 5e-5});
    constexpr auto order = QUDA_MILC_GAUGE_ORDER;
    HostLinks<double> u(thin, part, order), v = u, w = u, fat = u, straight = u, fat_more = u, straight_more = u;
    const QudaFatLinkArgs_t of_su3 {1, 0};
    qudaLoadUnitarizedLink(2, of_su3, fat7.data(), u.pointer(), v.pointer(), w.pointer());
    EXPECT_LT(difference(v, first.fat, part, order), 1e-12);
    EXPECT_LT(difference(w, first.unitary, part, order), 1e-12);
    w.fill(0);
    qudaLoadUnitarizedLink(2, of_su3, fat7.data(), u.pointer(), nullptr, w.pointer());
    qudaLoadKSLink(2, of_su3, hisq.data(), w.pointer(), fat.pointer(), straight.pointer());
    EXPECT_LT(difference(fat, second.fat, part, order), 1e-12);
    EXPECT_LT(difference(straight, second.straight, part, order), 1e-12);
    qudaLoadKSLink(2, of_su3, naik.data(), w.pointer(), fat_more.pointer(), straight_more.pointer());
    // as the host sums them: one link and three of a charmed quark
    GaugeField right = second.fat;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < global.volume(); slot++) right.U[mu][slot] += epsilon * more.fat.U[mu][slot];
    std::vector<double> sum = fat.all();
    const std::vector<double> beside = fat_more.all();
    for (std::size_t i = 0; i < sum.size(); i++) sum[i] += epsilon * beside[i];
    EXPECT_LT(test::largest_difference(sum, HostLinks<double>(right, part, order).all()), 1e-12);
    EXPECT_LT(difference(straight_more, more.straight, part, order), 1e-12);
    // links of an operator, loaded before, are those of the links before: none is left
    for (const QudaLinkType type : {QUDA_ASQTAD_FAT_LINKS, QUDA_ASQTAD_LONG_LINKS}) {
      test::Storage storage;
      storage.order = order;
      QudaGaugeParam param = test::gauge_param(part.local.X, storage);
      param.type = type;
      loadGaugeQuda(fat.pointer(), &param);
      saveGaugeQuda(fat.pointer(), &param);
      EXPECT_EQ(handler.calls(), 0) << handler.text();
      qudaLoadKSLink(2, of_su3, hisq.data(), w.pointer(), fat.pointer(), straight.pointer());
      saveGaugeQuda(fat.pointer(), &param);
      EXPECT_TRUE(handler.says("no gauge field is resident")) << handler.text();
      handler.forget();
    }
    qudaFinalize();
  }
}
