/// Outer products and forces of HISQ quarks on several ranks: the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include "force/quark_fields.h"
#include "support/grids.h"
#include "support/host_links.h"
#include "support/untuned.h"

using namespace quda;
using namespace force_test;

namespace
{

struct Results {
  reference::QdpLinks<double> force;
  std::vector<reference::QdpLinks<double>> gradients;

  Results(const support::Place &place, const reference::GaugeField &thin, const QuarkTerms &terms, Precision precision)
      : force(numbers(
            place, native_hisq_force(place, thin, terms, reference::fat7_weights, reference::hisq_weights, precision)))
  {
    const QuarkGradients products(place, terms, precision);
    gradients = {support::host_links(products.of.fat), support::host_links(products.of.straight)};
  }
};

/// Numbers of the rank that differ, in some bit, from those of the whole lattice.
int differing(const reference::QdpLinks<double> &mine, const reference::QdpLinks<double> &whole,
              const support::Place &place)
{
  int n = 0;
  const std::size_t volume = place.part.local.volume(), reals = mine[0].size() / volume;
  for (int mu = 0; mu < 4; mu++)
    for (std::size_t slot = 0; slot < volume; slot++)
      n += std::memcmp(&mine[mu][reals * slot], &whole[mu][reals * place.global.slot(place.part.global_coords(slot))],
                       reals * sizeof(double)) != 0;
  return n;
}

} // namespace

TEST(QuarkForceOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << grid[1] << grid[2] << grid[3]);
    const auto extent = [&](int d, int least) { return grid[d] > 1 ? 4 * grid[d] : least; };
    const reference::Lattice global({extent(0, 2), extent(1, 4), extent(2, 2), extent(3, 2)});
    const reference::GaugeField thin = reference::random_gauge(global, 81, reference::Kind::weak);
    const QuarkTerms terms = quark_terms(global, 3, 82);
    std::optional<Results> first; // of the first target, in double
    support::on_targets([&] {
      for (const Precision precision : {Precision::double_, Precision::single}) {
        const Results whole(support::Place(global, make_single_communicator()), thin, terms, precision);
        if (!first) first = whole;
        EXPECT_TRUE(precision == Precision::single || whole.force == first->force) << "another target's bits";
        const support::Place place(global, comm);
        const Results here(place, thin, terms, precision);
        EXPECT_EQ(differing(here.force, whole.force, place), 0);
        for (std::size_t i = 0; i < 2; i++)
          EXPECT_EQ(differing(here.gradients[i], whole.gradients[i], place), 0) << "gradient " << i;
      }
    });
  });
}

/// A hop of three links needs as many sites.
TEST(QuarkForceOnRanks, RefusesExtentsThatAreTooShort)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) return;
  const int grid[4] = {1, 1, 2, 1};
  const reference::Lattice global({4, 4, 4, 4});
  const support::Place place(global, make_communicator(grid));
  try {
    const QuarkGradients products(place, quark_terms(global, 1, 83), Precision::double_);
    ADD_FAILURE() << "not refused";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_NE(std::string(error.what()).find("outer_products: a halo of depth 3 in direction 2"), std::string::npos)
        << error.what();
  }
}
