/// Linear algebra on several ranks: sums are the bits of one process, whatever the grid.

#include <mpi.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "blas/cancelling.h"
#include "blas/formulas.h"
#include "comms/replicated_sum.h"
#include "ops/blas/block.h"
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
    for (int i = 0; i < shape.inner(); i++) {
      const double *a = &here[((p * shape.inner() + i) * half + slot - p * half) * record];
      const double *b = &whole[((p * shape.inner() + i) * whole_half + there) * record];
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
  for (const Shape &shape :
       {Shape {4, 3, 1, -1, Precision::double_}, {1, 3, 2, -1, Precision::single}, {4, 3, 1, -1, Precision::half}})
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

/// Products that cancel, on any grid: the bits of rational arithmetic. What a rank sends is kilobytes.
TEST(BlasOnRanks, GramMatrixIsThatOfRationalArithmetic)
{
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const reference::Lattice global({4, 4, 4, 8});
  for (const char *force : {"threads=1", "threads=2,tile=3"}) {
    const Launches launches(force);
    for (const Cancelling &c : cancelling)
      support::on_targets([&] {
        support::on_grids(ranks, [&](std::shared_ptr<Communicator> comm, const support::Grid &) {
          const support::Place place(global, comm);
          const ColorSpinorField x = field_with(place, c.shape, cancelling_numbers(c, place, 0));
          const ColorSpinorField y = field_with(place, c.shape, cancelling_numbers(c, place, 1));
          const std::size_t before = summed_bytes();
          const blas::Matrix g = blas::block::gram_rhs(x, y);
          if (rank == 0)
            std::printf("%d x %d products, precision %d, exponents -%d to %d: %zu bytes\n", g.rows(), g.columns(),
                        bytes_of(c.shape.precision), 2 * c.spread, 2 * c.spread, summed_bytes() - before);
          for (int i = 0; i < c.shape.rhs; i++)
            for (int j = 0; j < c.shape.rhs; j++) EXPECT_EQ(g(i, j), cancelled(c, place, i, j)) << i << " " << j;
          // numbers of one order of magnitude
          const ColorSpinorField v = random_field(place, c.shape, 3), w = random_field(place, c.shape, 4);
          const std::size_t then = summed_bytes();
          blas::block::gram_rhs(v, w);
          if (rank == 0) std::printf("the same of random numbers: %zu bytes\n", summed_bytes() - then);
          if (ranks > 1) {
            EXPECT_LE(summed_bytes() - then, 512u * 72);
          }
        });
      });
  }
}
