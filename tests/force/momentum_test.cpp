/// The step of the links and the kinetic energy against the plain reference.

#include <gtest/gtest.h>

#include "core/environment_support.h"
#include "force/force_fields.h"
#include "ops/force/momentum.h"
#include "ops/gauge/path_sum.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "tune/tune_cache.h"

using namespace quda;
using force_test::deviation;
using force_test::native_momentum;

namespace
{

const reference::Coords shapes[] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}};

reference::GaugeField momenta(const reference::Lattice &lattice, Precision precision)
{
  reference::GaugeField a = reference::random_momentum(lattice, 3);
  a.U[0][1].setZero();
  a.U[1][2](0, 2) = a.U[1][2](2, 0) = 0; // elements that vanish
  const reference::Complex i(0, 1);
  a.U[2][3] = reference::Link::Zero();
  a.U[2][3].diagonal() << i, i, -2.0 * i; // two eigenvalues alike
  a.U[3][5] *= 2;                         // as much as the plain series bears
  return precision == Precision::single ? reference::rounded_to_single(a) : a;
}

} // namespace

TEST(Update, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords &shape : shapes)
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12})
          for (const bool exact : {true, false}) {
            const reference::Lattice lattice(shape);
            const support::Place place(lattice, make_single_communicator());
            reference::GaugeField gauge = reference::random_gauge(lattice, 2);
            reference::set_up_links(gauge, 1.5, -1);
            if (precision == Precision::single) gauge = reference::rounded_to_single(gauge);
            GaugeField links = support::native_links(place, gauge, {precision, reconstruct, 1.5, -1});
            if (reconstruct == Reconstruct::r12) gauge = reference::reconstructed_12(gauge, 1.5, -1);
            const reference::GaugeField a = momenta(lattice, precision);
            const GaugeField momentum = native_momentum(place, a, precision);
            const double dt = 0.7;
            reference::GaugeField expected = reference::updated(gauge, a, dt, exact ? 80 : 8);
            if (reconstruct == Reconstruct::r12) expected = reference::reconstructed_12(expected, 1.5, -1);
            const double bar = precision == Precision::double_ ? 1e-13 : 5e-6;
            GaugeField out(links.param());
            update_links(out, links, momentum, dt, exact);
            const auto compare = [&](const GaugeField &found) {
              GaugeFieldParam whole = found.param();
              whole.reconstruct = Reconstruct::none;
              whole.order = GaugeOrder::qdp;
              whole.precision = Precision::double_;
              whole.location = Location::host;
              GaugeField host(whole);
              host = found;
              reference::GaugeField numbers(lattice);
              const double *arrays[4];
              for (int mu = 0; mu < 4; mu++) arrays[mu] = static_cast<const double *>(host.data(mu));
              reference::from_qdp(numbers, reference::Part(lattice), arrays);
              return reference::deviation(numbers, expected);
            };
            if (!exact && reconstruct == Reconstruct::r12) continue; // the series leaves the group
            EXPECT_LE(compare(out), bar) << exact << static_cast<int>(reconstruct);
            update_links(links, links, momentum, dt, exact); // in place
            EXPECT_LE(compare(links), bar);
          }
  });
}

TEST(Update, TakesTheTraceOff)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 2), a = reference::random_momentum(lattice, 3);
    reference::GaugeField traced = a;
    for (auto &of_mu : traced.U)
      for (auto &m : of_mu) m += reference::Complex(0, 0.4) * reference::Link::Identity();
    GaugeField links = support::native_links(place, gauge, {});
    update_links(links, links, native_momentum(place, traced, Precision::double_), 0.5, true);
    EXPECT_LE(deviation(place, links, reference::updated(gauge, a, 0.5)), 1e-13);
  });
}

TEST(MomentumAction, AgreesWithTheReference)
{
  support::on_targets([] {
    for (const reference::Coords &shape : shapes)
      for (const Precision precision : {Precision::double_, Precision::single}) {
        const reference::Lattice lattice(shape);
        const support::Place place(lattice, make_single_communicator());
        const reference::GaugeField a = momenta(lattice, precision);
        const double found = momentum_action(native_momentum(place, a, precision));
        const double bar =
            (precision == Precision::double_ ? 1e-14 : 1e-7) * 16 * static_cast<double>(lattice.volume());
        EXPECT_NEAR(found, reference::momentum_action(a), bar);
      }
  });
}

/// Nothing depends on tuning, on threads, nor on where the tuner left the fields it works on in place.
TEST(Launches, OfAnyParametersGiveTheSameBits)
{
  support::on_targets([] {
    const reference::Lattice lattice({4, 4, 4, 10});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField a = reference::random_momentum(lattice, 3);
    const auto paths = force_test::path_set(reference::force_paths(reference::images(reference::rectangle_loop), 0.1) +
                                            reference::force_paths({reference::chair_loop}, 0.3));
    std::vector<reference::QdpLinks<double>> first;
    const auto run = [&] {
      load_tune_cache(place.lattice->communicator());
      GaugeField links = support::native_links(place, reference::random_gauge(lattice, 2), {});
      GaugeField momentum = native_momentum(place, a, Precision::double_);
      add_path_sum(momentum, links,
                   force_test::path_set(reference::force_paths(reference::images(reference::plaquette_loop), 1)), 0.2,
                   false);
      add_path_sum(momentum, links, paths, 0.2, false);
      update_links(links, links, momentum, 0.1, true);
      std::vector<reference::QdpLinks<double>> found {force_test::numbers(place, links),
                                                      force_test::numbers(place, momentum)};
      found[0][0].push_back(momentum_action(momentum));
      found[0][0].push_back(loop_trace(links, reference::chair_loop).real());
      return found;
    };
    first = run();
    {
      const Variable tuning("QUDA_ENABLE_TUNING", "1");
      for (const char *force : {"tile=1,threads=1", "tile=3,threads=2,schedule=1,prefetch=4"}) {
        const Variable forced("QUDA_TUNE_FORCE", force);
        EXPECT_TRUE(run() == first) << force;
      }
      if (target().kind() == Target::cpu_avx2) {
        EXPECT_TRUE(run() == first) << "tuned";
      }
    }
    load_tune_cache(place.lattice->communicator());
  });
}
