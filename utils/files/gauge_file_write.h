/// What stands around the links in a gauge file.
#pragma once

#include <string>

#include "gauge_file_parse.h"

namespace quda_files
{

/// What stands before and after the links. Its lengths do not depend on checksums and means.
struct Frame {
  std::string head, tail;
};
Frame frame_of(const GaugeFile &file, const std::string &label);

} // namespace quda_files
