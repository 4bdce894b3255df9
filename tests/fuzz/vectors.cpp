// Heads of files of eigenvectors.

#include <cstdio>
#include <cstdlib>

#include "files/vector_file.h"
#include "fuzz/file_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
  read_as_file(data, size, [&](const std::string &path) {
    const quda_files::VectorFile file = quda_files::inspect_vectors(path);
    if (file.data_offset <= size && file.data_bytes() <= size - file.data_offset) return;
    std::fprintf(stderr, "numbers beyond the file's end\n");
    std::abort();
  });
  return 0;
}
