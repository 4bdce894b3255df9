/// Where tests find real gauge configurations.
#pragma once

#include <string>

namespace reference
{

/// The path of a file of the data folder: $QUDA_TEST_DATA, else the folder shared/data beside the checkout.
std::string test_data(const std::string &name);

/// The path of a file of tests/data, which is always there.
std::string own_data(const std::string &name);

} // namespace reference
