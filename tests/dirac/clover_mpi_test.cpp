/// Clover fermions on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include "dirac_checks.h"
#include "ops/clover/clover_set.h"
#include "ops/clover/term.h"
#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"

using namespace quda;
using namespace dirac_test;

namespace
{

/// Term, inverse, determinants, and products of all operators, each as numbers of this rank's sites.
struct Results {
  std::vector<std::pair<int, std::vector<double>>> fields; // parity or -1, the numbers
  std::vector<double> determinants;
};

Results results(const support::Place &place, const reference::GaugeField &gauge, const support::LinkForm &form)
{
  LinkSet links;
  links.load(std::make_unique<GaugeField>(support::native_links(place, gauge, form)));
  CloverSet clover;
  auto term = std::make_unique<CloverField>(support::native_clover(place, form.precision));
  clover_term(*term, links.with_border(2), 0.2);
  Results all;
  const CloverDeterminants found = clover_inverse(nullptr, *term);
  all.determinants = {found.log[0], found.log[1], static_cast<double>(found.not_positive)};
  clover.load(std::move(term), nullptr);
  all.fields.emplace_back(-1, support::host_array(clover.precise()));
  all.fields.emplace_back(-1, support::host_array(clover.inverse(form.precision)));

  for (const Precision precision : {form.precision, Precision::half}) {
    const auto dirac = make_dirac(CloverFermions {0.12, &clover}, links, {precision, form.reconstruct});
    std::vector<std::unique_ptr<LinearOperator>> operators;
    operators.push_back(dirac->full());
    for (const MatPC matpc : all_matpc) operators.push_back(dirac->schur(matpc));
    for (const auto &A : operators)
      for (const bool dagger : {false, true}) {
        const ColorSpinorField in = random_field(A->shape(1), place, 5);
        ColorSpinorField out(A->shape(1));
        (*A)(out, in, dagger);
        all.fields.emplace_back(out.parities() == 2 ? -1 : out.parity(), support::host_array(out));
      }
  }
  return all;
}

/// The numbers that this place holds of a field on the whole lattice.
std::vector<double> part_of(const std::vector<double> &whole, const support::Place &place, int parity)
{
  std::vector<double> mine;
  const auto &local = place.part.local;
  const std::size_t sites = parity < 0 ? place.global.volume() : place.global.half(), reals = whole.size() / sites;
  for (std::size_t slot = 0; slot < local.volume(); slot++) {
    if (parity >= 0 && (slot >= local.half()) != (parity == 1)) continue;
    std::size_t at = place.global.slot(place.part.global_coords(slot));
    if (parity >= 0) at %= place.global.half();
    mine.insert(mine.end(), whole.begin() + static_cast<std::ptrdiff_t>(reals * at),
                whole.begin() + static_cast<std::ptrdiff_t>(reals * (at + 1)));
  }
  return mine;
}

} // namespace

TEST(CloverOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  support::on_targets([&] {
    const bool slow = target().kind() == Target::fiber;
    const reference::Lattice global(slow ? reference::Coords {4, 4, 4, 8} : reference::Coords {4, 8, 4, 8});
    reference::GaugeField gauge = reference::random_gauge(global, 11);
    reference::set_up_links(gauge, 1.3, -1);
    for (const Precision precision : {Precision::double_, Precision::single}) {
      const support::LinkForm form {precision, Reconstruct::r12, 1.3, -1};
      const Results whole = results(support::Place(global, make_single_communicator()), gauge, form);
      support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3] << " bytes "
                                        << bytes_of(precision));
        const support::Place place(global, comm);
        const Results mine = results(place, gauge, form);
        EXPECT_EQ(mine.determinants, whole.determinants);
        ASSERT_EQ(mine.fields.size(), whole.fields.size());
        for (std::size_t k = 0; k < whole.fields.size(); k++)
          EXPECT_TRUE(mine.fields[k].second == part_of(whole.fields[k].second, place, whole.fields[k].first))
              << "result " << k;
      });
    }
  });
}
