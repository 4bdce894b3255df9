/// Wilson fermions solved on several ranks, in mixed precision: the bits of one process, whatever the grid; and the
/// time that is lost when sums over the ranks come late.

#include <gtest/gtest.h>

#include "core/waits.h"
#include "dirac/dirac_system.h"
#include "dirac/make_dirac.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "solvers/method.h"
#include "support/delaying_communicator.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

struct Solution {
  ColorSpinorField x;
  SolveReport report;
};

Solution solution(const support::Place &place, const reference::GaugeField &gauge, Method method, Precision sloppy,
                  int sources = 3)
{
  const MethodRow &row = row_of(method);
  const support::LinkForm form {Precision::double_, Reconstruct::none, 1, -1};
  const GaugeField links = support::native_links(place, gauge, form);
  const LinkSet set(links);
  DiracSystemForm system;
  system.matpc = MatPC::even_even;
  system.normal = row.positive;
  const auto make = [&](Precision precision) {
    return std::make_unique<DiracSystem>(make_dirac(WilsonFermions {0.13}, set, {precision, Reconstruct::none}),
                                         system);
  };
  const auto outer = make(Precision::double_);
  OperatorByPrecision operators(*outer, make);
  ColorSpinorField b = support::native_spinors(place, Precision::double_, 0, sources);
  ColorSpinorField x = support::native_spinors(place, Precision::double_, 0, sources);
  std::vector<double> all;
  for (int j = 0; j < sources; j++) {
    const auto one =
        reference::to_host<double>(reference::random_spinors(place.global, 40 + j), place.global, place.part, 0);
    all.insert(all.end(), one.begin(), one.end());
  }
  support::set_from_host(b, all);
  KrylovSolver solver(
      operators, [&](const LinearOperator &A) { return row.make(A, {}); }, sloppy);
  const SolveReport report = solver.solve(x, b, {.relative = 1e-10}, {.iterations = 500});
  EXPECT_TRUE(report.converged());
  return {std::move(x), report};
}

} // namespace

TEST(SolvesOnRanks, GiveTheBitsOfOneProcess)
{
  const reference::Lattice global(reference::Coords {4, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  choose_target();
  for (const Method method : {Method::bicgstab, Method::cg, Method::pipelined_cg})
    for (const Precision sloppy : {Precision::double_, Precision::single, Precision::half}) {
      SCOPED_TRACE(testing::Message() << row_of(method).name << ", sloppy " << bytes_of(sloppy));
      support::expect_bits_of_one_process(
          global, [&](const support::Place &place) { return solution(place, gauge, method, sloppy).x; });
    }
}

/// Sums that come 200 us late: CG waits for two of them a step, pipelined CG for what is left of one when the matrix
/// has been applied. What is judged is the time spent waiting for what was held back, which no load on the machine
/// makes longer.
TEST(SolvesOnRanks, LateSumsAreHiddenBehindTheMatrix)
{
  if (support::ranks() != 2) return;
  const reference::Lattice global(reference::Coords {8, 8, 8, 16});
  const support::Grid grid {1, 1, 1, 2};
  choose_target();
  const auto comm = std::make_shared<support::DelayingCommunicator>(make_communicator(grid.data()));
  const support::Place place(global, comm);
  const reference::GaugeField gauge = reference::random_gauge(global, 11);
  const Method methods[] = {Method::cg, Method::pipelined_cg};
  constexpr double late = 200e-6;
  double held[2] = {1e9, 1e9}; // of a step
  for (const double delay : {0.0, late}) {
    double shortest[2] = {1e9, 1e9}, waited[2] = {};
    for (int turn = 0; turn < 3; turn++)
      for (int i = 0; i < 2; i++) {
        comm->sum_delay = delay;
        comm->held = 0;
        reset_wait_times();
        comm->barrier();
        const SolveReport report = solution(place, gauge, methods[i], Precision::double_, 1).report;
        const int steps = report.iterations;
        if (report.seconds / steps > shortest[i]) continue;
        shortest[i] = report.seconds / steps;
        waited[i] = wait_time(Wait::sum).seconds / steps;
        if (delay > 0) held[i] = std::min(held[i], comm->held / steps);
      }
    for (int i = 0; i < 2 && comm->rank() == 0; i++)
      std::printf("  %s, sums %.0f us late: %.0f us a step, of which %.0f us waiting for sums\n",
                  row_of(methods[i]).name, 1e6 * delay, 1e6 * shortest[i], 1e6 * waited[i]);
  }
  if (held[0] < late) GTEST_SKIP() << "the machine is so busy that CG's sums are not late when it asks for them";
  EXPECT_LT(held[1], 0.5 * held[0]);
}
