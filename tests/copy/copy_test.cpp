/// Copies of gauge fields: round trips through every order, precision and reconstruct.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "copy/numbers.h"
#include "core/error.h"
#include "ops/links/link_set.h"
#include "reference/dirac/staggered.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/native_fields.h"
#include "support/refused.h"
#include "support/untuned.h"

using namespace quda;
using namespace copy_test;

namespace
{

template <class real> std::vector<real> milc_links(GaugeField &native)
{
  std::vector<real> host(72 * native.lattice().volume());
  GaugeFieldParam param = native.param();
  param.order = GaugeOrder::milc;
  param.precision = sizeof(real) == 8 ? Precision::double_ : Precision::single;
  param.reconstruct = Reconstruct::none;
  param.location = Location::host;
  param.create = Create::reference;
  param.data[0] = host.data();
  GaugeField foreign(param);
  foreign = native;
  return host;
}

/// Momenta of `place` in a host order, at data; QDP: four arrays one after the other.
GaugeField host_momenta(const support::Place &place, GaugeOrder order, std::vector<double> &data)
{
  GaugeFieldParam param;
  param.lattice = place.lattice;
  param.link_type = LinkType::momentum;
  param.reconstruct = Reconstruct::r10;
  param.order = order;
  param.location = Location::host;
  param.create = Create::reference;
  for (int mu = 0; mu < (order == GaugeOrder::qdp ? 4 : 1); mu++)
    param.data[mu] = data.data() + mu * 10 * place.lattice->volume();
  return GaugeField(param);
}

} // namespace

TEST(GaugeCopy, MomentaInBothHostOrders)
{
  support::on_targets([] {
    for (const auto &shape : shapes) {
      const support::Place place(reference::Lattice(shape), make_single_communicator());
      const long long volume = place.lattice->volume();
      std::vector<double> milc = some_numbers(40 * volume), milc_again(milc.size()), qdp(milc.size());
      GaugeFieldParam param;
      param.lattice = place.lattice;
      param.link_type = LinkType::momentum;
      param.reconstruct = Reconstruct::r10;
      GaugeField native(param);
      native = host_momenta(place, GaugeOrder::milc, milc);
      host_momenta(place, GaugeOrder::qdp, qdp) = native;
      for (long long slot = 0; slot < volume; slot++)
        for (int mu = 0; mu < 4; mu++)
          for (int k = 0; k < 10; k++)
            ASSERT_EQ(qdp[(mu * volume + slot) * 10 + k], milc[(slot * 4 + mu) * 10 + k]) << slot << ' ' << mu;
      native.mark_written();
      host_momenta(place, GaugeOrder::milc, milc_again) = host_momenta(place, GaugeOrder::qdp, qdp);
      EXPECT_EQ(milc_again, milc);
    }
  });
}

TEST(GaugeCopy, OrdersAndPrecisionsKeepEveryLink)
{
  support::on_targets([] {
    for (const auto &shape : shapes) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      const reference::GaugeField gauge = reference::random_gauge(lattice, 2, reference::Kind::general);
      GaugeField links = support::native_links(place, gauge, {});
      EXPECT_EQ(milc_links<double>(links), reference::to_milc<double>(gauge, place.part));
      EXPECT_EQ(milc_links<float>(links), reference::to_milc<float>(gauge, place.part));
      GaugeField narrow = support::native_links(place, gauge, {Precision::single});
      EXPECT_EQ(milc_links<float>(narrow), reference::to_milc<float>(gauge, place.part));
      links = narrow;
      EXPECT_EQ(milc_links<double>(links), reference::to_milc<double>(reference::rounded_to_single(gauge), place.part));
    }
  });
}

TEST(GaugeCopy, CpsOrderIsTransposedAndCarriesTheAnisotropy)
{
  support::on_targets([] {
    for (const double xi : {1.0, 2.464}) {
      const support::Place place(reference::Lattice({2, 4, 6, 8}), make_single_communicator());
      const long long volume = place.lattice->volume();
      const auto host = some_numbers(72 * volume);
      std::vector<double> cps = host, again(host.size());
      GaugeFieldParam param;
      param.lattice = place.lattice;
      param.anisotropy = xi;
      GaugeField native(param);
      param.order = GaugeOrder::cps_wilson;
      param.location = Location::host;
      param.create = Create::reference;
      param.data[0] = cps.data();
      GaugeField foreign(param);
      native = foreign;
      const auto milc = milc_links<double>(native);
      for (long long matrix = 0; matrix < 4 * volume; matrix++)
        for (int row = 0; row < 3; row++)
          for (int column = 0; column < 3; column++)
            for (int part = 0; part < 2; part++)
              ASSERT_EQ(milc[18 * matrix + 6 * row + 2 * column + part],
                        host[18 * matrix + 6 * column + 2 * row + part] / xi);
      param.data[0] = again.data();
      GaugeField saved(param);
      saved = native;
      for (std::size_t i = 0; i < host.size(); i++) ASSERT_NEAR(again[i], host[i], xi == 1 ? 0 : 2e-16);
    }
  });
}

TEST(GaugeCopy, TwoRowsGiveTheThird)
{
  support::on_targets([] {
    for (const auto &shape : shapes) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      reference::GaugeField gauge = reference::random_gauge(lattice, 2);
      reference::set_up_links(gauge, 2.464, -1);
      GaugeField rows = support::native_links(place, gauge, {Precision::double_, Reconstruct::r12, 2.464, -1});
      const reference::GaugeField expected = reference::reconstructed_12(gauge, 2.464, -1);
      const auto milc = milc_links<double>(rows), wanted = reference::to_milc<double>(expected, place.part);
      double worst = 0;
      for (std::size_t i = 0; i < milc.size(); i++) worst = std::max(worst, std::abs(milc[i] - wanted[i]));
      EXPECT_LE(worst, 1e-15);
      GaugeField whole = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 2.464, -1});
      whole = rows;
      EXPECT_EQ(milc_links<double>(whole), milc);
    }
  });
}

/// Of one layout: memory as it is, and nothing beside it.
TEST(GaugeCopy, TwinsAreTheSame)
{
  support::on_targets([] {
    for (const auto &shape : {shapes[0], shapes[1]}) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      const reference::GaugeField gauge = reference::random_gauge(lattice, 2),
                                  other = reference::random_gauge(lattice, 3);
      for (const Precision precision : {Precision::double_, Precision::single, Precision::half})
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12, Reconstruct::r8}) {
          GaugeField links = support::native_links(place, gauge, {precision, reconstruct});
          GaugeField twin = support::native_links(place, other, {precision, reconstruct});
          EXPECT_NE(milc_links<double>(twin), milc_links<double>(links));
          twin = links;
          EXPECT_EQ(milc_links<double>(twin), milc_links<double>(links));
        }
    }
  });
}

/// From a host's array in another basis and into one, each in double or single precision: rounded on the way in.
TEST(GaugeCopy, EightNumbersGiveTheMatrix)
{
  support::on_targets([] {
    for (const auto &shape : shapes) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      reference::GaugeField gauge = reference::random_gauge(lattice, 2);
      reference::set_up_links(gauge, 2.464, -1);
      const auto wanted = reference::to_milc<double>(gauge, place.part);
      const struct {
        Precision precision;
        double mean,
            worst; // deviations; the worst where |(b_1, b_2)| > 0.1: rounding times anisotropy / 0.1^2, ten of them
      } forms[] = {
          {Precision::double_, 1e-15, 3e-13}, {Precision::single, 1e-6, 1.5e-4}, {Precision::half, 5e-4, 5e-3}};
      for (const auto &form : forms) {
        GaugeField eight = support::native_links(place, gauge, {form.precision, Reconstruct::r8, 2.464, -1});
        const auto milc = milc_links<double>(eight);
        double sum = 0, worst = 0;
        for (std::size_t i = 0; i < milc.size(); i++) {
          sum += std::abs(milc[i] - wanted[i]);
          const double *row = &wanted[i / 18 * 18 + 6]; // b
          if (std::hypot(std::hypot(row[2], row[3]), std::hypot(row[4], row[5])) > 0.1)
            worst = std::max(worst, std::abs(milc[i] - wanted[i]));
        }
        EXPECT_LE(sum / milc.size(), form.mean);
        EXPECT_LE(worst, form.worst);
        EXPECT_GT(worst, 0);
        GaugeField whole = support::native_links(place, gauge, {form.precision, Reconstruct::none, 2.464, -1});
        whole = eight;
        if (form.precision != Precision::half) {
          EXPECT_EQ(milc_links<double>(whole), milc);
        }
      }
    }
  });
}

/// Multiples of unitary matrices by two rows and a phase, and by eight numbers and a phase; others are refused, or kept
/// whole by a set of links.
TEST(GaugeCopy, LongLinksByAPhase)
{
  support::on_targets([] {
    for (const auto &shape : shapes) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      reference::GaugeField gauge = reference::random_unitary_long_links(lattice, 4);
      gauge.U[1][2] = reference::Link::Identity() / 24; // all phases and numbers at an end of their ranges
      gauge.U[2][1] = -reference::Link::Identity() / 24;
      const auto wanted = reference::to_milc<double>(gauge, place.part);
      const struct {
        Precision precision;
        double of_rows, mean; // deviations, in units of 1 / 24: the largest of two rows and a phase, the mean of eight
      } forms[] = {{Precision::double_, 4e-15, 3e-15}, {Precision::single, 3e-6, 3e-6}, {Precision::half, 4e-4, 1e-3}};
      for (const auto &form : forms) {
        for (const Reconstruct reconstruct : {Reconstruct::r13, Reconstruct::r9}) {
          GaugeField links = support::native_links(place, gauge, {form.precision, reconstruct, 1, 1, LinkType::three});
          EXPECT_NEAR(links.unit(), 1. / 24, 1e-7);
          const auto milc = milc_links<double>(links);
          double sum = 0, worst = 0;
          for (std::size_t i = 0; i < milc.size(); i++) {
            sum += 24 * std::abs(milc[i] - wanted[i]);
            worst = std::max(worst, 24 * std::abs(milc[i] - wanted[i]));
          }
          EXPECT_LE(sum / milc.size(), form.mean);
          if (reconstruct == Reconstruct::r13) {
            EXPECT_LE(worst, form.of_rows);
          }
          EXPECT_GT(worst, 0);
          GaugeField again(links.param()); // as it is
          again = links;
          EXPECT_EQ(milc_links<double>(again), milc);
        }
      }
      reference::GaugeField bad = gauge;
      const std::size_t slot = lattice.volume() - 2;
      for (const double wrong : {1 + 1e-5, 0., std::numeric_limits<double>::quiet_NaN()}) {
        bad.U[3][slot] = wrong * gauge.U[3][slot];
        expect_refused(ErrorKind::bad_argument, {"reconstruct = 13"}, [&] {
          support::native_links(place, bad, {Precision::double_, Reconstruct::r13, 1, 1, LinkType::three});
        });
      }
      bad.U[3][slot](2, 1) = 0;
      LinkSet set;
      set.load(std::make_unique<GaugeField>(
          support::native_links(place, bad, {Precision::double_, Reconstruct::none, 1, 1, LinkType::three})));
      EXPECT_EQ(set.copy({Precision::single, Reconstruct::r9}).reconstruct(), Reconstruct::none);
      set.precise() =
          support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, 1, LinkType::three});
      EXPECT_EQ(set.copy({Precision::single, Reconstruct::r9}).reconstruct(), Reconstruct::r9);
    }
  });
}

TEST(GaugeCopy, HalfPrecisionOfLinks)
{
  support::on_targets([] {
    for (const auto &shape : shapes) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      const reference::GaugeField gauge = reference::random_gauge(lattice, 2);
      const auto expected = half_of(reference::to_milc<double>(gauge, place.part), 18, false);
      GaugeField half = support::native_links(place, gauge, {Precision::half});
      EXPECT_EQ(milc_links<double>(half), expected);
      GaugeField single = support::native_links(place, gauge, {Precision::single});
      GaugeField other = support::native_links(place, gauge, {Precision::half});
      other = single;
      EXPECT_EQ(milc_links<double>(other), expected);
      single = other;
      EXPECT_EQ(milc_links<double>(single), expected);
      GaugeField rows = support::native_links(place, gauge, {Precision::half, Reconstruct::r12});
      const auto rebuilt = milc_links<double>(rows);
      for (std::size_t i = 0; i < rebuilt.size(); i++) {
        if (i % 18 < 12)
          ASSERT_EQ(rebuilt[i], expected[i]) << i;
        else
          ASSERT_NEAR(rebuilt[i], expected[i], 2e-4) << i;
      }
    }
  });
}

TEST(GaugeCopy, HalfPrecisionRefusesWhatItCannotHold)
{
  support::on_targets([] {
    for (const auto &shape : {shapes[0], shapes[1], shapes[2]}) {
      const reference::Lattice lattice(shape);
      const support::Place place(lattice, make_single_communicator());
      const std::size_t slot = lattice.volume() - 3;
      const auto x = lattice.coords(slot);
      for (const double value : {1.00001, -1.00001, 1.0001, -1.25, std::numeric_limits<double>::quiet_NaN()}) {
        reference::GaugeField gauge = reference::random_gauge(lattice, 2);
        gauge.U[2][slot](1, 0) = {0.5, value};
        const auto expect = [&](const char *from, const std::function<void()> &copy) {
          SCOPED_TRACE(testing::Message() << from << ' ' << value);
          if (std::abs(value) < 1.00002)
            EXPECT_NO_THROW(copy());
          else
            expect_refused(ErrorKind::bad_argument,
                           {text("direction 2, site %d %d %d %d of this rank has %g, real 7 of the matrix", x[0], x[1],
                                 x[2], x[3], value)},
                           copy);
        };
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          expect("host", [&] { support::native_links(place, gauge, {Precision::half, reconstruct}); });
          GaugeField half =
              support::native_links(place, reference::GaugeField(lattice), {Precision::half, reconstruct});
          for (const Precision precision : {Precision::double_, Precision::single}) {
            const GaugeField links = support::native_links(place, gauge, {precision, reconstruct});
            expect("native", [&] { half = links; });
          }
        }
      }
    }
  });
}
