/// Operator objects on several ranks: the identities of dirac_checks.h on every grid.

#include "dirac_checks.h"

#include <mpi.h>

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

template <class Body> void on_every_grid(const Body &body, const DiracParam &of = wilson)
{
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  choose_target();
  const reference::Lattice global({4, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
    const support::Place place(global, comm);
    LinkSet set;
    set.load(std::make_unique<GaugeField>(
        support::native_links(place, gauge, {Precision::double_, Reconstruct::none, 1, -1})));
    const auto dirac = make_dirac(of, set, {Precision::double_, Reconstruct::r12});
    body(*dirac, place);
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
  std::vector<double> first;
  const auto sums_of = [](const Dirac &dirac, const support::Place &place) {
    const auto M = dirac.schur(MatPC::even_even);
    const ColorSpinorField in = random_field(M->shape(2), place, 50);
    ColorSpinorField out(M->shape(2));
    Sums sums;
    M->apply({.out = out, .in = in, .end = {.x = &in, .dot_with = &in, .norm = true, .change = true}}, &sums);
    std::vector<double> all = sums.norm;
    all.insert(all.end(), sums.change.begin(), sums.change.end());
    for (const auto &dot : sums.dot) all.insert(all.end(), {dot.real(), dot.imag()});
    return all;
  };
  const reference::Lattice global({4, 4, 4, 8});
  reference::GaugeField gauge = reference::random_gauge(global, 11);
  reference::set_up_links(gauge, 1, -1);
  const support::Place alone(global, make_single_communicator());
  LinkSet set;
  set.load(std::make_unique<GaugeField>(
      support::native_links(alone, gauge, {Precision::double_, Reconstruct::none, 1, -1})));
  for (const DiracParam &of : {wilson, moebius, in_five_dimensions}) {
    const auto expected = sums_of(*make_dirac(of, set, {Precision::double_, Reconstruct::r12}), alone);
    on_every_grid([&](const Dirac &dirac, const support::Place &place) { EXPECT_EQ(sums_of(dirac, place), expected); },
                  of);
  }
}
