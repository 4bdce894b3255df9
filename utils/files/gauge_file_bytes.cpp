#include "gauge_file_parse.h"

#include <cinttypes>
#include <cstdio>

namespace quda_files
{

void refuse(const std::string &path, const char *format, ...)
{
  char text[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  throw FileError(path + ": " + text);
}

Bytes::Bytes(const std::string &path)
    : path_(path)
    , stream_(path, std::ios::binary)
{
  if (!stream_) refuse(path, "cannot be opened");
  stream_.seekg(0, std::ios::end);
  const auto end = stream_.tellg();
  // A directory opens, but has no end to speak of.
  if (!stream_ || end < 0 || static_cast<std::uint64_t>(end) >= std::uint64_t(1) << 62)
    refuse(path, "its size cannot be found; is it a regular file?");
  size_ = static_cast<std::uint64_t>(end);
}

void Bytes::read(std::uint64_t offset, void *into, std::uint64_t n)
{
  if (offset > size_ || n > size_ - offset)
    refuse(path_, "truncated at byte %" PRIu64 ": %" PRIu64 " bytes wanted at byte %" PRIu64, size_, n, offset);
  stream_.seekg(static_cast<std::streamoff>(offset));
  stream_.read(static_cast<char *>(into), static_cast<std::streamsize>(n));
  if (!stream_) refuse(path_, "reading %" PRIu64 " bytes at byte %" PRIu64 " failed", n, offset);
}

void set_lattice(GaugeFile &file, const std::int64_t dims[4], std::uint64_t available)
{
  const std::uint64_t site = site_bytes(file), most = available / site;
  std::uint64_t volume = 1;
  for (int d = 0; d < 4; d++) {
    if (dims[d] < 1 || dims[d] > INT32_MAX)
      refuse(file.path,
             "lattice %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 ": the extent in %c is not a possible one", dims[0],
             dims[1], dims[2], dims[3], "xyzt"[d]);
    const auto extent = static_cast<std::uint64_t>(dims[d]);
    if (volume > most / extent)
      refuse(file.path,
             "truncated or wrong: %" PRIu64 " bytes of links are there, less than the lattice %" PRId64 " %" PRId64
             " %" PRId64 " %" PRId64 " needs at %" PRIu64 " a site",
             available, dims[0], dims[1], dims[2], dims[3], site);
    volume *= extent;
    file.dims[d] = static_cast<int>(dims[d]);
  }
  file.data_bytes = volume * site;
}

void set_whole_lattice(GaugeFile &file, const std::int64_t dims[4])
{
  const std::uint64_t available = file.file_bytes - file.data_offset;
  set_lattice(file, dims, available);
  if (file.data_bytes != available)
    refuse(file.path, "%" PRIu64 " bytes follow the header, but its lattice %d %d %d %d needs %" PRIu64, available,
           file.dims[0], file.dims[1], file.dims[2], file.dims[3], file.data_bytes);
}

std::uint32_t load_u32(const unsigned char *b, bool big_endian)
{
  const std::uint32_t big = std::uint32_t(b[0]) << 24 | std::uint32_t(b[1]) << 16 | std::uint32_t(b[2]) << 8 | b[3];
  return big_endian ? big : __builtin_bswap32(big);
}

std::uint64_t load_u64(const unsigned char *b, bool big_endian)
{
  const std::uint64_t big = std::uint64_t(load_u32(b, true)) << 32 | load_u32(b + 4, true);
  return big_endian ? big : __builtin_bswap64(big);
}

std::string_view trimmed(std::string_view text)
{
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::uint32_t> to_hexadecimal(std::string_view text)
{
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  return text.size() <= 8 ? to_number<std::uint32_t>(text, 16) : std::nullopt;
}

std::string printable(const std::string &text, std::size_t most)
{
  std::string shown;
  for (char c : text.substr(0, most)) shown += c >= 32 && c < 127 ? c : '?';
  return shown;
}

} // namespace quda_files
