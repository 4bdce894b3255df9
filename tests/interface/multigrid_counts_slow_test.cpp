/// Counts of multigrid on 12^3 x 24.

#include "multigrid_counts.h"

TEST(MultigridCounts, On12x24)
{
  test::expect_counts({.X = {12, 12, 12, 24},
                       .beta = 6.0,
                       .plaquette = 0.5937,
                       .sweeps = 60,
                       .blocks = {{3, 3, 3, 4}},
                       .vectors = 24,
                       .steps = 60,
                       .quarks = {{0.1566, 24}, {0.1563, 21}, {0.1558, 17}, {0.1550, 15}},
                       .times = 20,
                       .growth = 1.3});
}
