#include "core/error.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace quda;

TEST(Error, CarriesKindTextAndPlace)
{
  int line = 0;
  try {
    line = __LINE__ + 1;
    fail(ErrorKind::unsupported, text("%s: dir = %d must be 0 to 3", "polyakovLoopQuda", 7));
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_STREQ(error.what(), "polyakovLoopQuda: dir = 7 must be 0 to 3");
    EXPECT_EQ(error.line(), line);
    EXPECT_NE(std::strstr(error.file(), "error_test.cpp"), nullptr);
    EXPECT_STREQ(error.function(), "TestBody");
    return;
  }
  FAIL() << "nothing was thrown";
}

TEST(Error, IsAStandardException)
{
  try {
    fail(ErrorKind::file, "lat.ildg: ends early");
  } catch (const std::exception &error) {
    EXPECT_STREQ(error.what(), "lat.ildg: ends early");
    return;
  }
  FAIL() << "nothing was thrown";
}

TEST(Text, FormatsAnyLength)
{
  EXPECT_EQ(text("%s", ""), "");
  EXPECT_EQ(text("plain"), "plain");
  EXPECT_EQ(text("%d %s %.3f", -3, "x", 0.5), "-3 x 0.500");
  const std::string longer(100000, 'q');
  EXPECT_EQ(text("<%s>", longer.c_str()), "<" + longer + ">");
}
