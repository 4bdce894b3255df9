#include "gauge_file_parse.h"

#include <cinttypes>

namespace quda_files
{

// Version 5: ints magic, nx, ny, nz, nt; 64 characters of date; int order; two checksums; then the links in single
// precision, site (x fastest), direction, row, column, re/im. All in the byte order of the machine that wrote it.
GaugeFile parse_milc(Bytes &bytes)
{
  constexpr std::uint64_t head_bytes = 96;
  const std::string &path = bytes.path();
  if (bytes.size() < head_bytes)
    refuse(path, "truncated at byte %" PRIu64 ": a MILC header has %" PRIu64 " bytes", bytes.size(), head_bytes);
  unsigned char head[head_bytes];
  bytes.read(0, head, head_bytes);

  GaugeFile file;
  file.path = path;
  file.format = Format::milc_v5;
  file.precision = 4;
  file.big_endian = load_u32(head, true) == milc_v5_magic;
  file.file_bytes = bytes.size();
  file.data_offset = head_bytes;

  std::int64_t dims[4];
  for (int d = 0; d < 4; d++) dims[d] = static_cast<std::int32_t>(load_u32(head + 4 + 4 * d, file.big_endian));
  for (int i = 20; i < 84 && head[i] != 0; i++)
    if (head[i] >= 32 && head[i] < 127) file.stamp += static_cast<char>(head[i]);

  auto order = static_cast<std::int32_t>(load_u32(head + 84, file.big_endian));
  if (order != 0) refuse(path, "site order %d of the MILC header is not read; only 0 (natural order) is", order);

  const std::uint64_t available = bytes.size() - head_bytes;
  set_lattice(file, dims, available);
  if (file.data_bytes != available)
    refuse(path, "%" PRIu64 " bytes follow the header, but its lattice %d %d %d %d needs %" PRIu64, available,
           file.dims[0], file.dims[1], file.dims[2], file.dims[3], file.data_bytes);

  file.checksum = ChecksumKind::milc;
  file.stored = {load_u32(head + 88, file.big_endian), load_u32(head + 92, file.big_endian)};
  return file;
}

} // namespace quda_files
