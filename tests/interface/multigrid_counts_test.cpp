/// Counts of multigrid on a lattice that is small enough for every run of the tests.

#include "multigrid_counts.h"

TEST(MultigridCounts, On8888)
{
  test::expect_counts({.X = {8, 8, 8, 8},
                       .beta = 5.8,
                       .plaquette = 0.5677,
                       .sweeps = 60,
                       .blocks = {{4, 4, 4, 4}},
                       .vectors = 12,
                       .steps = 40,
                       .quarks = {{0.1590, 18}, {0.1540, 13}},
                       .times = 7,
                       .growth = 1.4});
}
