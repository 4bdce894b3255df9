/// The mean plaquette of small lattices, quickly: a gross fault of weight or random numbers shows here; the
/// physics_slow test has the narrow bounds. And of each action what its weight alone says, on any lattice.

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

/// The integral of a total derivative of each link is nothing: beta <|TA(U S^dag)|^2> = 8 <Re tr U S^dag>, exactly.
TEST(SchwingerDyson, EachAction)
{
  const int X[4] = {4, 4, 4, 4};
  const struct {
    const char *name;
    double beta, rectangle, anisotropy;
  } actions[] = {{"Wilson", 5.5, 0, 1},
                 {"Wilson, anisotropic", 5.5, 0, 2},
                 {"Symanzik", 4.2, -1.0 / 12, 1},
                 {"Iwasaki, anisotropic", 2.4, -0.331, 1.5},
                 {"DBW2", 0.9, -1.4088, 1}};
  for (const auto &action : actions) {
    quda::HeatbathSweeps sweeps;
    sweeps.beta = action.beta;
    sweeps.seed = 3;
    sweeps.rectangle = action.rectangle;
    sweeps.anisotropy = action.anisotropy;
    std::vector<double> nothing, size;
    heatbath_tests::chain(X, sweeps, 30, 150, [&](const quda::GaugeField &links) {
      size.push_back(8 * heatbath_tests::action_density(links, sweeps, true));
      nothing.push_back(action.beta * heatbath_tests::force_density(links, sweeps) - size.back());
    });
    const auto mean = heatbath_tests::binned(nothing);
    const double unit = heatbath_tests::binned(size).value;
    std::printf("%s: %.5f(%.5f), 0 expected\n", action.name, mean.value / unit, mean.error / unit);
    EXPECT_LE(mean.error, 4e-3 * unit) << action.name;
    EXPECT_LE(std::abs(mean.value), 4 * mean.error) << action.name;
  }
}
