/// Deflated solves on several ranks: the bits of one process, whatever the grid.

#include <gtest/gtest.h>

#include "dirac/make_dirac.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "solvers/incremental.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

constexpr int sources = 3;

/// inc_eigcg: one right-hand side after the other fills a space, the last one has what the others left.
support::Results solution(const support::Place &place, const reference::GaugeField &gauge, Method method,
                          Precision kept)
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
  SolveReport report;
  if (row_of(method).leaves_modes()) {
    how.options.space = 10;
    how.options.kept = 4;
    IncrementalSpace gathered(4, 8, kept);
    report = gathered.solve(*dirac, how, {.again = 1e-3}, x, b, "H");
    EXPECT_TRUE(gathered.full());
  } else {
    report = solve(*dirac, how, x, b);
  }
  EXPECT_TRUE(report.converged());
  return support::Results(x, report.iterations);
}

} // namespace

TEST(DeflationOnRanks, GivesTheBitsOfOneProcess)
{
  const reference::Lattice global(reference::Coords {4, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  choose_target();
  for (const Method method : {Method::cg, Method::gcr, Method::inc_eigcg, Method::gmresdr_proj})
    for (const Precision kept : {Precision::double_, Precision::half}) {
      if (row_of(method).leaves_modes() && kept == Precision::half) continue; // of single precision at least
      SCOPED_TRACE(testing::Message() << row_of(method).name << ", kept in " << bytes_of(kept));
      support::expect_bits_of_one_process(
          global, [&](const support::Place &place) { return solution(place, gauge, method, kept); });
    }
}
