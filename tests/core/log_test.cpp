#include "core/log.h"

#include "captured_log.h"
#include "core/error.h"
#include "environment_support.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

using namespace quda;

TEST(Log, DefaultVerbosityIsSummarize) { EXPECT_EQ(verbosity(), Verbosity::summarize); }

TEST(Log, LevelsFilter)
{
  const CapturedLog log(Verbosity::verbose);
  print(Verbosity::silent, "a");
  print(Verbosity::summarize, "b");
  print(Verbosity::verbose, "c");
  print(Verbosity::debug, "d");
  EXPECT_EQ(log.text(), "abc");
  EXPECT_TRUE(log_prints(Verbosity::verbose));
  EXPECT_FALSE(log_prints(Verbosity::debug));
}

TEST(Log, PrefixStandsBeforeEachMessageAndIsCut)
{
  {
    const CapturedLog log(Verbosity::summarize, "QUDA: ");
    print(Verbosity::summarize, "plaquette = %.2f\n", 0.59);
    warn("%d links left", 3);
    EXPECT_EQ(log.text(), "QUDA: plaquette = 0.59\nQUDA: WARNING: 3 links left\n");
  }
  const std::string longer(200, 'p');
  const CapturedLog log(Verbosity::summarize, longer.c_str());
  print(Verbosity::summarize, "x");
  EXPECT_EQ(log.text(), longer.substr(0, 99) + "x");
}

TEST(Log, WarningsVanishWhenSilent)
{
  const CapturedLog log(Verbosity::silent);
  warn("nobody reads this");
  print(Verbosity::summarize, "nor this");
  print_always("but this\n");
  EXPECT_EQ(log.text(), "but this\n");
}

TEST(Log, ScopeRestoresTheVerbosity)
{
  const CapturedLog log(Verbosity::summarize);
  {
    const VerbosityScope scope(Verbosity::debug);
    EXPECT_EQ(verbosity(), Verbosity::debug);
  }
  EXPECT_EQ(verbosity(), Verbosity::summarize);
}

TEST(Log, LongMessagesComeWhole)
{
  const CapturedLog log;
  const std::string longer(100000, 'm');
  print(Verbosity::summarize, "%s|", longer.c_str());
  EXPECT_EQ(log.text(), longer + "|");
}

TEST(Log, RankFilter)
{
  const Variable variable("QUDA_RANK_VERBOSITY", nullptr);
  const auto prints = [](int rank) {
    set_log_rank(rank);
    return log_rank_prints();
  };
  EXPECT_TRUE(prints(0));
  EXPECT_FALSE(prints(1));
  variable.set("1,3");
  EXPECT_FALSE(prints(0));
  EXPECT_TRUE(prints(1));
  EXPECT_FALSE(prints(2));
  EXPECT_TRUE(prints(3));
  variable.set("-1");
  EXPECT_TRUE(prints(0));
  EXPECT_TRUE(prints(7));
  variable.set("all");
  EXPECT_THROW(set_log_rank(0), Error);
  variable.set(nullptr);
  set_log_rank(0);
}

TEST(Log, RanksThatDoNotPrintAreStillHeardInFailure)
{
  const Variable variable("QUDA_RANK_VERBOSITY", nullptr);
  const CapturedLog log(Verbosity::debug, "[q] ");
  set_log_rank(2);
  print(Verbosity::silent, "a");
  warn("b");
  print_always("ERROR: %s\n", "rank 2");
  set_log_rank(0);
  EXPECT_EQ(log.text(), "[q] ERROR: rank 2\n");
}

TEST(Log, ThreadsDoNotMixTheirMessages)
{
  const CapturedLog log;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([t] {
      for (int i = 0; i < 50; i++)
        print(Verbosity::summarize, "%s\n", std::string(300, static_cast<char>('a' + t)).c_str());
    });
  for (std::thread &thread : threads) thread.join();
  const std::string all = log.text();
  EXPECT_EQ(all.size(), 4u * 50u * 301u);
  for (std::size_t at = 0; at + 301 <= all.size(); at += 301)
    EXPECT_EQ(all.substr(at, 301), std::string(300, all[at]) + "\n");
}
