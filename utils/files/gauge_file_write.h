/// The parts of the writer of gauge files: what stands around the links, and a file that is not there before it is
/// whole.
#pragma once

#include <cstdint>
#include <string>

#include "gauge_file_parse.h"

namespace quda_files
{

/// What stands before and after the links. Its lengths do not depend on checksums and means.
struct Frame {
  std::string head, tail;
};
Frame frame_of(const GaugeFile &file, const std::string &label);

void append_number(std::string &out, std::uint64_t value, int bytes, bool big_endian);

/// An open file, written at byte positions. Throws FileError with the target's name, not the temporary one's.
class OutputFile
{
public:
  /// create: made anew, refused where it is there already; else it must be there.
  OutputFile(const std::string &path, const std::string &target, bool create);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  void write(std::uint64_t offset, const void *bytes, std::uint64_t n);
  /// On the disk when this returns.
  void finish();

private:
  const std::string path_, target_;
  int descriptor_;
};

/// Gives the temporary file the target's name and waits until the disk knows.
void rename_durably(const std::string &path, const std::string &target);

} // namespace quda_files
