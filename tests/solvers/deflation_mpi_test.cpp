/// Deflated solves on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "dirac/make_dirac.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "solvers/incremental.h"
#include "support/grids.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

constexpr int sources = 3;

struct Solution {
  std::vector<double> x; // on the even sites, in slots, right-hand sides one after the other
  SolveReport report;
};

/// inc_eigcg: one right-hand side after the other fills a space, the last one has what the others left.
Solution solution(const support::Place &place, const reference::GaugeField &gauge, Method method, Precision kept)
{
  const GaugeField links = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1});
  const LinkSet set(links);
  const auto dirac = make_dirac(WilsonFermions {0.13}, set, {Precision::double_, Reconstruct::none});
  DiracSolve how {.system = {.matpc = MatPC::even_even}};
  if (row_of(method).positive) how.equations = Equations::normal_operator;
  how.method = method;
  how.sloppy = LinkStorage {Precision::single, Reconstruct::none};
  how.tolerance.relative = 1e-10;
  DeflationSpace space;
  if (!row_of(method).leaves_modes()) {
    const auto H = low_mode_system(*dirac, how, dirac->storage());
    space.find(*H, *H, {.pairs = 6, .search = 8, .space = 20, .restarts = 2}, kept, "H");
    how.low_modes = &space;
    how.deflate_again = 1e-3;
  }
  ColorSpinorField b = support::native_spinors(place, Precision::double_, 0, sources);
  ColorSpinorField x = support::native_spinors(place, Precision::double_, 0, sources);
  std::vector<double> all;
  for (int j = 0; j < sources; j++) {
    const auto one =
        reference::to_host<double>(reference::random_spinors(place.global, 40 + j), place.global, place.part, 0);
    all.insert(all.end(), one.begin(), one.end());
  }
  support::set_from_host(b, all);
  Solution s;
  if (row_of(method).leaves_modes()) {
    how.options.space = 10;
    how.options.kept = 4;
    IncrementalSpace gathered(4, 8, kept);
    s.report = gathered.solve(*dirac, how, {.again = 1e-3}, x, b, "H");
    EXPECT_TRUE(gathered.full());
  } else {
    s.report = solve(*dirac, how, x, b);
  }
  EXPECT_TRUE(s.report.converged());
  s.x = support::host_array(x);
  return s;
}

/// The numbers that a place holds of a result on the even sites of the whole lattice.
std::vector<double> part_of(const std::vector<double> &whole, const support::Place &place)
{
  std::vector<double> mine;
  for (std::size_t j = 0; j < sources; j++)
    for (std::size_t slot = 0; slot < place.part.local.half(); slot++) {
      const std::size_t at = place.global.slot(place.part.global_coords(slot)) + j * place.global.half();
      mine.insert(mine.end(), whole.begin() + 24 * at, whole.begin() + 24 * (at + 1));
    }
  return mine;
}

} // namespace

TEST(DeflationOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const reference::Lattice global(reference::Coords {4, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  choose_target();
  for (const Method method : {Method::cg, Method::gcr, Method::inc_eigcg, Method::gmresdr_proj})
    for (const Precision kept : {Precision::double_, Precision::half}) {
      if (row_of(method).leaves_modes() && kept == Precision::half) continue; // of single precision at least
      const Solution whole = solution(support::Place(global, make_single_communicator()), gauge, method, kept);
      support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3] << ", "
                                        << row_of(method).name << ", kept in " << bytes_of(kept));
        const support::Place place(global, comm);
        const Solution here = solution(place, gauge, method, kept);
        EXPECT_TRUE(here.x == part_of(whole.x, place));
        EXPECT_EQ(here.report.iterations, whole.report.iterations);
      });
    }
}
