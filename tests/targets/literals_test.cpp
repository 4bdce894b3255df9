/// No number is ever converted to a stored integer, where 0.5 would become 0: it does not compile.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace
{

int status_of(const std::string &compiler, const std::string &flags, const std::string &use)
{
  const std::string lib = std::string(QUDA_SOURCE_DIR) + "/lib";
  const std::string command = compiler + " -std=c++20 " + flags + " -I" + lib + "/targets/cuda -I" + lib + " " + use +
                              " " + QUDA_SOURCE_DIR + "/tests/targets/literals.inc > /dev/null 2>&1";
  return std::system(command.c_str());
}

void expect_refusals(const std::string &compiler, const std::string &flags)
{
  if (std::system((compiler + " --version > /dev/null 2>&1").c_str()) != 0)
    GTEST_SKIP() << compiler << " is not on the path";
  EXPECT_EQ(status_of(compiler, flags, ""), 0);
  for (const char *use : {"member", "literal", "cast", "braces", "copy", "register", "assignment"})
    EXPECT_NE(status_of(compiler, flags, std::string("-DUSE_") + use), 0) << use;
}

const std::string lib = std::string(QUDA_SOURCE_DIR) + "/lib";

} // namespace

TEST(StoredIntegers, areNotMadeOfNumbersOnLanes)
{
  expect_refusals("g++", "-mavx2 -mfma -fsyntax-only -x c++ -DQUDA_TARGET_NAMESPACE=cpu_avx2 -DQUDA_BLOCK= -I" + lib +
                             "/targets/cpu");
}

TEST(StoredIntegers, areNotMadeOfNumbersOnScalars)
{
  expect_refusals("g++",
                  "-fsyntax-only -x c++ -DQUDA_TARGET_NAMESPACE=fiber '-DQUDA_BLOCK=,0' -I" + lib + "/targets/fiber");
}
