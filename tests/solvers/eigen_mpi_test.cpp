/// Eigenvalues and eigenvectors on several ranks: the bits of one process, whatever the grid.

#include <gtest/gtest.h>

#include "dirac/dirac_system.h"
#include "dirac/make_dirac.h"
#include "dirac/sliced.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "solvers/eigen_solver.h"
#include "support/grids.h"
#include "support/untuned.h"

using namespace quda;

namespace
{

support::Results found(const support::Place &place, const reference::GaugeField &gauge, const EigenOptions &options)
{
  const GaugeField links = support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1});
  const LinkSet set(links);
  const DiracSystem A(make_dirac(WilsonFermions {0.12}, set, {Precision::double_, Reconstruct::none}),
                      {.matpc = MatPC::even_even, .normal = options.method != EigenMethod::ir_arnoldi});
  EigenSolver solver(A, A, options);
  const EigenReport report = solver.solve();
  return support::Results(report.values, report.residuals, report.products, solver.vector(options.pairs - 1));
}

/// Of time slices, all at once: the values of all ranks.
std::vector<double> found_on_slices(const support::Place &place, const reference::GaugeField &gauge)
{
  const GaugeField links = support::native_links(place, gauge, {});
  const LinkSet set(links);
  const DiracSystem whole(make_dirac(LaplaceVectors {1.0 / 6, 3}, set, {Precision::double_, Reconstruct::none}), {});
  const Sliced A(whole);
  const int mine = place.lattice->X(3), first = static_cast<int>(place.lattice->origin()[3]), all = place.global.X[3];
  EigenOptions options {.method = EigenMethod::tr_lanczos_3d, .pairs = 3, .search = 4, .space = 12, .restarts = 4};
  options.problems = {mine, first, all};
  options.together = &place.lattice->communicator();
  EigenSolver solver(A, A, options);
  const EigenReport report = solver.solve();
  std::vector<double> values(static_cast<std::size_t>(3 * all));
  for (std::size_t i = 0; i < report.values.size() && A.lattice()->communicator().rank() == 0; i++)
    values[static_cast<std::size_t>(3 * first) + i] = report.values[i].real();
  place.lattice->communicator().sum(values.data(), 3 * all);
  return values;
}

} // namespace

TEST(EigenOnRanks, GivesTheBitsOfOneProcess)
{
  const reference::Lattice global(reference::Coords {4, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  choose_target();
  const EigenOptions all[] = {
      {.wanted = Wanted::largest_real, .pairs = 3, .search = 4, .space = 12, .restarts = 3},
      {.pairs = 3, .search = 4, .space = 12, .restarts = 1, .degree = 8},
      {.method = EigenMethod::block_tr_lanczos, .pairs = 3, .search = 4, .space = 16, .block = 2, .restarts = 1},
      {.method = EigenMethod::ir_arnoldi,
       .wanted = Wanted::largest_real,
       .pairs = 3,
       .search = 4,
       .space = 12,
       .restarts = 2}};
  for (const EigenOptions &options : all) {
    SCOPED_TRACE(testing::Message() << find_eigen_method(static_cast<int>(options.method))->name << ", degree "
                                    << options.degree);
    support::expect_bits_of_one_process(global,
                                        [&](const support::Place &place) { return found(place, gauge, options); });
  }
}

TEST(EigenOnRanks, SlicesGiveTheBitsOfOneProcess)
{
  const reference::Lattice global(reference::Coords {4, 4, 4, 8});
  const reference::GaugeField gauge = reference::random_gauge(global, 12);
  choose_target();
  support::expect_bits_of_one_process(global,
                                      [&](const support::Place &place) { return found_on_slices(place, gauge); });
}
