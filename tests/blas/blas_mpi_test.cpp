/// Linear algebra on several ranks: sums are the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "blas/formulas.h"
#include "support/grids.h"

using namespace quda;
using namespace blas_tests;

namespace
{

/// Whether a rank's numbers are its sites' of the whole field.
bool is_part(const Numbers &here, const Numbers &whole, const support::Place &place, const Shape &shape)
{
  const std::size_t half = place.part.local.half(), whole_half = place.global.half();
  const std::size_t record = 2 * shape.spins * shape.colors;
  for (std::size_t slot = 0; slot < 2 * half; slot++) {
    const std::size_t p = slot / half, there = place.global.slot(place.part.global_coords(slot)) - p * whole_half;
    for (int i = 0; i < shape.inner; i++) {
      const double *a = &here[((p * shape.inner + i) * half + slot - p * half) * record];
      const double *b = &whole[((p * shape.inner + i) * whole_half + there) * record];
      if (!std::equal(a, a + record, b)) return false;
    }
  }
  return true;
}

} // namespace

TEST(BlasOnRanks, GivesTheBitsOfOneProcess)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Launches untuned("");
  const reference::Lattice global({4, 4, 4, 16});
  for (const Shape &shape : {Shape {4, 3, 1, -1, Precision::double_}, {1, 3, 2, -1, Precision::single}})
    support::on_targets([&] {
      const support::Place whole(global, make_single_communicator());
      const auto numbers = random_numbers(whole, shape, 0, n_fields);
      std::vector<Outcome> alone;
      for (const Formula &formula : formulas()) alone.push_back(outcome(formula, whole, shape, numbers));
      support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &grid) {
        const support::Place place(global, comm);
        const auto part = random_numbers(place, shape, 0, n_fields);
        for (std::size_t k = 0; k < alone.size(); k++) {
          SCOPED_TRACE(testing::Message()
                       << formulas()[k].name << " grid " << grid[0] << grid[1] << grid[2] << grid[3]);
          const Outcome here = outcome(formulas()[k], place, shape, part);
          EXPECT_EQ(here.sums, alone[k].sums);
          for (int f = 0; f < n_fields; f++)
            EXPECT_TRUE(is_part(here.fields[f], alone[k].fields[f], place, shape)) << "field " << f;
        }
      });
    });
}

/// Tuned, as solvers call them: all ranks choose alike and agree on every sum.
TEST(BlasOnRanks, TunesTogether)
{
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  support::on_targets([&] {
    const reference::Lattice global({8, 8, 8, 8});
    const support::Place whole(global, make_single_communicator());
    Fields alone = random_fields(whole, {4, 3, 1, -1, Precision::double_}, 2);
    const double expected = blas::axpyNorm2(a, alone[0], alone[1]);
    const support::Place place(global, make_communicator(support::grids_of(ranks)[0].data()));
    load_tune_cache(place.lattice->communicator());
    Fields f = random_fields(place, {4, 3, 1, -1, Precision::double_}, 2);
    EXPECT_EQ(blas::axpyNorm2(a, f[0], f[1]), expected);
    EXPECT_EQ(blas::norm2(f[1]), expected);
  });
}
