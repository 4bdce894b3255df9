#include "gauge_file_parse.h"

#include <cinttypes>

namespace quda_files
{

// Ints magic, nx, ny, nz, nt, and then
//   version 5       64 characters of date; int order; two checksums
//   versions 1 to 4 two numbers of the action
//   1996's          int bytes of the header; int order; what describes the action; behind the header an unused checksum
// and the links in single precision, site (x fastest), direction, row, column, re/im. All in the byte order of the
// machine that wrote it.
GaugeFile parse_milc(InputFile &bytes, Format format, bool big_endian)
{
  constexpr std::uint64_t v5_bytes = 96, least_bytes = 28;
  const std::uint64_t head_bytes = format == Format::milc_v5 ? v5_bytes : least_bytes;
  const std::string &path = bytes.path();
  if (bytes.size() < head_bytes)
    refuse(path, "truncated at byte %" PRIu64 ": a header of %s has %" PRIu64 " bytes", bytes.size(), name(format),
           head_bytes);
  unsigned char head[v5_bytes];
  bytes.read(0, head, head_bytes);
  auto word = [&](int at) { return load_u32(head + at, big_endian); };

  GaugeFile file;
  file.path = path;
  file.format = format;
  file.precision = 4;
  file.big_endian = big_endian;
  file.file_bytes = bytes.size();
  file.data_offset = head_bytes;

  std::uint32_t order = 0;
  if (format == Format::milc_v5) {
    for (int i = 20; i < 84 && head[i] != 0; i++)
      if (head[i] >= 32 && head[i] < 127) file.stamp += static_cast<char>(head[i]);
    order = word(84);
    file.checksum = ChecksumKind::milc;
    file.stored = {word(88), word(92)};
  }
  if (format == Format::milc_1996) {
    order = word(24);
    file.data_offset = std::uint64_t(word(20)) + 4;
    if (file.data_offset < least_bytes + 4 || file.data_offset > bytes.size())
      refuse(path, "truncated or wrong: a header of %" PRIu32 " bytes is not possible in a file of %" PRIu64, word(20),
             bytes.size());
  }
  if (order != 0)
    refuse(path, "site order %d of the MILC header is not read; only 0 (natural order) is",
           static_cast<std::int32_t>(order));

  std::int64_t dims[4];
  for (int d = 0; d < 4; d++) dims[d] = static_cast<std::int32_t>(word(4 + 4 * d));
  set_whole_lattice(file, dims);
  return file;
}

} // namespace quda_files
