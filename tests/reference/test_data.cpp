#include "reference/test_data.h"

#include <cstdlib>

namespace reference
{

std::string test_data(const std::string &name)
{
  if (const char *folder = std::getenv("QUDA_TEST_DATA")) return std::string(folder) + "/" + name;
#ifdef QUDA_SOURCE_DIR
  return std::string(QUDA_SOURCE_DIR) + "/../shared/data/" + name;
#else
  return "../shared/data/" + name;
#endif
}

std::string own_data(const std::string &name)
{
#ifdef QUDA_SOURCE_DIR
  return std::string(QUDA_SOURCE_DIR) + "/tests/data/" + name;
#else
  return "tests/data/" + name;
#endif
}

} // namespace reference
