/// The interface from a program in plain C.

#include "c_api.h"

#include <gtest/gtest.h>

#include <cstdlib>

TEST(C, AProgram)
{
  const char *fault = c_program();
  EXPECT_EQ(fault, nullptr) << fault;
}

/// Host codes free all that there might be, and then end.
TEST(C, FreesAndFlushesOfNothing)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        c_empty();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}
