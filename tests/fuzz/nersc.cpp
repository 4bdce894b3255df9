// Files of the NERSC archive.

#include <cstring>

#include "fuzz/file_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
  if (size < 12 || std::memcmp(data, "BEGIN_HEADER", 12) != 0) return -1; // another target's
  read_as_gauge_file(data, size);
  return 0;
}
