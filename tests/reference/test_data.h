/// Where tests find real gauge configurations.
#pragma once

#include <cstdlib>
#include <string>

namespace reference
{

/// The path of a file of the data folder: $QUDA_TEST_DATA, else the folder shared/data beside the checkout.
inline std::string test_data(const std::string &name)
{
  if (const char *folder = std::getenv("QUDA_TEST_DATA")) return std::string(folder) + "/" + name;
#ifdef QUDA_SOURCE_DIR
  return std::string(QUDA_SOURCE_DIR) + "/../shared/data/" + name;
#else
  return "../shared/data/" + name;
#endif
}

/// The path of a file of tests/data, which is always there.
inline std::string own_data(const std::string &name)
{
#ifdef QUDA_SOURCE_DIR
  return std::string(QUDA_SOURCE_DIR) + "/tests/data/" + name;
#else
  return "tests/data/" + name;
#endif
}

} // namespace reference
