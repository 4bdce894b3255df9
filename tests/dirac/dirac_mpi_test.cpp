/// Operator objects on several ranks: the identities of dirac_checks.h on every grid.

#include "dirac_checks.h"

#include "reference/gauge/links.h"
#include "reference/random.h"
#include "support/grids.h"

using namespace quda;
using namespace dirac_test;

namespace
{

const DiracParam wilson = WilsonFermions {0.135};
const DiracParam moebius = MoebiusFermions {0.1, -1.6, {1.5, 1.4, 1.3}, {0.5, 0.4, 0.3}};
const DiracParam in_five_dimensions = DomainWallFermions {0.1, -1.6, 4};

const reference::Lattice global({4, 4, 4, 8});

/// body(operators, place): on a place.
template <class Body> auto with_dirac(const support::Place &place, const Body &body, const DiracParam &of = wilson)
{
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  LinkSet set;
  set.load(std::make_unique<GaugeField>(
      support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1})));
  return body(*make_dirac(of, set, {Precision::double_, Reconstruct::r12}), place);
}

template <class Body> void on_every_grid(const Body &body, const DiracParam &of = wilson)
{
  choose_target();
  support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &) {
    with_dirac(support::Place(global, comm), body, of);
  });
}

} // namespace

TEST(DiracOnRanks, AdjointsFactorsEpilogues)
{
  on_every_grid([](const Dirac &dirac, const support::Place &place) {
    const auto M = dirac.full(), Mpc = dirac.schur(MatPC::odd_odd);
    for (const LinearOperator *A : {M.get(), Mpc.get()}) {
      expect_adjoint(*A, place);
      const Normal normal(*A);
      expect_adjoint(normal, place);
      expect_factor(normal, place);
    }
    expect_epilogues(Shifted(*Mpc, 0.2), place, 2);
  });
}

TEST(DiracOnRanks, PrepareAndReconstruct)
{
  on_every_grid([](const Dirac &dirac, const support::Place &place) { expect_even_odd(dirac, place, 2); });
}

TEST(DiracOnRanks, FifthDimension)
{
  for (const DiracParam &of : {moebius, in_five_dimensions})
    on_every_grid(
        [](const Dirac &dirac, const support::Place &place) {
          expect_even_odd(dirac, place, 1, dirac.shape(-1, 1).fifth == 3);
          expect_adjoint(*dirac.schur(MatPC::odd_odd), place);
        },
        of);
}

/// Sums of an application are the same bits on every grid.
TEST(DiracOnRanks, SumsAreThoseOfOneProcess)
{
  const auto sums_of = [](const Dirac &dirac, const support::Place &place) {
    const auto M = dirac.schur(MatPC::even_even);
    const ColorSpinorField in = random_field(M->shape(2), place, 50);
    ColorSpinorField out(M->shape(2));
    Sums sums;
    M->apply({.out = out, .in = in, .end = {.x = &in, .dot_with = &in, .norm = true, .change = true}}, &sums);
    return support::Results(sums.norm, sums.change, sums.dot);
  };
  choose_target();
  for (const DiracParam &of : {wilson, moebius, in_five_dimensions})
    support::expect_bits_of_one_process(global,
                                        [&](const support::Place &place) { return with_dirac(place, sums_of, of); });
}
