/// Linear algebra on several ranks: sums are the bits of one process, whatever the grid.

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

TEST(BlasOnRanks, GivesTheBitsOfOneProcess)
{
  const Launches untuned("");
  const reference::Lattice global({4, 4, 4, 16});
  for (const Shape &shape :
       {Shape {4, 3, 1, -1, Precision::double_}, {1, 3, 2, -1, Precision::single}, {4, 3, 1, -1, Precision::half}})
    support::on_targets([&] {
      support::expect_bits_of_one_process(global, [&](const support::Place &place) {
        const auto numbers = random_numbers(place, shape, 0, n_fields);
        support::Results results;
        for (const Formula &formula : formulas()) {
          const Outcome found = outcome(formula, place, shape, numbers);
          results.add(found.sums);
          for (const Numbers &field : found.fields)
            results.add(support::OfSites {field, -1, shape.inner(), {}, formula.name});
        }
        return results;
      });
    });
}

/// Tuned, as solvers call them: all ranks choose alike and agree on every sum.
TEST(BlasOnRanks, TunesTogether)
{
  support::on_targets([&] {
    const reference::Lattice global({8, 8, 8, 8});
    const support::Place whole(global, make_single_communicator());
    Fields alone = random_fields(whole, {4, 3, 1, -1, Precision::double_}, 2);
    const double expected = blas::axpyNorm2(for_all.a, alone[0], alone[1]);
    const support::Place place(global, make_communicator(support::grids_of(support::ranks())[0].data()));
    load_tune_cache(place.lattice->communicator());
    Fields f = random_fields(place, {4, 3, 1, -1, Precision::double_}, 2);
    EXPECT_EQ(blas::axpyNorm2(for_all.a, f[0], f[1]), expected);
    EXPECT_EQ(blas::norm2(f[1]), expected);
  });
}

/// Products that cancel, on any grid: the bits of rational arithmetic. What a rank sends is kilobytes.
TEST(BlasOnRanks, GramMatrixIsThatOfRationalArithmetic)
{
  const reference::Lattice global({4, 4, 4, 8});
  for (const char *force : {"threads=1", "threads=2,tile=3"}) {
    const Launches launches(force);
    for (const Cancelling &c : cancelling)
      support::on_targets([&] {
        support::on_grids([&](std::shared_ptr<Communicator> comm, const support::Grid &) {
          const support::Place place(global, comm);
          const ColorSpinorField x = field_with(place, c.shape, cancelling_numbers(c, place, 0));
          const ColorSpinorField y = field_with(place, c.shape, cancelling_numbers(c, place, 1));
          const std::size_t before = summed_bytes();
          const blas::Matrix g = blas::block::gram_rhs(x, y);
          if (support::rank() == 0)
            std::printf("%d x %d products, precision %d, exponents -%d to %d: %zu bytes\n", g.rows(), g.columns(),
                        bytes_of(c.shape.precision), 2 * c.spread, 2 * c.spread, summed_bytes() - before);
          for (int i = 0; i < c.shape.rhs; i++)
            for (int j = 0; j < c.shape.rhs; j++) EXPECT_EQ(g(i, j), cancelled(c, place, i, j)) << i << " " << j;
          // numbers of one order of magnitude
          const ColorSpinorField v = random_field(place, c.shape, 3), w = random_field(place, c.shape, 4);
          const std::size_t then = summed_bytes();
          blas::block::gram_rhs(v, w);
          if (support::rank() == 0) std::printf("the same of random numbers: %zu bytes\n", summed_bytes() - then);
          if (support::ranks() > 1) {
            EXPECT_LE(summed_bytes() - then, 512u * 72);
          }
        });
      });
  }
}
