#include "core/environment.h"

#include "core/error.h"
#include "environment_support.h"

#include <gtest/gtest.h>

using namespace quda;

namespace
{

constexpr const char *name = "QUDA_TEST_VARIABLE";

// the message of the error that an action throws; empty where it throws none
template <class Action> std::string complaint(Action action)
{
  try {
    action();
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_argument);
    return error.what();
  }
  return "";
}

} // namespace

TEST(Environment, Strings)
{
  const Variable variable(name, nullptr);
  EXPECT_FALSE(env_string(name).has_value());
  variable.set("");
  EXPECT_EQ(env_string(name), "");
  variable.set(" a b ");
  EXPECT_EQ(env_string(name), " a b ");
}

TEST(Environment, Integers)
{
  const Variable variable(name, nullptr);
  EXPECT_FALSE(env_int(name, 0, 10).has_value());
  variable.set("");
  EXPECT_FALSE(env_int(name, 0, 10).has_value());
  variable.set("10");
  EXPECT_EQ(env_int(name, 0, 10), 10);
  variable.set(" -5\n");
  EXPECT_EQ(env_int(name, -5, 10), -5);
  variable.set("010"); // decimal, not octal
  EXPECT_EQ(env_int(name, 0, 10), 10);
}

TEST(Environment, NonsenseIntegersAreNamed)
{
  const Variable variable(name, nullptr);
  for (const char *value : {"eleven", "3x", "0x3", "3 4", "1.5", "11", "-1", "99999999999999999999999", "--1"}) {
    variable.set(value);
    const std::string said = complaint([] { env_int(name, 0, 10); });
    EXPECT_NE(said.find(name), std::string::npos) << value;
    EXPECT_NE(said.find(value), std::string::npos) << value;
    EXPECT_NE(said.find("from 0 to 10"), std::string::npos) << value;
  }
}

TEST(Environment, Lists)
{
  const Variable variable(name, nullptr);
  EXPECT_FALSE(env_int_list(name, 0, 10).has_value());
  variable.set("0, 3,10");
  EXPECT_EQ(env_int_list(name, 0, 10), (std::vector<long> {0, 3, 10}));
  variable.set("4");
  EXPECT_EQ(env_int_list(name, 0, 10), (std::vector<long> {4}));
  for (const char *value : {"1,", ",1", "1,,2", "1;2", "1,11", "a"}) {
    variable.set(value);
    const std::string said = complaint([] { env_int_list(name, 0, 10); });
    EXPECT_NE(said.find(value), std::string::npos) << value;
  }
}

TEST(Environment, Flags)
{
  const Variable variable(name, nullptr);
  EXPECT_TRUE(env_flag(name, true));
  EXPECT_FALSE(env_flag(name, false));
  for (const char *value : {"1", "yes", "ON", "True"}) {
    variable.set(value);
    EXPECT_TRUE(env_flag(name, false)) << value;
  }
  for (const char *value : {"0", "no", "Off", "FALSE"}) {
    variable.set(value);
    EXPECT_FALSE(env_flag(name, true)) << value;
  }
  for (const char *value : {"2", "maybe", "10"}) {
    variable.set(value);
    const std::string said = complaint([] { env_flag(name, false); });
    EXPECT_NE(said.find(name), std::string::npos) << value;
    EXPECT_NE(said.find(value), std::string::npos) << value;
  }
}
