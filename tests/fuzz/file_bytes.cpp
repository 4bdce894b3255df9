#include "fuzz/file_bytes.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "files/gauge_file.h"

namespace
{

[[noreturn]] void wrong(const std::string &what)
{
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

// A file in memory, made once, that has a path.
class MemoryFile
{
public:
  MemoryFile()
      : descriptor_(memfd_create("gauge", MFD_CLOEXEC))
      , path_("/proc/self/fd/" + std::to_string(descriptor_))
  {
    if (descriptor_ < 0) wrong("no file in memory can be made");
  }
  void fill(const std::uint8_t *data, std::size_t size)
  {
    if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0 ||
        (size > 0 && pwrite(descriptor_, data, size, 0) != static_cast<ssize_t>(size)))
      wrong("the file in memory cannot be written");
  }
  const std::string &path() const { return path_; }

private:
  const int descriptor_;
  const std::string path_;
};

} // namespace

void read_as_file(const std::uint8_t *data, std::size_t size, const std::function<void(const std::string &path)> &read)
{
  static MemoryFile file;
  file.fill(data, size);
  try {
    read(file.path());
  } catch (const quda_files::FileError &error) {
    const std::string text = error.what(), start = file.path() + ": ";
    if (text.rfind(start, 0) != 0 || text.size() < start.size() + 10) wrong("a refusal that says too little: " + text);
    for (char c : text)
      if (c < 32 || c > 126) wrong("a refusal with unprintable characters: " + text);
  }
}

void read_as_gauge_file(const std::uint8_t *data, std::size_t size)
{
  read_as_file(data, size, [](const std::string &path) {
    const quda_files::GaugeFile head = quda_files::inspect(path);
    quda_files::describe(head);
    for (const auto &direction : quda_files::read_gauge(head))
      for (double number : direction)
        if (!std::isfinite(number)) wrong("a link that is not finite was read: " + quda_files::describe(head));
  });
}
