/// The mean plaquette against other programs' results: within 2e-4, or three times both errors together.

#include <algorithm>

#include <gtest/gtest.h>

#include "heatbath/physics.h"

namespace
{

void expect(const int (&X)[4], double beta, int thermal, int measured, double value, double error)
{
  const auto mean = heatbath_tests::mean_plaquette(X, beta, thermal, measured, 20261121);
  std::printf("beta %g on %d^3 x %d: plaquette %.6f(%.6f), others %.6f(%.6f)\n", beta, X[0], X[3], mean.value,
              mean.error, value, error);
  EXPECT_LE(mean.error, 1e-4);
  EXPECT_NEAR(mean.value, value, std::max(2e-4, 3 * std::hypot(mean.error, error)));
}

} // namespace

TEST(MeanPlaquette, On12To4) { expect({12, 12, 12, 12}, 6.0, 100, 800, 0.593683, 0.000019); }

TEST(MeanPlaquette, On8To4)
{
  expect({8, 8, 8, 8}, 5.5, 200, 12000, 0.49681, 0.00008);
  expect({8, 8, 8, 8}, 5.7, 200, 8000, 0.54906, 0.00007);
  expect({8, 8, 8, 8}, 6.0, 200, 1500, 0.59421, 0.00003);
  expect({8, 8, 8, 8}, 6.2, 200, 1500, 0.61391, 0.00003);
  expect({8, 8, 8, 8}, 12, 100, 400, 0.82248, 0.00002);
}
