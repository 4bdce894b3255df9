/// The stopping rules of a solve, on numbers alone.

#include "solvers/stopping.h"

#include <gtest/gtest.h>

using namespace quda;

namespace
{

/// A right-hand side of norm 1 that is to reach 1e-10, at the beginning.
Progress begun()
{
  Progress one;
  one.source = one.residual = one.best = 1;
  one.target = 1e-10;
  return one;
}

/// A cycle of the recursion from the residual of before to `iterated`, after which the true one is `residual`.
std::optional<Outcome> after(Progress &one, double iterated, double residual, bool outermost,
                             Outcome outcome = Outcome::running, int steps = 20)
{
  one.set_aim(one.residual, false, Precision::double_);
  one.measured(residual);
  return one.judge(outcome, iterated, steps, outermost);
}

} // namespace

TEST(Stopping, GoesOnWhileTheResidualFalls)
{
  for (const bool outermost : {true, false}) {
    Progress one = begun();
    for (double r = 0.1; r > 1e-9; r /= 10) EXPECT_FALSE(after(one, r, 1.1 * r, outermost)) << r;
    EXPECT_EQ(one.idle, 0);
    EXPECT_FALSE(one.stuck(Outcome::running));
  }
}

TEST(Stopping, ARecursionThatPromisesTooMuchIsLeft)
{
  Progress outer = begun();
  EXPECT_FALSE(after(outer, 0.1, 0.9, true)); // less than the half it has to fall by
  EXPECT_EQ(after(outer, 0.09, 0.9, true), Outcome::stagnated);

  Progress lower = begun();
  EXPECT_FALSE(after(lower, 1e-4, 0.02, false)); // less than the square root of what was promised
  EXPECT_FALSE(lower.stuck(Outcome::running));
  EXPECT_FALSE(after(lower, 1e-6, 0.019, false));
  EXPECT_TRUE(lower.stuck(Outcome::running));
  Progress enough = begun();
  EXPECT_FALSE(after(enough, 1e-4, 0.009, false));
  EXPECT_EQ(enough.idle, 0);
}

TEST(Stopping, ARunawayInALowerPrecisionIsStuckAtOnce)
{
  for (const bool far : {false, true}) { // a hundred times the best
    Progress one = begun();
    EXPECT_FALSE(after(one, 0.01, 0.01, false));
    EXPECT_FALSE(after(one, 0.001, far ? 1.01 : 0.99, false));
    EXPECT_EQ(one.stuck(Outcome::running), far);
  }
}

TEST(Stopping, BreakdownsCountInARow)
{
  Progress one = begun();
  double r = 1;
  for (int n = 1; n < 10; n++) EXPECT_FALSE(after(one, r / 4, r / 4, true, Outcome::breakdown)) << n, r /= 4;
  Progress again = one;
  EXPECT_EQ(after(one, r / 4, r / 4, true, Outcome::breakdown), Outcome::breakdown);
  EXPECT_FALSE(after(again, r / 4, r / 4, true));
  EXPECT_EQ(again.breakdowns, 0);
}

TEST(Stopping, AnIndefiniteOperatorEndsTheOutermostPrecisionOnly)
{
  Progress one = begun();
  EXPECT_EQ(after(one, 0.5, 0.5, true, Outcome::indefinite), Outcome::indefinite);
  Progress lower = begun();
  EXPECT_FALSE(after(lower, 0.5, 0.5, false, Outcome::indefinite));
  EXPECT_TRUE(lower.stuck(Outcome::indefinite));
}

TEST(Stopping, AimsAreTightenedAfterHopesAndNeverBelowRounding)
{
  Progress one = begun();
  one.set_aim(1, false, Precision::double_);
  EXPECT_EQ(one.aim, one.target);
  one.measured(2e-10); // the recursion had reached its aim
  EXPECT_FALSE(one.judge(Outcome::running, 0.9e-10, 50, true));
  one.set_aim(2e-10, false, Precision::double_);
  EXPECT_EQ(one.aim, 0.5 * one.target);
  one.set_aim(4e-10, true, Precision::double_); // |A^dag r| has to fall as |r| has: by 2, and by 2 more
  EXPECT_DOUBLE_EQ(one.aim, 1e-10);
  Progress sharp = begun();
  sharp.target = 1e-30;
  sharp.set_aim(1, false, Precision::double_);
  EXPECT_EQ(sharp.aim, meaningless_residual(Precision::double_, 1));
}

TEST(Stopping, RelaxationGoesDownAsTheResidualFalls)
{
  const Relaxation to {.part = 1e-10, .outer = Precision::double_, .first = Precision::single};
  EXPECT_EQ(to.level(1), Precision::double_);
  EXPECT_EQ(to.level(1.01 * to.allowed_from(Precision::single)), Precision::double_);
  EXPECT_EQ(to.level(0.99 * to.allowed_from(Precision::single)), Precision::single);
  EXPECT_DOUBLE_EQ(to.fall(Precision::double_, 1), to.allowed_from(Precision::single));
  EXPECT_EQ(to.fall(Precision::single, 1), 0);
  EXPECT_NEAR(to.allowed_from(Precision::single), 1e-10 * 0x1p24 / 10, 1e-12);
}
