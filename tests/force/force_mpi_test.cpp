/// Forces, paths, traces and dynamics on several ranks: the bits of one process, whatever the grid; and the derivative
/// of the action on every grid.

#include <mpi.h>

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

int ranks()
{
  int n = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

/// What is computed from one set of links and momenta.
struct Results {
  reference::QdpLinks<double> force, walked, product, moved;
  std::complex<double> trace;
  double action;
};

/// depth: of the border; open paths and the loop reach as far.
Results results(const support::Place &place, const reference::GaugeField &gauge, const support::LinkForm &form,
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
  Results r;
  add_path_sum(a, extended(links, 2), paths, 0.2, false);
  add_path_sum(b, wide, paths, 0.2, false, PathMethod::walk);
  const std::vector<int> up(depth - 1, 3), down(depth - 1, 6);
  PathSet open;
  for (auto &of_mu : open) of_mu = {{up, 0.5}, {down, 2}, {{0, 2, 7, 4}, 1}};
  add_path_sum(product, wide, open, 0.2, true);
  update_links(moved, links, a, 0.2, true);
  r.force = force_test::numbers(place, a);
  if (form.reconstruct == Reconstruct::none && form.anisotropy == 1) r.moved = force_test::numbers(place, moved);
  r.walked = force_test::numbers(place, b);
  r.product = force_test::numbers(place, product);
  std::vector<int> loop = {0, 0, 6};
  loop.insert(loop.end(), up.begin(), up.end());
  loop.insert(loop.end(), {7, 7, 1});
  for (std::size_t i = 0; i < up.size(); i++) loop.push_back(4);
  r.trace = loop_trace(wide, loop);
  r.action = momentum_action(a);
  return r;
}

/// The numbers of a rank's part, from those of one that holds all.
reference::QdpLinks<double> part_of(const reference::QdpLinks<double> &whole, const support::Place &place)
{
  reference::QdpLinks<double> mine;
  const std::size_t reals = whole[0].size() / place.global.volume();
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < place.part.local.volume(); slot++) {
      const double *from = whole[mu].data() + reals * place.global.slot(place.part.global_coords(slot));
      mine[mu].insert(mine[mu].end(), from, from + reals);
    }
  return mine;
}

double sum_over_ranks(double x)
{
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return x;
}

/// On every grid what one process finds on the lattice alone.
void compare(const reference::Coords &extents, const support::LinkForm &form, int depth)
{
  const reference::Lattice global(extents);
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, form.anisotropy, form.t_boundary);
  const Results alone = results(support::Place(global, make_single_communicator()), gauge, form, depth);
  support::on_grids(ranks(), [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3] << " border " << depth);
    for (int d = 0; d < 4; d++)
      if (grid[d] > 1 && extents[d] / grid[d] < depth) return; // no room for the border
    const support::Place place(global, comm);
    const Results here = results(place, gauge, form, depth);
    EXPECT_TRUE(here.force == part_of(alone.force, place));
    EXPECT_TRUE(here.walked == part_of(alone.walked, place));
    EXPECT_TRUE(here.product == part_of(alone.product, place));
    EXPECT_TRUE(here.moved == part_of(alone.moved, place));
    EXPECT_EQ(here.trace, alone.trace);
    EXPECT_EQ(here.action, alone.action);
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
  test::Handler handler;
  const reference::Coords locals[] = {{2, 4, 6, 8}, {6, 6, 6, 6}, {4, 4, 4, 10}};
  int which = 0;
  for (const support::Grid &grid : support::grids_of(ranks())) {
    const reference::Coords local = locals[which++ % 3];
    reference::Coords extents, P, coord;
    for (int d = 0; d < 4; d++) {
      P[d] = grid[d];
      extents[d] = local[d] * grid[d];
    }
    test::Session session(grid.data());
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int d = 3; d >= 0; d--) {
      coord[d] = rank % P[d];
      rank /= P[d];
    }
    const reference::Lattice global(extents);
    const reference::Part part(global, P, coord);
    for (const auto &loop : {reference::plaquette_loop, reference::rectangle_loop, reference::chair_loop})
      force_test::check_derivative(global, part, loop, sum_over_ranks);
    if (which == 1) force_test::check_dynamics(global, part, ranks());
    EXPECT_EQ(handler.calls(), 0) << handler.text();
  }
}

TEST(ForceOnRanks, PathsThatReachTooFarAreNamed)
{
  if (ranks() != 2) GTEST_SKIP() << "at two ranks";
  test::Handler handler;
  const int grid[4] = {1, 1, 1, 2};
  test::Session session(grid);
  const reference::Lattice global({4, 4, 4, 8});
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const reference::Part part(global, {1, 1, 1, 2}, {0, 0, 0, rank});
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
