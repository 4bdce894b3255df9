/// Gradients of Wilson's hop and of clover leaves against the plain reference, at uneven sizes and with more pairs than
/// a launch takes.

#include <gtest/gtest.h>

#include "force/quark_pairs.h"
#include "ops/dirac/fifth.h"
#include "reference/dirac/clover.h"
#include "support/host_links.h"
#include "support/untuned.h"

using namespace quda;
using namespace force_test;

namespace
{

support::Place alone(const reference::Lattice &lattice) { return {lattice, make_single_communicator()}; }

constexpr double of_parity[2] = {0.6, -1.3};

} // namespace

TEST(QuarkGradient, AgreesWithTheReference)
{
  const reference::Lattice lattice({2, 4, 6, 8});
  const reference::GaugeField links = reference::random_gauge(lattice, 81);
  for (const int flavours : {1, 2}) {
    const auto pairs = with_flavours(random_pairs(lattice, flavours == 1 ? 19 : 4, 82), flavours);
    const reference::GaugeField of_hop = reference::hop_gradient(lattice, pairs),
                                of_leaves = reference::leaves_gradient(
                                    links, reference::clover_tensor(lattice, pairs, {of_parity[0], of_parity[1]}));
    support::on_targets([&] {
      const support::Place place = alone(lattice);
      for (const Precision precision : {Precision::double_, Precision::single}) {
        SCOPED_TRACE(testing::Message() << flavours << " flavours, " << bytes_of(precision) << " bytes");
        const double bar = precision == Precision::double_ ? 1e-12 : 1e-4;
        const LinkSet set = links_of(place, links, precision);
        const Pairs fields(place, pairs, precision, flavours);
        GaugeField gradient(matrices_of(set.precise().param()));
        hop_gradient(gradient, fields.view(), set.precise(), false);
        EXPECT_LT(reference::deviation(support::reference_links(gradient), of_hop), bar);
        SiteField tensor = clover_tensor_like(set.precise());
        clover_tensor(tensor, fields.view(), of_parity, false);
        add_leaves_gradient(gradient, set, tensor);
        EXPECT_LT(reference::deviation(support::reference_links(gradient), reference::sum_of(of_hop, of_leaves)), bar);

        QuarkGradient both(set);
        both.add(fields.view(), 1, of_parity);
        EXPECT_EQ(reference::deviation(support::reference_links(both.take()), support::reference_links(gradient)), 0);
      }
    });
  }
}

/// Slices of a fifth dimension are pairs of one weight each, of two launches.
TEST(QuarkGradient, OfSlices)
{
  const reference::Lattice lattice({2, 4, 4, 6});
  const reference::GaugeField links = reference::random_gauge(lattice, 91);
  constexpr int slices = 12, fields = 3;
  const auto pairs = with_flavours(random_pairs(lattice, slices * fields, 92), slices);
  const reference::GaugeField expected = reference::hop_gradient(lattice, pairs);
  support::on_targets([&] {
    const support::Place place = alone(lattice);
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const LinkSet set = links_of(place, links, precision);
      const Pairs columns(place, pairs, precision, 1);
      ColorSpinorParam param = columns.left.param();
      param.rhs = fields;
      param.fifth = slices;
      ColorSpinorField left(param), right(param);
      layers_as_columns(left) = columns.left;
      layers_as_columns(right) = columns.right;
      std::vector<double> weights;
      for (int i = 0; i < fields; i++) weights.push_back(pairs[static_cast<std::size_t>(slices * i)].weight);
      GaugeField gradient(matrices_of(set.precise().param())), of_columns(gradient.param());
      hop_gradient(gradient, {left, right, weights}, set.precise(), false);
      hop_gradient(of_columns, columns.view(), set.precise(), false);
      EXPECT_LT(reference::deviation(support::reference_links(gradient), expected),
                precision == Precision::double_ ? 1e-12 : 1e-4);
      EXPECT_EQ(reference::deviation(support::reference_links(gradient), support::reference_links(of_columns)), 0);
    }
  });
}

/// Re l^dag M r of fixed l and r, and tr(A B) of a fixed B, B from another clover term.
TEST(QuarkGradient, IsTheDerivativeOfTheOperator)
{
  const reference::Lattice lattice({4, 2, 4, 6});
  const double kappa = 0.13, c = 0.21;
  const reference::GaugeField links = reference::random_gauge(lattice, 84),
                              way = reference::random_momentum(lattice, 85);
  const auto pairs = random_pairs(lattice, 1, 86);
  const reference::SiteMatrices B = reference::clover_term(reference::random_gauge(lattice, 87), 0.4);
  const auto energy = [&](const reference::GaugeField &u) {
    const reference::CloverWilson op(u, c);
    double sum = pairs[0].weight * reference::inner_product(pairs[0].left, op.matrix(pairs[0].right, kappa)).real();
    for (std::size_t slot = 0; slot < lattice.half(); slot++) sum += (op.A[slot] * B[slot]).trace().real();
    return sum;
  };
  const double expected = reference::slope(
      energy, [&](double s) { return reference::updated(links, way, s, 20); }, 1e-3);
  support::on_targets([&] {
    const support::Place place = alone(lattice);
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const LinkSet set = links_of(place, links, precision);
      const Pairs fields(place, pairs, precision, 1);
      CloverField term = support::native_clover(place, precision);
      support::set_from_host(term, reference::to_packed<double>(B, lattice, place.part));
      QuarkGradient sum(set);
      sum.add(fields.view(), -kappa, {-c, -c});
      sum.add(term, {-c, 0});
      GaugeField momentum(param_of(place, precision, true));
      add_gradient_force(momentum, set.precise(), sum.take(), 1, true);
      reference::GaugeField force(lattice);
      const auto arrays = numbers(place, momentum);
      for (int mu = 0; mu < 4; mu++)
        for (std::size_t slot = 0; slot < lattice.volume(); slot++)
          force.U[mu][slot] = reference::from_ten(&arrays[mu][10 * slot]);
      EXPECT_NEAR(-reference::inner_product(way, force), expected,
                  (precision == Precision::double_ ? 1e-9 : 1e-4) * std::abs(expected));
    }
  });
}
