/// Wilson fermions solved on several ranks, in mixed precision: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "dirac/dirac_system.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "solvers/bicgstab.h"
#include "solvers/cg.h"
#include "solvers/krylov_solver.h"
#include "support/grids.h"
#include "support/native_fields.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

constexpr int sources = 3;

/// Solutions on one parity, in slots, right-hand sides one after the other.
std::vector<double> solution(const support::Place &place, const reference::GaugeField &gauge, bool normal,
                             Precision sloppy)
{
  const support::LinkForm form {Precision::double_, Reconstruct::none, 1, -1};
  const GaugeField links = support::native_links(place, gauge, form);
  const LinkSet set(links);
  DiracSystemForm system;
  system.matpc = MatPC::even_even;
  system.normal = normal;
  const auto make = [&](Precision precision) {
    return std::make_unique<DiracSystem>(make_dirac({DiracKind::wilson, 0.13}, set, {precision, Reconstruct::none}),
                                         system);
  };
  const auto outer = make(Precision::double_);
  OperatorLadder ladder(*outer, make);
  ColorSpinorField b = support::native_spinors(place, Precision::double_, 0, sources);
  ColorSpinorField x = support::native_spinors(place, Precision::double_, 0, sources);
  std::vector<double> all;
  for (int j = 0; j < sources; j++) {
    const auto one =
        reference::to_host<double>(reference::random_spinors(place.global, 40 + j), place.global, place.part, 0);
    all.insert(all.end(), one.begin(), one.end());
  }
  support::set_from_host(b, all);
  const MakeIteration method = [&](const LinearOperator &A) -> std::unique_ptr<Iteration> {
    if (normal) return std::make_unique<CG>(A);
    return std::make_unique<BiCGstab>(A);
  };
  KrylovSolver solver(ladder, method, sloppy);
  const SolveReport report = solver.solve(x, b, {.relative = 1e-10}, {.iterations = 500});
  EXPECT_TRUE(report.converged());
  return support::host_array(x);
}

/// The numbers that a place holds of a result on the even sites of the whole lattice.
std::vector<double> part_of(const std::vector<double> &whole, const support::Place &place)
{
  std::vector<double> mine;
  const auto &local = place.part.local;
  for (int j = 0; j < sources; j++)
    for (std::size_t slot = 0; slot < local.half(); slot++) {
      const std::size_t at = place.global.slot(place.part.global_coords(slot)) + j * place.global.half();
      mine.insert(mine.end(), whole.begin() + 24 * at, whole.begin() + 24 * (at + 1));
    }
  return mine;
}

} // namespace

TEST(SolvesOnRanks, GiveTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const reference::Lattice global(reference::Coords {4, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  choose_target();
  for (const bool normal : {false, true})
    for (const Precision sloppy : {Precision::double_, Precision::single, Precision::half}) {
      const std::vector<double> whole =
          solution(support::Place(global, make_single_communicator()), gauge, normal, sloppy);
      support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        const support::Place place(global, comm);
        EXPECT_TRUE(solution(place, gauge, normal, sloppy) == part_of(whole, place))
            << "grid " << grid[0] << grid[1] << grid[2] << grid[3] << (normal ? ", normal" : "") << ", sloppy "
            << bytes_of(sloppy);
      });
    }
}
