#include "core/profile.h"

#include "captured_log.h"
#include "core/error.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

using namespace quda;

namespace
{

void pass(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

double accounted(const TimeProfile &profile)
{
  double sum = 0.0;
  for (int phase = 0; phase < static_cast<int>(Phase::total); phase++)
    sum += profile.seconds(static_cast<Phase>(phase));
  return sum;
}

} // namespace

TEST(Timer, SumsItsStretches)
{
  Timer timer;
  EXPECT_EQ(timer.seconds(), 0.0);
  timer.start();
  pass(5);
  timer.stop();
  const double once = timer.seconds();
  EXPECT_GE(once, 0.005);
  pass(5);
  EXPECT_EQ(timer.seconds(), once);
  timer.start();
  pass(5);
  EXPECT_GE(timer.seconds(), once + 0.005); // still running
  timer.reset();
  EXPECT_TRUE(timer.running());
  EXPECT_LT(timer.seconds(), once);
}

TEST(Profile, PhaseNamesAndOrder)
{
  const char *const names[] = {"download", "upload", "init",     "preamble", "compute",
                               "comms",    "free",   "file i/o", "total"};
  ASSERT_EQ(n_phases, std::size(names));
  for (int i = 0; i < n_phases; i++) EXPECT_STREQ(phase_name(static_cast<Phase>(i)), names[i]);
  EXPECT_STREQ(phase_name(Phase::h2d), "download");
  EXPECT_STREQ(phase_name(Phase::io), "file i/o");
}

TEST(Profile, InnerPhasePausesTheOuter)
{
  TimeProfile profile("test");
  profile.start(Phase::compute);
  pass(5);
  profile.start(Phase::comms);
  pass(40);
  profile.stop(Phase::comms);
  pass(5);
  profile.stop(Phase::compute);
  EXPECT_GE(profile.seconds(Phase::comms), 0.040);
  EXPECT_GE(profile.seconds(Phase::compute), 0.010);
  // had compute run on, it would hold the 40 ms too
  EXPECT_LE(profile.seconds(Phase::compute), profile.seconds(Phase::total) - profile.seconds(Phase::comms) + 1e-6);
  EXPECT_NEAR(accounted(profile), profile.seconds(Phase::total), 0.002);
  EXPECT_EQ(profile.calls(Phase::compute), 1);
  EXPECT_EQ(profile.calls(Phase::comms), 1);
  EXPECT_EQ(profile.calls(Phase::total), 1);
  const double total = profile.seconds(Phase::total);
  pass(3);
  EXPECT_EQ(profile.seconds(Phase::total), total);
}

TEST(Profile, SamePhaseNests)
{
  TimeProfile profile("test");
  profile.start(Phase::compute);
  profile.start(Phase::compute);
  pass(5);
  profile.stop(Phase::compute);
  pass(5);
  profile.stop(Phase::compute);
  EXPECT_EQ(profile.calls(Phase::compute), 2);
  EXPECT_GE(profile.seconds(Phase::compute), 0.010);
  EXPECT_LE(profile.seconds(Phase::compute), profile.seconds(Phase::total) + 1e-6);
}

TEST(Profile, TotalStaysOpenAcrossCalls)
{
  TimeProfile profile("session");
  profile.start(Phase::total);
  pass(5);
  EXPECT_GE(profile.seconds(Phase::total), 0.005);
  profile.start(Phase::compute);
  profile.stop(Phase::compute);
  pass(5);
  profile.stop(Phase::total);
  EXPECT_GE(profile.seconds(Phase::total), 0.010);
  EXPECT_EQ(profile.calls(Phase::total), 1);
}

TEST(Profile, WrongStopIsRefused)
{
  TimeProfile profile("test");
  EXPECT_THROW(profile.stop(Phase::compute), Error);
  profile.start(Phase::compute);
  EXPECT_THROW(profile.stop(Phase::comms), Error);
  profile.stop(Phase::compute);
}

TEST(Profile, ScopesCountForTheCurrentProfileAndTheSum)
{
  reset_profiles();
  EXPECT_EQ(current_profile(), nullptr);
  TimeProfile &outer = profile("plaqQuda"), &inner = profile("loadGaugeQuda");
  EXPECT_EQ(&outer, &profile("plaqQuda"));
  {
    const ProfileScope call(outer);
    EXPECT_EQ(current_profile(), &outer);
    const PhaseScope compute(Phase::compute);
    pass(5);
    {
      const ProfileScope nested(inner);
      EXPECT_EQ(current_profile(), &inner);
      const PhaseScope download(Phase::h2d);
      pass(5);
    }
    EXPECT_EQ(current_profile(), &outer);
    EXPECT_GE(call.seconds(), 0.010);
  }
  EXPECT_EQ(current_profile(), nullptr);
  EXPECT_EQ(outer.calls(Phase::compute), 1);
  EXPECT_EQ(outer.calls(Phase::h2d), 0);
  EXPECT_EQ(inner.calls(Phase::h2d), 1);
  EXPECT_EQ(global_profile().calls(Phase::h2d), 1);
  EXPECT_EQ(global_profile().calls(Phase::compute), 1);
  EXPECT_EQ(global_profile().calls(Phase::total), 1);
  // the sum never counts a moment twice
  EXPECT_LE(accounted(global_profile()), global_profile().seconds(Phase::total) + 1e-6);
  EXPECT_EQ(outer.depth(), 0u);
  reset_profiles();
  EXPECT_EQ(outer.seconds(Phase::total), 0.0);
  EXPECT_EQ(outer.calls(Phase::compute), 0);
}

TEST(Profile, ExceptionsCloseWhatTheyLeave)
{
  reset_profiles();
  TimeProfile &call = profile("dslashQuda");
  try {
    const ProfileScope scope(call);
    const PhaseScope phase(Phase::compute);
    call.start(Phase::comms); // never stopped
    throw std::runtime_error("on the way");
  } catch (const std::runtime_error &) {
  }
  EXPECT_EQ(call.depth(), 0u);
  EXPECT_EQ(global_profile().depth(), 0u);
  const double total = call.seconds(Phase::total), comms = call.seconds(Phase::comms);
  pass(3);
  EXPECT_EQ(call.seconds(Phase::total), total);
  EXPECT_EQ(call.seconds(Phase::comms), comms);
  reset_profiles();
}

TEST(Profile, PhaseOutsideOfCallsCountsForTheSum)
{
  reset_profiles();
  {
    const PhaseScope phase(Phase::init);
  }
  EXPECT_EQ(global_profile().calls(Phase::init), 1);
  reset_profiles();
}

TEST(Profile, PrintedLines)
{
  TimeProfile profile("plaqQuda");
  {
    const CapturedLog log;
    profile.print();
    EXPECT_EQ(log.text(), ""); // nothing measured
  }
  profile.start(Phase::total);
  for (int i = 0; i < 3; i++) {
    profile.start(Phase::h2d);
    pass(2);
    profile.stop(Phase::h2d);
  }
  profile.stop(Phase::total);

  const double total = profile.seconds(Phase::total), download = profile.seconds(Phase::h2d);
  const CapturedLog log;
  profile.print();
  char expected[1000];
  std::snprintf(expected, sizeof expected,
                "\n               plaqQuda Total time = %9.3f secs\n"
                "                 download     = %9.3f secs (%7.3f%%),\t with        3 calls at %6.3e us per call\n"
                "        total accounted       = %9.3f secs (%7.3f%%)\n"
                "        total missing         = %9.3f secs (%7.3f%%)\n",
                total, download, 100 * download / total, 1e6 * download / 3, download, 100 * download / total,
                total - download, 100 * (total - download) / total);
  EXPECT_EQ(log.text(), expected);
}

TEST(Profile, TablesComeInTheKnownOrder)
{
  reset_profiles();
  for (const char *name :
       {"endQuda", "someNewQuda", "performGaugeSmearQuda", "plaqQuda", "initQuda", "loadGaugeQuda"}) {
    const ProfileScope call(profile(name));
    pass(1);
  }
  profile("initQuda-endQuda").start(Phase::total);
  pass(1);
  profile("initQuda-endQuda").stop(Phase::total);
  const CapturedLog log;
  print_profiles();
  const std::string all = log.text();
  std::size_t at = 0;
  for (const char *name : {" initQuda Total", " loadGaugeQuda Total", " plaqQuda Total", " gaugeSmearQuda Total",
                           " someNewQuda Total", " endQuda Total", " initQuda-endQuda Total", " QUDA Total"}) {
    const std::size_t found = all.find(name);
    ASSERT_NE(found, std::string::npos) << name << " in\n" << all;
    EXPECT_GE(found, at) << name;
    at = found;
  }
  EXPECT_EQ(all.find("dslashQuda"), std::string::npos); // not called
  reset_profiles();
}

TEST(Profile, ResetInsideACallGoesOn)
{
  TimeProfile &call = profile("endQuda");
  {
    const ProfileScope scope(call);
    pass(10);
    reset_profiles();
    EXPECT_LT(call.seconds(Phase::total), 0.010);
  }
  EXPECT_EQ(call.depth(), 0u);
  reset_profiles();
}
