#pragma once
/// Links that another program made, where they are at hand.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "files/gauge_file.h"
#include "reference/field.h"
#include "reference/test_data.h"

#define NEEDS_FILE(name)                                                                                               \
  if (!std::filesystem::exists(reference::test_data(name))) GTEST_SKIP() << "no file " << reference::test_data(name)

namespace smear_test
{

inline reference::GaugeField links_of_file(const std::string &name)
{
  const quda_files::GaugeFile file = quda_files::inspect(reference::test_data(name));
  return reference::from_qdp(reference::Lattice(file.dims), quda_files::read_gauge(file));
}

} // namespace smear_test
