/// Clover fermions on several ranks: the bits of one process, whatever the grid.

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

/// Term, inverse, determinants, and products of all operators.
support::Results results(const support::Place &place, const reference::GaugeField &gauge, const support::LinkForm &form)
{
  LinkSet links;
  links.load(std::make_unique<GaugeField>(support::native_links(place, gauge, form)));
  CloverSet clover;
  auto term = std::make_unique<CloverField>(support::native_clover(place, form.precision));
  clover_term(*term, links.with_border(2), 0.2);
  const CloverDeterminants found = clover_inverse(nullptr, *term);
  support::Results all(found.log[0], found.log[1], found.not_positive);
  clover.load(std::move(term), nullptr);
  all.add(support::OfSites {support::host_array(clover.precise())});
  all.add(support::OfSites {support::host_array(clover.inverse(form.precision))});

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
        all.add(out);
      }
  }
  return all;
}

} // namespace

TEST(CloverOnRanks, GivesTheBitsOfOneProcess)
{
  support::on_targets([&] {
    const bool slow = target().kind() == Target::fiber;
    const reference::Lattice global(slow ? reference::Coords {4, 4, 4, 8} : reference::Coords {4, 8, 4, 8});
    reference::GaugeField gauge = reference::random_gauge(global, 11);
    reference::set_up_links(gauge, 1.3, -1);
    for (const Precision precision : {Precision::double_, Precision::single}) {
      SCOPED_TRACE(bytes_of(precision));
      support::expect_bits_of_one_process(global, [&](const support::Place &place) {
        return results(place, gauge, {precision, Reconstruct::r12, 1.3, -1});
      });
    }
  });
}
