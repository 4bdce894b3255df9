// Heads of files of eigenvectors.

#include <cstdio>
#include <cstdlib>

#include "files/vector_file.h"
#include "fuzz/file_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
  const auto check = [&](const quda_files::VectorFile &file) {
    if (file.data_offset <= size && file.data_bytes() <= size - file.data_offset) return;
    std::fprintf(stderr, "numbers beyond the file's end\n");
    std::abort();
  };
  read_as_file(data, size, [&](const std::string &path) { check(quda_files::inspect_vectors(path)); });
  // the first of several parts, and another one
  read_as_file(data, size, [&](const std::string &path) { check(quda_files::inspect_vectors(path, true)); });
  read_as_file(data, size, [&](const std::string &path) {
    quda_files::VectorFile file;
    file.path = path;
    file.part = true;
    file.dims = {2, 2, 2, 4};
    file.count = 2;
    inspect_part(file);
    check(file);
  });
  return 0;
}
