/// Forces, path products and traces of loops against the plain reference.

#include <gtest/gtest.h>

#include <algorithm>

#include "force/force_fields.h"
#include "ops/gauge/path_sum.h"
#include "reference/algebra.h"
#include "reference/gauge/links.h"
#include "reference/gauge/transform.h"
#include "reference/random.h"

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

/// A lattice and how the kernel keeps its links; the links as it sees them.
struct Form {
  reference::Lattice lattice;
  Precision precision;
  Reconstruct reconstruct;
  reference::GaugeField as_given, as_seen;

  GaugeField native(const support::Place &place) const
  {
    return support::native_links(place, as_given, {precision, reconstruct, anisotropy, -1});
  }
};

Form make_form(const reference::Coords &shape, Precision precision, Reconstruct reconstruct)
{
  const reference::Lattice lattice(shape);
  reference::GaugeField gauge = reference::random_gauge(lattice, 5);
  reference::set_up_links(gauge, anisotropy, -1);
  if (precision == Precision::single) gauge = reference::rounded_to_single(gauge);
  return {lattice, precision, reconstruct, gauge,
          reconstruct == Reconstruct::r12 ? reference::reconstructed_12(gauge, anisotropy, -1) : gauge};
}

template <class Body> void on_forms(const Body &body)
{
  for (const reference::Coords &shape : shapes)
    for (const Precision precision : {Precision::double_, Precision::single})
      for (const Reconstruct reconstruct : {Reconstruct::none, Reconstruct::r12}) {
        // all four forms on the first shape, two of them on the others
        if (shape[0] > 2 && (precision == Precision::single) != (reconstruct == Reconstruct::r12)) continue;
        SCOPED_TRACE(testing::Message() << shape[0] << shape[1] << shape[2] << shape[3] << " precision "
                                        << bytes_of(precision) << " recon " << static_cast<int>(reconstruct));
        body(make_form(shape, precision, reconstruct));
      }
}

/// Runs body(place, links) on every target.
template <class Body> void on_targets(const Form &form, const Body &body)
{
  support::on_targets([&] {
    const support::Place place(form.lattice, make_single_communicator());
    body(place, form.native(place));
  });
}

double plaquette_weight(int mu, int nu) { return 1 + 0.1 * (4 * mu + nu); }
double along_weight(int mu, int nu) { return -0.3 + 0.02 * (4 * mu + nu); }
double across_weight(int mu, int nu) { return 0.5 - 0.03 * (4 * mu + nu); }

/// Staples of plaquettes and rectangles, each kind in each plane with a weight of its own.
reference::PathTerms weighted_staples()
{
  reference::PathTerms terms;
  for (int mu = 0; mu < 4; mu++)
    for (int nu = 0; nu < 4; nu++)
      for (const int n : {nu, 7 - nu}) {
        if (nu == mu) continue;
        const int M = 7 - mu, N = 7 - n;
        terms[mu].push_back({{n, M, N}, plaquette_weight(mu, nu)});
        terms[mu].push_back({{mu, n, M, M, N}, along_weight(mu, nu)});
        terms[mu].push_back({{n, M, M, N, mu}, along_weight(mu, nu)});
        terms[mu].push_back({{n, n, M, N, N}, across_weight(mu, nu)});
      }
  return terms;
}

constexpr int kinds = 4;

/// Plaquettes, rectangles and chairs: the shared staples, the walk, and both together; weights of their own.
reference::PathTerms terms_of(int kind)
{
  if (kind == 3) return weighted_staples();
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
  set = path_set(terms_of(3));
  weights = take_staples(set);
  EXPECT_TRUE(empty(set));
  for (int mu = 0; mu < 4; mu++)
    for (int nu = 0; nu < 4; nu++) {
      if (mu == nu) continue;
      EXPECT_EQ(weights.plaquette[mu][nu], plaquette_weight(mu, nu));
      EXPECT_EQ(weights.along[mu][nu], along_weight(mu, nu));
      EXPECT_EQ(weights.across[mu][nu], across_weight(mu, nu));
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
  on_forms([](const Form &form) {
    const reference::GaugeField old = reference::random_momentum(form.lattice, 6);
    for (int kind = 0; kind < kinds; kind++) {
      SCOPED_TRACE(kind);
      const auto terms = terms_of(kind);
      const reference::GaugeField w = reference::path_sum(form.as_seen, terms);
      const reference::GaugeField added = expected_momentum(w, &old, 0.3), fresh = expected_momentum(w, nullptr, 0.3);
      on_targets(form, [&](const support::Place &place, const GaugeField &links) {
        for (const PathMethod method : {PathMethod::shared, PathMethod::walk}) {
          GaugeField a = native_momentum(place, old, form.precision);
          add_path_sum(a, links, path_set(terms), 0.3, false, method);
          EXPECT_LE(deviation(place, a, added), bar(form.precision));
          add_path_sum(a, links, path_set(terms), 0.3, true, method);
          EXPECT_LE(deviation(place, a, fresh), bar(form.precision));
        }
      });
    }
  });
}

TEST(PathProduct, AgreesWithTheReference)
{
  on_forms([](const Form &form) {
    // open paths, back and forth, around the lattice
    reference::PathTerms terms;
    for (int mu = 0; mu < 4; mu++)
      terms[mu] = {
          {{1, 1, 1, 1, 1, 2}, 0.5}, {{7 - mu, 3, 5, 5, 5, 6}, -1.5}, {{4, 4, 4}, 0.0}, {{}, 0.25}, {{0, 7}, 2}};
    reference::GaugeField once = reference::path_sum(form.as_seen, terms), twice = once;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t i = 0; i < form.lattice.volume(); i++) {
        once.U[mu][i] *= -0.7;
        twice.U[mu][i] *= -1.4;
      }
    on_targets(form, [&](const support::Place &place, const GaugeField &links) {
      GaugeField out(force_test::param_of(place, form.precision, false));
      add_path_sum(out, links, path_set(terms), -0.7, true);
      EXPECT_LE(deviation(place, out, once), bar(form.precision));
      add_path_sum(out, links, path_set(terms), -0.7, false);
      EXPECT_LE(deviation(place, out, twice), bar(form.precision));
    });
  });
}

TEST(LoopTrace, AgreesWithTheReference)
{
  on_forms([](const Form &form) {
    const double allowed = form.precision == Precision::double_ ? 1e-14 : 1e-6;
    const std::vector<std::vector<int>> loops = {reference::plaquette_loop,
                                                 reference::chair_loop,
                                                 {0, 0, 3, 3, 3, 7, 7, 4, 4, 4},
                                                 {2},
                                                 {1, 1, 1},
                                                 {},
                                                 std::vector<int>(form.lattice.X[3], 3),
                                                 std::vector<int>(form.lattice.X[1], 6)};
    std::vector<std::complex<double>> expected;
    for (const auto &loop : loops) expected.push_back(reference::loop_trace(form.as_seen, loop));
    on_targets(form, [&](const support::Place &, const GaugeField &links) {
      for (std::size_t i = 0; i < loops.size(); i++)
        EXPECT_LE(std::abs(loop_trace(links, loops[i]) - expected[i]),
                  allowed * 3 * static_cast<double>(form.lattice.volume()))
            << i;
    });
  });
}

TEST(Force, OneWayIsAsGoodAsTheOther)
{
  for (const reference::Coords &shape : shapes)
    on_targets(make_form(shape, Precision::double_, Reconstruct::none),
               [&](const support::Place &place, const GaugeField &links) {
                 for (int kind = 0; kind < kinds; kind++) {
                   GaugeField a(force_test::param_of(place, Precision::double_, true)), b(a.param());
                   add_path_sum(a, links, path_set(terms_of(kind)), 1, true, PathMethod::shared);
                   add_path_sum(b, links, path_set(terms_of(kind)), 1, true, PathMethod::walk);
                   const auto walked = force_test::numbers(place, b);
                   reference::GaugeField right(place.global);
                   for (int mu = 0; mu < 4; mu++)
                     for (std::size_t i = 0; i < place.global.volume(); i++)
                       right.U[mu][i] = reference::from_ten(&walked[mu][10 * i]);
                   EXPECT_LE(deviation(place, a, right), 1e-13);
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
    for (int kind = 0; kind < kinds; kind++) {
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
