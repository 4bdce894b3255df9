/// Gauge fixing through the C interface, against the plain reference.

#include "session.h"

#include "quda_milc_interface.h"

#include "reference/fix/gauge_fix.h"
#include "reference/gauge/transform.h"

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
const unsigned steps = 3;
const double boost = 1.7;

reference::GaugeField relaxed(reference::GaugeField gauge, int directions)
{
  for (unsigned i = 0; i < steps; i++) reference::over_relax(gauge, directions, boost);
  return gauge;
}

/// Links in MILC order.
reference::GaugeField of_milc(const double *host, std::size_t doubles_a_site)
{
  reference::GaugeField gauge(lattice);
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    for (int mu = 0; mu < 4; mu++)
      for (int k = 0; k < 9; k++) {
        const double *u = host + slot * doubles_a_site + 18 * mu + 2 * k;
        gauge.U[mu][slot].data()[k] = {u[0], u[1]};
      }
  return gauge;
}

using GaugeFixing = test::Begun;

TEST_F(GaugeFixing, OfHostLinksWithTheRotation)
{
  const reference::GaugeField gauge = reference::random_gauge(lattice, 1);
  for (const unsigned directions : {3u, 4u})
    for (const auto reconstruct : {QUDA_RECONSTRUCT_NO, QUDA_RECONSTRUCT_12}) {
      HostLinks<double> host(gauge, whole, QUDA_QDP_GAUGE_ORDER), again = host;
      Storage storage;
      storage.reconstruct = reconstruct;
      QudaGaugeParam param = test::gauge_param(lattice.X, storage);
      param.make_resident_gauge = 1;
      const Output output;
      EXPECT_EQ(computeGaugeFixingOVRQuda(host.pointer(), directions, steps, 1, boost, 0, 1, 1, &param), 0);
      const reference::GaugeField expected = relaxed(gauge, static_cast<int>(directions));
      reference::GaugeField found(lattice);
      const double *const links[4] = {host.direction(0), host.direction(1), host.direction(2), host.direction(3)};
      reference::from_qdp(found, whole, links);
      EXPECT_LT(reference::deviation(found, expected), 1e-12);
      EXPECT_TRUE(output.says("Step: 3\tAction: ")) << output.text();
      double plaquette[3];
      plaqQuda(plaquette); // of the result, which is resident now
      EXPECT_NEAR(plaquette[0], reference::plaquette(gauge)[0], 1e-13);
      param.make_resident_gauge = 0;
      saveGaugeQuda(host.pointer(), &param);
      reference::from_qdp(found, whole, links);
      EXPECT_LT(reference::deviation(found, expected), 1e-12);

      // the rotation takes the old links to the new ones
      std::vector<double> numbers(18 * lattice.volume());
      gaugeFixingOVRRotationQuda(again.pointer(), numbers.data(), directions, steps, 10, boost, 0, 1, &param);
      reference::Rotation g(lattice.volume());
      for (std::size_t slot = 0; slot < lattice.volume(); slot++)
        for (int k = 0; k < 9; k++) g[slot].data()[k] = {numbers[18 * slot + 2 * k], numbers[18 * slot + 2 * k + 1]};
      EXPECT_LT(reference::deviation(reference::transformed(gauge, g), expected), 1e-12);
    }
}

TEST_F(GaugeFixing, UntilThetaIsSmallOrTheFunctionalStays)
{
  const reference::GaugeField gauge = reference::random_gauge(lattice, 2, reference::Kind::weak);
  for (const unsigned by_theta : {1u, 0u}) {
    HostLinks<double> host(gauge, whole, QUDA_QDP_GAUGE_ORDER);
    QudaGaugeParam param = test::gauge_param(lattice.X);
    computeGaugeFixingOVRQuda(host.pointer(), 4, 5000, 1000, 1.6, by_theta ? 1e-13 : 1e-15, 1, by_theta, &param);
    reference::GaugeField found(lattice);
    const double *const links[4] = {host.direction(0), host.direction(1), host.direction(2), host.direction(3)};
    reference::from_qdp(found, whole, links);
    EXPECT_LT(reference::gauge_theta(found, 4), by_theta ? 1e-13 : 1e-11);
    EXPECT_NEAR(reference::plaquette(found)[0], reference::plaquette(gauge)[0], 1e-12);
  }
}

TEST_F(GaugeFixing, OfMilcSites)
{
  const int one[4] = {1, 1, 1, 1};
  qudaSetLayout({lattice.X.data(), one, -1});
  const reference::GaugeField gauge = reference::random_gauge(lattice, 3);
  const std::vector<double> milc = reference::to_milc<double>(gauge, whole);
  const std::size_t site = 4 + 72 + 40; // what else a site holds, links, momenta
  std::vector<double> sites(site * lattice.volume(), 7);
  for (std::size_t slot = 0; slot < lattice.volume(); slot++)
    std::copy_n(&milc[72 * slot], 72, &sites[site * slot + 4]);
  QudaMILCSiteArg_t arg {};
  arg.site = sites.data();
  arg.size = site * sizeof(double);
  arg.link_offset = 4 * sizeof(double);
  qudaGaugeFixingOVR(2, 4, steps, 1, boost, 0, 1, 1, &arg);
  const reference::GaugeField expected = relaxed(gauge, 4);
  EXPECT_LT(reference::deviation(of_milc(&sites[4], site), expected), 1e-12);
  EXPECT_EQ(sites[3], 7);
  EXPECT_EQ(sites[4 + 72], 7);
  std::vector<double> links = milc;
  qudaGaugeFixingFFT(2, 3, steps, 1, 0.08, 0, 0, 1, links.data());
  if (handler.kind() != QUDA_ERROR_KIND_NOT_BUILT) {
    reference::GaugeField right = gauge;
    for (unsigned i = 0; i < steps; i++) reference::descend(right, 3, 0.08);
    EXPECT_LT(reference::deviation(of_milc(links.data(), 72), right), 1e-12);
  }
}

} // namespace
