/// What the readers of the formats share: an open file, numbers in either byte order, one parser a format.
#pragma once

#include <charconv>
#include <cstdarg>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gauge_file.h"

namespace quda_files
{

/// Throws FileError, its text from a printf format and preceded by the path.
[[noreturn]] void refuse(const std::string &path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// An open file of known size, read at byte positions. Every read is checked against the size first.
class Bytes
{
public:
  explicit Bytes(const std::string &path);
  std::uint64_t size() const { return size_; }
  const std::string &path() const { return path_; }
  void read(std::uint64_t offset, void *into, std::uint64_t n);

private:
  std::string path_;
  std::ifstream stream_;
  std::uint64_t size_ = 0;
};

/// Real numbers of a site, as they stand in a file with this many rows a link.
constexpr std::uint64_t reals_per_site(int rows) { return 4 * 6 * static_cast<std::uint64_t>(rows); }

/// Bytes of a site in the file.
inline std::uint64_t site_bytes(const GaugeFile &file)
{
  return reals_per_site(file.rows) * static_cast<std::uint64_t>(file.precision);
}

/// Sets extents and bytes of the links, or refuses where an extent is not positive or the links would need more than
/// `available` bytes; cannot overflow. Precision and rows are to be set before.
void set_lattice(GaugeFile &file, const std::int64_t dims[4], std::uint64_t available);

/// The same where nothing follows the links, or a refusal; file_bytes and data_offset are to be set before.
void set_whole_lattice(GaugeFile &file, const std::int64_t dims[4]);

std::uint32_t load_u32(const unsigned char *bytes, bool big_endian);
std::uint64_t load_u64(const unsigned char *bytes, bool big_endian);

/// The printable characters of a text of the file, for messages.
std::string printable(const std::string &text, std::size_t most = 60);

constexpr char blanks[] = " \t\r\n";
std::string_view trimmed(std::string_view text);

/// A number and nothing else, a plus sign before it allowed. `how` is what std::from_chars takes.
template <class T, class How> std::optional<T> to_number(std::string_view text, How how)
{
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value = {};
  const char *const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value, how);
  return error == std::errc() && end == stop ? std::optional<T>(value) : std::nullopt;
}

/// A hexadecimal number of up to eight digits, with 0x before it or without.
std::optional<std::uint32_t> to_hexadecimal(std::string_view text);

constexpr std::uint32_t lime_magic = 0x456789ab;
constexpr std::pair<std::uint32_t, Format> milc_magics[] = {
    {20103, Format::milc_v5}, {59354, Format::milc_v1}, {53546, Format::milc_1996}};
constexpr char nersc_begin[] = "BEGIN_HEADER";

GaugeFile parse_milc(Bytes &bytes, Format format, bool big_endian);
GaugeFile parse_lime(Bytes &bytes);
GaugeFile parse_nersc(Bytes &bytes);

} // namespace quda_files
