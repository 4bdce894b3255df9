/// Best rational approximations: the errors alternate and are of one size, which is what makes them best, and they fall
/// with the degree; partial fractions are the product.

#include <gtest/gtest.h>

#include <cmath>

#include "reference/approximation/rational.h"

namespace
{

double product(const reference::Rational &r, double x)
{
  double value = r.scale;
  for (std::size_t i = 0; i < r.poles.size(); i++) value *= (x + r.zeros[i]) / (x + r.poles[i]);
  return value;
}

} // namespace

TEST(BestPower, HasAlternatingErrorsOfOneSize)
{
  for (const double power : {-0.5, 0.5, -0.25, 0.125, -0.75, 0.375})
    for (const double low : {1e-1, 1e-3, 1e-6})
      for (const int degree : {1, 2, 5, 8}) {
        SCOPED_TRACE(testing::Message() << "x^" << power << " from " << low << ", degree " << degree);
        const double high = 4;
        const reference::Rational r = reference::best_power(power, low, high, degree);
        ASSERT_EQ(r.poles.size(), static_cast<std::size_t>(degree));
        // so many extrema of alternating signs as no other function of the degree could be below at all of
        int extrema = 0;
        double largest = 0, least = 1;
        const int points = 20000;
        double here = 0;
        for (int j = 0; j <= points; j++) {
          const double x = low * std::pow(high / low, static_cast<double>(j) / points);
          const double error = std::log(product(r, x)) - power * std::log(x);
          if (extrema == 0 || (error > 0) != (here > 0)) {
            if (extrema > 0) least = std::min(least, std::abs(here));
            extrema++;
            here = error;
          } else if (std::abs(error) > std::abs(here)) {
            here = error;
          }
          largest = std::max(largest, std::abs(error));
        }
        least = std::min(least, std::abs(here));
        if (r.error < 1e-13) continue; // rounding
        EXPECT_EQ(extrema, 2 * degree + 2);
        EXPECT_NEAR(largest, r.error, 1e-3 * r.error + 1e-14);
        EXPECT_NEAR(least, r.error, 1e-2 * r.error + 1e-14);
      }
}

TEST(BestPower, PartialFractionsAreTheProduct)
{
  for (const double power : {-0.5, 0.25}) {
    const reference::Rational r = reference::best_power(power, 1e-4, 2, 9);
    for (std::size_t i = 0; i + 1 < r.poles.size(); i++) {
      EXPECT_LT(r.poles[i], r.poles[i + 1]);
      EXPECT_LT(r.zeros[i], r.zeros[i + 1]);
      EXPECT_EQ(power<0, r.zeros[i]> r.poles[i]);
      EXPECT_EQ(power<0, r.residues[i]> 0);
    }
    for (const double x : {1e-4, 1e-3, 0.1, 1.7}) {
      EXPECT_NEAR(r(x) / product(r, x), 1, 1e-13);
      EXPECT_NEAR(r(x) / std::pow(x, power), 1, 1.001 * r.error);
    }
  }
}

/// Zolotarev's: the error of degree n to 1/sqrt(x) falls by the same factor from each degree to the next but for the
/// first ones.
TEST(BestPower, FallsWithTheDegree)
{
  double before = 1;
  for (int degree = 1; degree <= 10; degree++) {
    const double error = reference::best_power(-0.5, 1e-3, 1, degree).error;
    const double pi = std::acos(-1.0);
    if (degree > 2) {
      EXPECT_NEAR(std::log(before / error), pi * pi / std::log(4 / std::sqrt(1e-3)), 0.02);
    }
    EXPECT_LT(error, before);
    before = error;
  }
  EXPECT_LE(reference::best_power_within(0.125, 1e-4, 5, 1e-9).error, 1e-9);
}

TEST(BestPower, RefusesWhatIsNoPower)
{
  EXPECT_THROW(reference::best_power(1.5, 0.1, 1, 3), std::runtime_error);
  EXPECT_THROW(reference::best_power(0.5, 0, 1, 3), std::runtime_error);
  EXPECT_THROW(reference::best_power(0.5, 1, 1, 3), std::runtime_error);
  EXPECT_THROW(reference::best_power(0.5, 0.1, 1, 0), std::runtime_error);
}
