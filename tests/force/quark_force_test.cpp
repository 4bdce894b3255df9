/// Forces of staggered quarks: outer products against the plain reference, gradients of links made of links against
/// differences of energies, and what symmetry asks of a force.

#include <gtest/gtest.h>

#include "force/force_fields.h"
#include "force/quark_fields.h"
#include "ops/force/link_gradient.h"
#include "reference/gauge/transform.h"
#include "support/host_links.h"
#include "support/untuned.h"

using namespace quda;
using namespace force_test;
using reference::PathWeights;

namespace
{

const PathWeights uneven {0.7, 0.3, -0.2, 0.11, 0.05, -0.13}; // no two alike

support::Place alone(const reference::Lattice &lattice) { return {lattice, make_single_communicator()}; }

/// A field of matrices, of all 18 numbers.
reference::GaugeField matrices(const reference::Lattice &lattice, std::uint64_t seed)
{
  return reference::random_gauge(lattice, seed, reference::Kind::general);
}

reference::GaugeField sum_of(const reference::GaugeField &a, double s, const reference::GaugeField &b)
{
  reference::GaugeField out = a;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < a.lattice.volume(); slot++) out.U[mu][slot] += s * b.U[mu][slot];
  return out;
}

} // namespace

TEST(OuterProducts, AgreeWithTheReference)
{
  const reference::Lattice lattice({2, 4, 6, 8});
  const auto terms = quark_terms(lattice, 19, 5); // more than a launch takes
  support::on_targets([&] {
    const support::Place place = alone(lattice);
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const QuarkGradients found(place, terms, precision);
      const double bar = precision == Precision::double_ ? 1e-12 : 1e-4;
      const auto compare = [&](const GaugeField &field, int reach, double reference::QuarkTerm::*weight) {
        EXPECT_LT(reference::deviation(support::reference_links(field), outer(terms, lattice, reach, weight)), bar);
      };
      compare(found.of.fat, 1, &reference::QuarkTerm::fat);
      compare(*found.of.single, 1, &reference::QuarkTerm::single);
      compare(found.of.straight, 3, &reference::QuarkTerm::straight);
    }
  });
}

TEST(LinkGradients, AreDerivatives)
{
  const reference::Lattice lattice({2, 4, 6, 4});
  const reference::GaugeField links = reference::random_gauge(lattice, 61), of_made = matrices(lattice, 62),
                              way = matrices(lattice, 63), start = matrices(lattice, 64);
  const auto slope = [&](auto &&make) {
    return reference::slope([&](const reference::GaugeField &u) { return reference::inner_product(of_made, make(u)); },
                            [&](double s) { return sum_of(links, s, way); }, 1e-3);
  };
  for (const PathWeights &c : {uneven,
                               PathWeights {0.5, 0, 0.3, 0, 0, 0},
                               {0.5, 0, 0, 0.7, 0, 0},
                               {0.5, 0, 0.1, 0, 0.9, 0},
                               {0.3, 0, 0, 0, 0, 0.6},
                               {0.3, 0, 0, 0, 0, 0}}) {
    const double of_fat = slope([&](const reference::GaugeField &u) { return reference::fat_links(u, c); });
    const double of_long = slope([&](const reference::GaugeField &u) { return reference::long_links(u, uneven); });
    support::on_targets([&] {
      const support::Place place = alone(lattice);
      const LinkSet set = links_of(place, links, Precision::double_);
      const GaugeField given = native_matrices(place, of_made, Precision::double_);
      GaugeField gradient = native_matrices(place, start, Precision::double_);
      const auto along = [&] { return reference::inner_product(support::reference_links(gradient), way); };
      const double before = along();
      fat_links_gradient(gradient, set, {c[0], c[2], c[3], c[4], c[5]}, given, true);
      EXPECT_NEAR(along() - before, of_fat, 1e-9 * std::abs(of_fat) + 1e-7);
      fat_links_gradient(gradient, set, {c[0], c[2], c[3], c[4], c[5]}, given);
      const double alone = along();
      EXPECT_NEAR(alone, of_fat, 1e-9 * std::abs(of_fat) + 1e-7);
      add_long_links_gradient(gradient, set, uneven[1], given);
      EXPECT_NEAR(along() - alone, of_long, 1e-9 * std::abs(of_long) + 1e-7);
    });
  }
}

/// Singular values far apart, alike, and below the filter.
TEST(LinkGradients, OfUnitaryParts)
{
  const reference::Lattice lattice({4, 2, 4, 4});
  const double filter = 5e-5;
  const std::vector<std::array<double, 3>> values = {{1, 0.8, 0.3},     {1, 1, 1},          {0.9, 0.9, 0.4},
                                                     {1, 1, 1 + 1e-9},  {0.7, 0.02, 0.019}, {1, 0.5, 0.004},
                                                     {1, 0.003, 0.003}, {0.02, 0.02, 0.02}};
  for (const auto &s : values) {
    const reference::GaugeField left = reference::random_gauge(lattice, 41),
                                right = reference::random_gauge(lattice, 42);
    reference::GaugeField v = left;
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot++)
        v.U[mu][slot] =
            left.U[mu][slot] * Eigen::DiagonalMatrix<reference::Complex, 3>(s[0], s[1], s[2]) * right.U[mu][slot];
    const reference::GaugeField of_made = matrices(lattice, 43), way = matrices(lattice, 44);
    const double expected = reference::slope(
        [&](const reference::GaugeField &u) {
          return reference::inner_product(of_made, reference::filtered_unitary_links(u, filter));
        },
        [&](double t) { return sum_of(v, t, way); }, 2e-4 * s[2]);
    support::on_targets([&] {
      const support::Place place = alone(lattice);
      for (const Precision precision : {Precision::double_, Precision::single}) {
        GaugeField gradient = native_matrices(place, of_made, precision);
        unitary_links_gradient(gradient, native_matrices(place, v, precision), filter);
        EXPECT_NEAR(reference::inner_product(support::reference_links(gradient), way), expected,
                    (precision == Precision::double_ ? 2e-9 / s[2] : 1e-3) * std::abs(expected) + 1e-6)
            << s[0] << ' ' << s[1] << ' ' << s[2];
      }
    });
  }
}

TEST(HisqForce, IsTheDerivativeOfTheEnergy)
{
  const reference::Lattice lattice({2, 4, 6, 4});
  const reference::GaugeField thin = reference::random_gauge(lattice, 65, reference::Kind::weak);
  const auto terms = quark_terms(lattice, 3, 66);
  for (const bool special : {false, true}) {
    const PathWeights &level2 = special ? reference::hisq_weights : uneven;
    const PathWeights fat7 = reference::fat7_weights;
    const reference::GaugeField way = reference::random_momentum(lattice, 67);
    const double expected = reference::slope(
        [&](const reference::GaugeField &u) { return reference::hisq_energy(u, terms, fat7, level2, 5e-5, special); },
        [&](double s) { return reference::updated(thin, way, s, 20); }, 1e-3);
    support::on_targets([&] {
      const support::Place place = alone(lattice);
      for (const Precision precision : {Precision::double_, Precision::single}) {
        const reference::GaugeField force = hisq_force(place, thin, terms, fat7, level2, precision, special);
        // Re tr(P A) = -sum conj(P) A, both anti-Hermitian
        EXPECT_NEAR(-reference::inner_product(way, force), expected,
                    (precision == Precision::double_ ? 1e-9 : 1e-4) * std::abs(expected));
      }
    });
  }
}

TEST(HisqForce, IsGaugeCovariant)
{
  const reference::Lattice lattice({4, 2, 4, 6});
  const reference::GaugeField thin = reference::random_gauge(lattice, 71, reference::Kind::weak);
  const reference::Rotation g = reference::random_rotation(lattice, 72);
  const auto terms = quark_terms(lattice, 2, 73);
  auto turned = terms;
  for (auto &term : turned)
    for (std::size_t slot = 0; slot < lattice.volume(); slot++)
      term.q[slot] = (term.q[slot] * g[slot].transpose()).eval();
  support::on_targets([&] {
    const support::Place place = alone(lattice);
    const auto force = [&](const reference::GaugeField &u, const std::vector<reference::QuarkTerm> &t) {
      return hisq_force(place, u, t, reference::fat7_weights, reference::hisq_weights, Precision::double_);
    };
    reference::GaugeField expected = force(thin, terms); // A_mu(x) turns with the site x
    for (int mu = 0; mu < 4; mu++)
      for (std::size_t slot = 0; slot < lattice.volume(); slot++)
        expected.U[mu][slot] = (g[slot] * expected.U[mu][slot] * g[slot].adjoint()).eval();
    EXPECT_LT(reference::deviation(force(reference::transformed(thin, g), turned), expected), 1e-11);
  });
}
