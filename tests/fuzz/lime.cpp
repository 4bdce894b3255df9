// LIME files, SciDAC and ILDG.

#include <algorithm>

#include "fuzz/file_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
  constexpr std::uint8_t magic[4] = {0x45, 0x67, 0x89, 0xab};
  if (size < 4 || !std::equal(magic, magic + 4, data)) return -1; // another target's
  read_as_gauge_file(data, size);
  return 0;
}
