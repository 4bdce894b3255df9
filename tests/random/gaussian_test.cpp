/// Random momenta and links against the plain reference, and the moments of their distribution.

#include <cmath>

#include <gtest/gtest.h>

#include "core/environment_support.h"
#include "fields/pretend_grid.h"
#include "ops/random/gaussian.h"
#include "ops/random/spinors.h"
#include "reference/algebra.h"
#include "reference/gauge/links.h"
#include "reference/random/gaussian.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

constexpr std::uint64_t seed = 0x123456789abcdefu;

GaugeField fresh(const support::Place &place, const support::LinkForm &form, LinkType type = LinkType::su3)
{
  GaugeFieldParam param;
  param.lattice = place.lattice;
  param.precision = form.precision;
  param.reconstruct = type == LinkType::momentum ? Reconstruct::r10 : form.reconstruct;
  param.link_type = type;
  param.anisotropy = form.anisotropy;
  param.t_boundary = static_cast<TBoundary>(form.t_boundary);
  return GaugeField(param);
}

/// The numbers of a native field, QDP order.
reference::QdpLinks<double> host_arrays(const GaugeField &field)
{
  GaugeFieldParam param = field.param();
  param.precision = Precision::double_;
  param.order = GaugeOrder::qdp;
  param.location = Location::host;
  param.create = Create::reference;
  if (param.link_type != LinkType::momentum) param.reconstruct = Reconstruct::none;
  reference::QdpLinks<double> host;
  for (int mu = 0; mu < 4; mu++) {
    host[mu].resize(field.lattice().volume() * static_cast<int>(param.reconstruct));
    param.data[mu] = host[mu].data();
  }
  GaugeField foreign(param);
  foreign = field;
  return host;
}

reference::GaugeField links_of(const GaugeField &field, const reference::Lattice &lattice)
{
  return reference::from_qdp(lattice, host_arrays(field));
}

/// Ten numbers a link as matrices.
reference::GaugeField momenta_of(const GaugeField &field, const reference::Lattice &lattice)
{
  const auto host = host_arrays(field);
  reference::GaugeField out(lattice);
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const double *p = &host[mu][10 * slot];
      EXPECT_EQ(p[9], 0);
      reference::Link &a = out.U[mu][slot];
      a = reference::Link::Zero();
      const int place[3][2] = {{0, 1}, {0, 2}, {1, 2}};
      for (int k = 0; k < 3; k++) {
        const reference::Complex z(p[2 * k], p[2 * k + 1]);
        a(place[k][0], place[k][1]) = z;
        a(place[k][1], place[k][0]) = -std::conj(z);
        a(k, k) = reference::Complex(0, p[6 + k]);
      }
    }
  return out;
}

const reference::Coords shapes[] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}};

} // namespace

TEST(GaussianMomentum, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords &shape : shapes)
      for (const Precision precision : {Precision::double_, Precision::single}) {
        const reference::Lattice lattice(shape);
        const support::Place place(lattice, make_single_communicator());
        GaugeField momentum = fresh(place, {precision}, LinkType::momentum);
        const auto tag = momentum.tag();
        gaussian_momentum(momentum, seed, 1.25);
        EXPECT_NE(momentum.tag(), tag);
        const auto expected =
            reference::random_field(lattice, seed, reference::Purpose::momentum, [](const auto &stream) {
              return reference::Link(1.25 * reference::normal_algebra(stream));
            });
        const double bar = precision == Precision::double_ ? 1e-14 : 1e-6;
        EXPECT_LE(reference::deviation(momenta_of(momentum, lattice), expected), bar);
      }
  });
}

/// The far end of a lattice whose sites are more than 2^32.
TEST(GaussianMomentum, AgreesWhereSitesHaveLongNumbers)
{
  support::on_targets([] {
    const reference::Lattice global({256, 256, 256, 320});
    constexpr int P = 32;
    const support::Place place(global, PretendGrid::create(P, P, P, P, P * P * P * P - 1));
    for (const Precision precision : {Precision::double_, Precision::single}) {
      GaugeField momentum = fresh(place, {precision}, LinkType::momentum);
      gaussian_momentum(momentum, seed, 1);
      const reference::GaugeField found = momenta_of(momentum, place.part.local);
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t slot = 0; slot < place.part.local.volume(); slot += 7) {
          const std::uint64_t site = global.lexicographic(place.part.global_coords(slot));
          ASSERT_GT(site, std::uint64_t(1) << 32);
          const reference::LinkStream stream {seed, site, reference::Purpose::momentum, mu};
          const reference::Link expected = reference::normal_algebra(stream);
          ASSERT_LE((found.U[mu][slot] - expected).cwiseAbs().maxCoeff(),
                    precision == Precision::double_ ? 1e-13 : 1e-5)
              << "site " << site << " direction " << mu;
        }
    }
  });
}

/// Quark fields: number n of a site and inner entry j is draw n of the stream `first` + j.
TEST(GaussianSpinors, AgreeWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords &shape : shapes)
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const int parity : {-1, 1})
          for (const int spins : {4, 1}) {
            const reference::Lattice lattice(shape);
            const support::Place place(lattice, make_single_communicator());
            ColorSpinorParam param = support::native_spinors(place, precision, parity, 2).param();
            param.spins = spins;
            ColorSpinorField field(param);
            const auto tag = field.tag();
            gaussian_spinors(field, seed, 7);
            EXPECT_NE(field.tag(), tag);
            const std::vector<double> found = support::host_array(field);
            const std::size_t half = lattice.half(), numbers = 3 * static_cast<std::size_t>(spins);
            double worst = 0;
            for (std::size_t p = 0; p < (parity < 0 ? 2u : 1u); p++)
              for (std::size_t j = 0; j < 2; j++)
                for (std::size_t i = 0; i < half; i++) {
                  const std::size_t slot = (parity < 0 ? p : static_cast<std::size_t>(parity)) * half + i;
                  const reference::LinkStream stream {seed,
                                                      lattice.lexicographic(lattice.coords(slot)),
                                                      reference::Purpose::start,
                                                      0,
                                                      1,
                                                      static_cast<std::uint32_t>(7 + j)};
                  for (std::size_t n = 0; n < numbers; n++) {
                    const std::size_t at = 2 * (((p * 2 + j) * half + i) * numbers + n);
                    const reference::Complex is(found[at], found[at + 1]);
                    worst = std::max(worst, std::abs(is - reference::normal(stream, static_cast<int>(n))));
                  }
                }
            EXPECT_LE(worst, precision == Precision::double_ ? 1e-14 : 3e-6) << spins << " spins, parity " << parity;
          }
  });
}

TEST(GaussianLinks, AgreeWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords &shape : shapes)
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          const reference::Lattice lattice(shape);
          const support::Place place(lattice, make_single_communicator());
          GaugeField links = fresh(place, {precision, reconstruct, 2.464, -1});
          auto expected = reference::random_field(lattice, seed, reference::Purpose::gauge, [](const auto &stream) {
            return reference::exponential(0.7 * reference::normal_algebra(stream));
          });
          // two rows can only hold links that carry the factors
          if (reconstruct == Reconstruct::r12) reference::set_up_links(expected, 2.464, -1);
          gaussian_links(links, seed, 0.7);
          const double bar = precision == Precision::double_ ? 1e-13 : 5e-6;
          EXPECT_LE(reference::deviation(links_of(links, lattice), expected), bar);
        }
  });
}

TEST(Starts, HotAndCold)
{
  support::on_targets([] {
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
        const reference::Lattice lattice({4, 2, 6, 8});
        const support::Place place(lattice, make_single_communicator());
        GaugeField links = fresh(place, {precision, reconstruct, 2.464, -1});
        auto expected = reference::random_field(lattice, seed, reference::Purpose::start,
                                                [](const auto &stream) { return reference::uniform_link(stream); });
        reference::set_up_links(expected, 2.464, -1);
        hot_start(links, seed);
        EXPECT_LE(reference::deviation(links_of(links, lattice), expected),
                  precision == Precision::double_ ? 1e-13 : 5e-6);

        reference::GaugeField unit(lattice);
        reference::set_up_links(unit, 2.464, -1);
        cold_start(links);
        EXPECT_LE(reference::deviation(links_of(links, lattice), unit), 2e-7);
        gaussian_links(links, seed, 0);
        if (reconstruct == Reconstruct::none) {
          EXPECT_EQ(reference::deviation(links_of(links, lattice), reference::GaugeField(lattice)), 0);
        }
        GaugeField momentum = fresh(place, {precision}, LinkType::momentum);
        gaussian_momentum(momentum, seed, 0);
        for (const auto &direction : momenta_of(momentum, lattice).U)
          for (const reference::Link &a : direction) EXPECT_EQ(a.norm(), 0);
      }
  });
}

/// The components h_a = Im tr(lambda_a A) / 2: mean 0, variance 1/2, fourth moment 3/4, uncorrelated, of a link, of
/// neighbours and of directions. Bars: five standard deviations.
TEST(GaussianMomentum, HasTheMomentsOfANormalDistribution)
{
  choose_target();
  const reference::Lattice lattice({16, 16, 16, 16});
  const support::Place place(lattice, make_single_communicator());
  GaugeField momentum = fresh(place, {Precision::double_}, LinkType::momentum);
  gaussian_momentum(momentum, 77, 1);
  const reference::GaugeField a = momenta_of(momentum, lattice);
  using Components = std::array<double, 8>;
  const auto components = [&](int mu, std::size_t slot) {
    const reference::Link &m = a.U[mu][slot];
    return Components {
        m(0, 1).imag(), m(0, 1).real(), (m(0, 0) - m(1, 1)).imag() / 2,      m(0, 2).imag(), m(0, 2).real(),
        m(1, 2).imag(), m(1, 2).real(), -m(2, 2).imag() * std::sqrt(3.0) / 2};
  };
  Components mean {}, second {}, fourth {};
  double pairs[8][8] = {}, along[4] = {}, across = 0, kinetic = 0;
  const double n = 4.0 * static_cast<double>(lattice.volume());
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++) {
      const Components h = components(mu, slot);
      for (int i = 0; i < 8; i++) {
        mean[i] += h[i] / n;
        second[i] += h[i] * h[i] / n;
        fourth[i] += h[i] * h[i] * h[i] * h[i] / n;
        for (int j = 0; j < i; j++) pairs[i][j] += h[i] * h[j] / n;
        kinetic += h[i] * h[i];
      }
      for (int d = 0; d < 4; d++)
        along[d] += h[0] * components(mu, lattice.slot(lattice.shifted(lattice.coords(slot), d, 1)))[0] / n;
      across += h[0] * components((mu + 1) % 4, slot)[0] / n;
    }
  const double bar = 5 / std::sqrt(n);
  for (int i = 0; i < 8; i++) {
    EXPECT_NEAR(mean[i], 0, bar * std::sqrt(0.5));
    EXPECT_NEAR(second[i], 0.5, bar * std::sqrt(0.5));
    EXPECT_NEAR(fourth[i], 0.75, bar * std::sqrt(96.0 / 16)); // E h^8 - (E h^4)^2 = (105 - 9)/16
    for (int j = 0; j < i; j++) EXPECT_NEAR(pairs[i][j], 0, bar * 0.5) << i << j;
  }
  for (int d = 0; d < 4; d++) EXPECT_NEAR(along[d], 0, bar * 0.5) << d;
  EXPECT_NEAR(across, 0, bar * 0.5);
  EXPECT_NEAR(kinetic / n, 4, 2 * bar);
}

/// Numbers belong to sites, in a checkerboard of five dimensions too, however the lattice is cut into lanes.
TEST(Gaussian, SpinorsOfFiveDimensionsDoNotDependOnLanes)
{
  const auto numbers = [](const char *split, SiteSubset subset) {
    const Variable lanes("QUDA_LANE_SPLIT", split);
    const support::Place place(reference::Lattice({6, 6, 2, 6}), make_single_communicator());
    ColorSpinorParam param;
    param.lattice = place.lattice;
    param.fifth = 4;
    param.alternating = true;
    param.subset = subset;
    param.parity = subset == SiteSubset::parity;
    ColorSpinorField field(param);
    gaussian_spinors(field, seed);
    return support::host_array(field);
  };
  choose_target();
  for (const SiteSubset subset : {SiteSubset::full, SiteSubset::parity})
    EXPECT_EQ(numbers("", subset), numbers("1 1 1 1", subset));
}
