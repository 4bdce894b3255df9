/// Forces, paths, traces and dynamics on several ranks: the bits of one process, whatever the grid; and the derivative
/// of the action on every grid.

#include "force/dynamics.h"
#include "force/force_fields.h"
#include "ops/force/momentum.h"
#include "ops/gauge/path_sum.h"
#include "ops/halo/gauge_border.h"
#include "reference/gauge/links.h"
#include "support/grids.h"

using namespace quda;

namespace
{

/// depth: of the border; open paths and the loop reach as far.
support::Results results(const support::Place &place, const reference::GaugeField &gauge, const support::LinkForm &form,
                         int depth)
{
  const auto terms = reference::force_paths(reference::images(reference::rectangle_loop), -0.05) +
                     reference::force_paths(reference::images(reference::plaquette_loop), 1.6) +
                     reference::force_paths({reference::chair_loop}, 0.3);
  const PathSet paths = force_test::path_set(terms);
  const GaugeField links = support::native_links(place, gauge, form), wide = extended(links, depth);
  GaugeField a = force_test::native_momentum(place, reference::random_momentum(place.global, 6), form.precision);
  GaugeField b = force_test::native_momentum(place, reference::random_momentum(place.global, 6), form.precision);
  GaugeField product(force_test::param_of(place, form.precision, false)), moved(links.param());
  add_path_sum(a, extended(links, 2), paths, 0.2, false);
  add_path_sum(b, wide, paths, 0.2, false, PathMethod::walk);
  const std::vector<int> up(depth - 1, 3), down(depth - 1, 6);
  PathSet open;
  for (auto &of_mu : open) of_mu = {{up, 0.5}, {down, 2}, {{0, 2, 7, 4}, 1}};
  add_path_sum(product, wide, open, 0.2, true);
  update_links(moved, links, a, 0.2, true);
  support::Results all(force_test::numbers(place, a), force_test::numbers(place, b),
                       force_test::numbers(place, product), momentum_action(a));
  if (form.reconstruct == Reconstruct::none && form.anisotropy == 1) all.add(force_test::numbers(place, moved));
  std::vector<int> loop = {0, 0, 6};
  loop.insert(loop.end(), up.begin(), up.end());
  loop.insert(loop.end(), {7, 7, 1});
  for (std::size_t i = 0; i < up.size(); i++) loop.push_back(4);
  all.add(loop_trace(wide, loop));
  return all;
}

/// On every grid what one process finds on the lattice alone.
void compare(const reference::Coords &extents, const support::LinkForm &form, int depth)
{
  const reference::Lattice global(extents);
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, form.anisotropy, form.t_boundary);
  SCOPED_TRACE(testing::Message() << "border " << depth);
  support::expect_bits_of_one_process(
      global, [&](const support::Place &place) { return results(place, gauge, form, depth); },
      [&](const support::Grid &grid) { // room for the border
        for (int d = 0; d < 4; d++)
          if (grid[d] > 1 && extents[d] / grid[d] < depth) return false;
        return true;
      });
}

} // namespace

TEST(ForceOnRanks, GivesTheBitsOfOneProcess)
{
  support::on_targets([&] {
    for (const Precision precision : {Precision::double_, Precision::single}) {
      compare({4, 4, 8, 8}, {precision, Reconstruct::none, 1, 1}, 2);
      compare({4, 4, 4, 8}, {precision, Reconstruct::r12, 1.5, -1}, 2);
    }
  });
}

TEST(ForceOnRanks, GivesThemWithADeepBorder)
{
  compare({4, 8, 4, 16}, {Precision::double_, Reconstruct::r12, 1.5, -1}, 4);
}

TEST(ForceOnRanks, IsTheDerivativeOfTheAction)
{
  const reference::Coords locals[] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}};
  int which = 0;
  for (const support::Grid &grid : support::grids_of(support::ranks())) {
    const reference::Coords local = locals[which++ % 3];
    reference::Coords extents;
    for (int d = 0; d < 4; d++) extents[d] = local[d] * grid[d];
    test::Session session(grid.data());
    const reference::Lattice global(extents);
    const reference::Part part = support::part_on(grid, global);
    for (const auto &loop : {reference::plaquette_loop, reference::rectangle_loop, reference::chair_loop})
      force_test::check_derivative(global, part, loop, support::sum_over_ranks);
    if (which == 1) force_test::check_dynamics(global, part, support::ranks());
  }
}

TEST(ForceOnRanks, PathsThatReachTooFarAreNamed)
{
  if (support::ranks() != 2) GTEST_SKIP() << "at two ranks";
  test::Handler handler;
  const int grid[4] = {1, 1, 1, 2};
  test::Session session(grid);
  const reference::Lattice global({4, 4, 4, 8});
  const reference::Part part(global, {1, 1, 1, 2}, {0, 0, 0, support::rank()});
  test::HostLinks<double> links(reference::random_gauge(global, 1), part, QUDA_QDP_GAUGE_ORDER);
  QudaGaugeParam param = test::gauge_param(part.local.X);
  loadGaugeQuda(links.pointer(), &param);
  const double line = force_test::sum_of_traces({{3, 3, 3, 3, 0, 4, 4, 4, 4, 7}}, 1);
  EXPECT_EQ(handler.calls(), 0) << handler.text();
  EXPECT_NE(line, 0);
  force_test::sum_of_traces({{3, 3, 3, 3, 3, 3, 3, 3}}, 1);
  EXPECT_EQ(handler.kind(), QUDA_ERROR_KIND_BAD_ARGUMENT);
  EXPECT_TRUE(handler.says("8 steps") && handler.says("X[3] = 4")) << handler.text();
}
