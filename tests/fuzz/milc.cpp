// MILC version 5, either byte order, and whatever is of no format.

#include "fuzz/file_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
  if (size >= 1 && (data[0] == 'B' || data[0] == 0x45)) return -1; // another target's
  read_as_gauge_file(data, size);
  return 0;
}
