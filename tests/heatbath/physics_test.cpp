/// The mean plaquette of small lattices, quickly: a gross fault of weight or random numbers shows here; the
/// physics_slow test has the narrow bounds.

#include <gtest/gtest.h>

#include "heatbath/physics.h"
#include "support/untuned.h"

TEST(MeanPlaquette, Quickly)
{
  const int X[4] = {8, 8, 8, 8};
  const struct {
    double beta, value;
  } known[] = {{5.7, 0.54906}, {6.0, 0.59421}, {12, 0.82248}};
  for (const auto &one : known) {
    const auto mean = heatbath_tests::mean_plaquette(X, one.beta, 40, 100, 1);
    std::printf("beta %g on 8^4: plaquette %.5f(%.5f), known %.5f\n", one.beta, mean.value, mean.error, one.value);
    EXPECT_LE(mean.error, 1e-3);
    EXPECT_NEAR(mean.value, one.value, 5 * mean.error);
  }
}
