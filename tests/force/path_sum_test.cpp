/// Forces, path products and traces of loops against the plain reference.

#include <gtest/gtest.h>

#include "force/force_fields.h"
#include "ops/force/path_sum.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"

using namespace quda;
using force_test::deviation;
using force_test::native_momentum;
using force_test::path_set;
using reference::force_paths;
using reference::images;

namespace
{

const reference::Coords shapes[] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}};
constexpr double anisotropy = 1.5;

double bar(Precision precision) { return precision == Precision::double_ ? 1e-12 : 1e-5; }

/// Links as the kernel sees them, in both worlds.
struct Links {
  reference::GaugeField plain;
  GaugeField native;
};

Links make_links(const support::Place &place, Precision precision, Reconstruct reconstruct)
{
  reference::GaugeField gauge = reference::random_gauge(place.global, 5);
  reference::set_up_links(gauge, anisotropy, -1);
  if (precision == Precision::single) gauge = reference::rounded_to_single(gauge);
  GaugeField native = support::native_links(place, gauge, {precision, reconstruct, anisotropy, -1});
  if (reconstruct == Reconstruct::r12) gauge = reference::reconstructed_12(gauge, anisotropy, -1);
  return {gauge, std::move(native)};
}

template <class Body> void on_forms(const Body &body)
{
  support::on_targets([&] {
    for (const reference::Coords &shape : shapes)
      for (const Precision precision : {Precision::double_, Precision::single})
        for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
          SCOPED_TRACE(testing::Message() << shape[0] << shape[1] << shape[2] << shape[3] << " precision "
                                          << bytes_of(precision) << " recon " << static_cast<int>(reconstruct));
          const support::Place place(reference::Lattice(shape), make_single_communicator());
          const Links links = make_links(place, precision, reconstruct);
          body(place, links);
        }
  });
}

/// Plaquettes, rectangles and chairs: the shared staples, the walk, and both together.
reference::PathTerms terms_of(int kind)
{
  if (kind == 0) return force_paths(images(reference::plaquette_loop), 1.25);
  if (kind == 1)
    return force_paths(images(reference::rectangle_loop), -0.083) +
           force_paths(images(reference::plaquette_loop), 1.67);
  // a few chairs: their paths are many and of one kind
  auto chairs = images(reference::chair_loop);
  chairs.resize(3);
  return force_paths(chairs, 0.7) + force_paths(images(reference::plaquette_loop), 0.4);
}

reference::GaugeField expected_momentum(const reference::GaugeField &w, const reference::GaugeField *old, double factor)
{
  reference::GaugeField a = w;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t i = 0; i < w.lattice.volume(); i++) {
      a.U[mu][i] = -factor * reference::traceless_anti_hermitian(w.U[mu][i]);
      if (old) a.U[mu][i] += old->U[mu][i];
    }
  return a;
}

} // namespace

TEST(Images, AreAsManyAsTheyShould)
{
  EXPECT_EQ(images(reference::plaquette_loop).size(), 6u);
  EXPECT_EQ(images(reference::rectangle_loop).size(), 12u);
  EXPECT_EQ(images(reference::parallelogram_loop).size(), 16u);
  EXPECT_EQ(force_paths(images(reference::plaquette_loop), 1)[2].size(), 6u);
  EXPECT_EQ(force_paths(images(reference::rectangle_loop), 1)[1].size(), 18u);
}

TEST(PathSet, StaplesAreTakenOutWhereTheyAreWhole)
{
  PathSet set = path_set(terms_of(1));
  for (auto &paths : set) std::reverse(paths.begin(), paths.end());
  StapleWeights weights = take_staples(set);
  EXPECT_TRUE(empty(set));
  for (int mu = 0; mu < 4; mu++)
    for (int nu = 0; nu < 4; nu++) {
      EXPECT_EQ(weights.plaquette[mu][nu], mu == nu ? 0 : 1.67);
      EXPECT_EQ(weights.along[mu][nu], mu == nu ? 0 : -0.083);
      EXPECT_EQ(weights.across[mu][nu], mu == nu ? 0 : -0.083);
    }
  set = path_set(terms_of(0));
  set[1].erase(set[1].begin() + 2); // one staple is missing: its partner stays
  weights = take_staples(set);
  EXPECT_EQ(set[1].size(), 1u);
  EXPECT_TRUE(set[0].empty() && set[2].empty() && set[3].empty());
  EXPECT_TRUE(has_plaquettes(weights) && !has_rectangles(weights));
}

TEST(Force, AgreesWithTheReference)
{
  on_forms([](const support::Place &place, const Links &links) {
    const Precision precision = links.native.precision();
    const reference::GaugeField old = reference::random_momentum(place.global, 6);
    for (int kind = 0; kind < 3; kind++) {
      SCOPED_TRACE(kind);
      const auto terms = terms_of(kind);
      const reference::GaugeField w = reference::path_sum(links.plain, terms);
      for (const PathMethod method : {PathMethod::shared, PathMethod::walk}) {
        GaugeField a = native_momentum(place, old, precision);
        add_path_sum(a, links.native, path_set(terms), 0.3, false, method);
        EXPECT_LE(deviation(place, a, expected_momentum(w, &old, 0.3)), bar(precision));
        add_path_sum(a, links.native, path_set(terms), 0.3, true, method);
        EXPECT_LE(deviation(place, a, expected_momentum(w, nullptr, 0.3)), bar(precision));
      }
    }
  });
}

TEST(PathProduct, AgreesWithTheReference)
{
  on_forms([](const support::Place &place, const Links &links) {
    const Precision precision = links.native.precision();
    // open paths, back and forth, around the lattice
    reference::PathTerms terms;
    for (int mu = 0; mu < 4; mu++)
      terms[mu] = {
          {{1, 1, 1, 1, 1, 2}, 0.5}, {{7 - mu, 3, 5, 5, 5, 6}, -1.5}, {{4, 4, 4}, 0.0}, {{}, 0.25}, {{0, 7}, 2}};
    reference::GaugeField expected = reference::path_sum(links.plain, terms);
    for (auto &of_mu : expected.U)
      for (auto &m : of_mu) m *= -0.7;
    GaugeField out(force_test::param_of(place, precision, false));
    add_path_sum(out, links.native, path_set(terms), -0.7, true);
    EXPECT_LE(deviation(place, out, expected), bar(precision));
    // and added to: twice as much
    add_path_sum(out, links.native, path_set(terms), -0.7, false);
    for (auto &of_mu : expected.U)
      for (auto &m : of_mu) m *= 2;
    EXPECT_LE(deviation(place, out, expected), bar(precision));
  });
}

TEST(LoopTrace, AgreesWithTheReference)
{
  on_forms([](const support::Place &place, const Links &links) {
    const double volume = static_cast<double>(place.global.volume());
    const double allowed = links.native.precision() == Precision::double_ ? 1e-14 : 1e-6;
    const std::vector<std::vector<int>> loops = {reference::plaquette_loop,
                                                 reference::chair_loop,
                                                 {0, 0, 3, 3, 3, 7, 7, 4, 4, 4},
                                                 {2},
                                                 {1, 1, 1},
                                                 {},
                                                 std::vector<int>(place.global.X[3], 3),
                                                 std::vector<int>(place.global.X[1], 6)};
    for (const auto &loop : loops) {
      const std::complex<double> found = loop_trace(links.native, loop);
      EXPECT_LE(std::abs(found - reference::loop_trace(links.plain, loop)), allowed * 3 * volume) << loop.size();
    }
  });
}

TEST(Force, OneWayIsAsGoodAsTheOther)
{
  support::on_targets([] {
    for (const reference::Coords &shape : shapes) {
      const support::Place place(reference::Lattice(shape), make_single_communicator());
      const Links links = make_links(place, Precision::double_, Reconstruct::none);
      for (int kind = 0; kind < 3; kind++) {
        GaugeField a(force_test::param_of(place, Precision::double_, true)), b(a.param());
        add_path_sum(a, links.native, path_set(terms_of(kind)), 1, true, PathMethod::shared);
        add_path_sum(b, links.native, path_set(terms_of(kind)), 1, true, PathMethod::walk);
        const auto x = force_test::numbers(place, a), y = force_test::numbers(place, b);
        double largest = 0, squares = 0;
        for (int mu = 0; mu < 4; mu++)
          for (std::size_t i = 0; i < x[mu].size(); i++) {
            largest = std::max(largest, std::abs(x[mu][i] - y[mu][i]));
            squares += x[mu][i] * x[mu][i];
          }
        EXPECT_LE(largest, 1e-13 * std::sqrt(squares / (36.0 * static_cast<double>(place.global.volume()))));
      }
    }
  });
}

TEST(Force, IsCovariant)
{
  support::on_targets([] {
    const reference::Lattice lattice({2, 4, 6, 8});
    const support::Place place(lattice, make_single_communicator());
    const reference::GaugeField gauge = reference::random_gauge(lattice, 8);
    const reference::Rotation g = reference::random_rotation(lattice, 9);
    const support::LinkForm form;
    for (int kind = 0; kind < 3; kind++) {
      GaugeField a(force_test::param_of(place, Precision::double_, true)), b(a.param());
      add_path_sum(a, support::native_links(place, gauge, form), path_set(terms_of(kind)), 1, true);
      add_path_sum(b, support::native_links(place, reference::transformed(gauge, g), form), path_set(terms_of(kind)), 1,
                   true);
      const auto before = force_test::numbers(place, a);
      reference::GaugeField turned(lattice);
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t i = 0; i < lattice.volume(); i++)
          turned.U[mu][i] = g[i] * reference::from_ten(&before[mu][10 * i]) * g[i].adjoint();
      EXPECT_LE(deviation(place, b, turned), 1e-13);
    }
  });
}
