/// The interface from a program in plain C.

#include "c_api.h"

#include <gtest/gtest.h>

TEST(C, AProgram)
{
  const char *fault = c_program();
  EXPECT_EQ(fault, nullptr) << fault;
}
