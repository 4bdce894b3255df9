// Files of perambulators.

#include <cstdio>
#include <cstdlib>

#include "files/perambulator_file.h"
#include "fuzz/file_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
  read_as_file(data, size, [&](const std::string &path) {
    const quda_files::Perambulators all = quda_files::read_perambulators(path);
    if (all.numbers.size() == all.columns() * all.of_source() && 16 * all.numbers.size() <= size) return;
    std::fprintf(stderr, "more numbers than the file has\n");
    std::abort();
  });
  return 0;
}
