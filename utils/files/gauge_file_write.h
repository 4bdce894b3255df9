/// Frame of the links in a new gauge file.
#pragma once

#include <string>

#include "gauge_file_parse.h"

namespace quda_files
{

/// Bytes before and after the links. Their number does not depend on checksums and means.
struct Frame {
  std::string head, tail;
};
Frame frame_of(const GaugeFile &file, const std::string &label);

} // namespace quda_files
